"""The command ``novikoff``; a subcommand is a function in a module named below, with the decorator ``command``."""

from . import bench, course, export, fit, predict, proofs  # noqa: F401  (each registers its subcommands)
from .app import app, main

__all__ = ["app", "main"]
