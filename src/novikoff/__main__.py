"""``python -m novikoff`` is the command."""

from .cli import main

main()
