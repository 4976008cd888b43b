"""The main job on data built into the package: learn from a file, prove what can be proved, write a report."""

import sys
import tempfile
from contextlib import chdir
from importlib import resources
from pathlib import Path

import pandas as pd
from rich.console import Console
from sklearn.datasets import load_breast_cancer
from typer.testing import CliRunner

from novikoff.cli import app


def write_tables():
    """The files of the demo, where we are: the dating table of the notes, and scikit-learn's breast cancer."""
    dating, cancer = Path("dating.csv"), Path("cancer.csv")
    dating.write_bytes(resources.files("novikoff.data").joinpath("dating.csv").read_bytes())
    table = load_breast_cancer(as_frame=True)
    table.data.assign(diagnosis=pd.Series(table.target_names[table.target])).to_csv(cancer, index=False)
    return dating, cancer


def novikoff(console, *arguments):
    """Run the command as one would type it, and show both."""
    console.print(f"\n[bold green]$ novikoff {' '.join(map(str, arguments))}[/bold green]", soft_wrap=True)
    result = CliRunner().invoke(app, list(map(str, arguments)))
    print(result.output.rstrip())
    if result.exit_code:
        sys.exit(result.exit_code)


def main():
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="novikoff-demo-"))
    with chdir(folder):
        dating, cancer = write_tables()
        for data, target in ((dating, "约会"), (cancer, "diagnosis")):
            model, proof, report = f"{data.stem}.nvk", f"{data.stem}.json", f"{data.stem}-report.html"
            novikoff(console, "fit", data, "--target", target, "-o", model, "--report", report)
            novikoff(console, "certify", data, "--target", target, "-o", proof)
            novikoff(console, "check", proof, data, "--target", target)
        novikoff(console, "predict", "dating.nvk", dating)
    console.print(f"\nThe reports, models and proofs are in [bold]{folder}[/bold].", soft_wrap=True)
    console.print(f"Open {folder / 'cancer-report.html'} in a browser.", soft_wrap=True)


if __name__ == "__main__":
    main()
