"""The pictures of the README: the lab with XOR's proof, light and dark, and a recording of the command.

``python tools/front_pictures.py`` writes docs/images/lab-light.png, lab-dark.png (with Chromium) and command.svg.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from html import escape
from pathlib import Path

from typer.testing import CliRunner

from novikoff import datasets
from novikoff.cli import app

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
XOR = "#lang=en&points=0,0,0;0,1,1;1,0,1;1,1,0"
CALLS = (
    "certify endometrial.csv --target HG -o proof.json",
    "check proof.json endometrial.csv",
    "separation endometrial.csv --target HG",
)
COLUMNS, LINE, CHARACTER = 100, 17, 7.5
STYLE = """
text { font: 12.5px ui-monospace, Menlo, Consolas, monospace; fill: #1d2733; white-space: pre;
  animation: shown .2s both }
.typed { fill: #0a6b3d; font-weight: 600 } rect { fill: #f6f8fa; stroke: #d5dce4 }
@keyframes shown { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .typed { fill: #57d38c }
  rect { fill: #161b22; stroke: #30363d } }
@media (prefers-reduced-motion: reduce) { text { animation: none } }
"""


def session() -> list[tuple[str, str, float]]:
    """Lines of a terminal, what kind each is, and the second at which each appears."""
    lines, second = [], 0.3
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        shutil.copy(datasets.fetch("endometrial").filename, "endometrial.csv")
        for call in CALLS:
            lines.append((f"$ novikoff {call}", "typed", second))
            output = CliRunner(env={"COLUMNS": str(COLUMNS)}).invoke(app, call.split()).output
            for line in output.strip("\n").splitlines():
                second += 0.12
                lines += [(part, "told", second) for part in folded(line)]
            second += 1.5
            lines.append(("", "told", second))
    return lines[:-1]


def folded(line: str) -> list[str]:
    """A line in pieces that fit into the window."""
    return re.findall(rf".{{1,{COLUMNS}}}(?:\s+|$)|.{{1,{COLUMNS}}}", line) or [""]


def write_recording() -> None:
    lines = session()
    width, height = COLUMNS * CHARACTER + 30, len(lines) * LINE + 24
    texts = "\n".join(
        f'<text x="15" y="{22 + k * LINE}" style="animation-delay:{second:.2f}s" class="{kind}">{escape(text)}</text>'
        for k, (text, kind, second) in enumerate(lines)
        if text
    )
    (IMAGES / "command.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img" '
        f'aria-label="novikoff certify, check and separation on 79 patients"><style>{STYLE}</style>'
        f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1}" rx="6"/>\n{texts}\n</svg>\n',
        encoding="utf-8",
    )


def write_screens() -> None:
    """XOR in the lab, at the end of its run, with the proof."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "novikoff.lab", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab, sync_playwright() as driver:
        try:
            address = re.search(r"http://\S+/", lab.stdout.readline())[0]
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": 1200, "height": 860}, color_scheme=scheme)
                page.set_default_timeout(180_000)
                page.goto(address + XOR)
                page.wait_for_selector("body[data-ready]")
                page.wait_for_timeout(10_000)  # the fewest errors are looked for after the run
                page.screenshot(path=IMAGES / f"lab-{scheme}.png")
            browser.close()
        finally:
            lab.terminate()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    write_recording()
    if CHROMIUM:
        write_screens()


if __name__ == "__main__":
    main()
