"""The command ``novikoff``; a subcommand is a function in a module named below, with the decorator ``command``."""

from . import (  # noqa: F401  (each registers its subcommands)
    bench_command,
    certify_command,
    course_command,
    exercise_command,
    export_command,
    fit_command,
    lab_command,
    predict_command,
    separation_command,
)
from .app import app, main

__all__ = ["app", "main"]
