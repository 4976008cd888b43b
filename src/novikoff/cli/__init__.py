"""The command ``novikoff``; a subcommand is a function in a module named below, with the decorator ``command``."""

from . import (  # noqa: F401  (each registers its subcommands)
    bench_command,
    certify_command,
    course_command,
    exercise_command,
    export_command,
    fit_command,
    inspect_command,
    lab_command,
    predict_command,
    separation_command,
)
from .app import app, main

USUAL_ORDER = (
    *("fit", "predict", "certify", "check", "separation", "inspect", "export", "bench"),
    *("lab", "course", "exercise"),
)
"""How the help lists the subcommands; others come after them."""
app.registered_commands.sort(
    key=lambda each: (
        USUAL_ORDER.index(each.callback.__name__)
        if each.callback and each.callback.__name__ in USUAL_ORDER
        else len(USUAL_ORDER)
    )
)

__all__ = ["app", "main"]
