"""``python -m novikoff.lab`` is ``novikoff lab``."""

import sys

from ..cli import main

if __name__ == "__main__":
    sys.argv.insert(1, "lab")
    main()
