"""Makes slides of the chapter, with reveal.js: ``make slides`` writes build/slides/en.html and zh.html.

A section of the chapter is a column of slides, a part of it a slide.  reveal.js comes from npm, into build/slides,
once; after that nothing is fetched, and the slides need no network.  Formulas are MathML.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "slides"
REVEAL = OUT / "node_modules" / "reveal.js" / "dist"
VERSION = "5.2.1"
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="node_modules/reveal.js/dist/reset.css">
<link rel="stylesheet" href="node_modules/reveal.js/dist/reveal.css">
<link rel="stylesheet" href="node_modules/reveal.js/dist/theme/solarized.css">
<style>.reveal{{font-size:26px}}.reveal section img{{max-height:560px;background:white}}
.reveal section{{text-align:left}}.reveal section section{{max-height:740px;overflow-y:auto}}
.reveal pre{{font-size:.5em}}.reveal details{{font-size:.8em}}
.reveal blockquote{{width:95%;font-size:.8em}}</style></head>
<body><div class="reveal"><div class="slides">{slides}</div></div>
<script src="node_modules/reveal.js/dist/reveal.js"></script>
<script>
Reveal.initialize({{hash: true, slideNumber: "c/t", width: 1200, height: 760, scrollActivationWidth: 0}});
</script>
</body></html>
"""


def slides(text):
    """The chapter's Markdown as sections within sections of HTML."""
    first, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    columns = [f"<section>{rendered(first)}</section>"]
    for section in sections:
        head, *parts = re.split(r"^### ", section, flags=re.MULTILINE)
        inner = "".join(f"<section>{rendered(part)}</section>" for part in cut("### " + part for part in parts))
        columns.append(f"<section><section>{rendered('## ' + head)}</section>{inner}</section>")
    return "".join(columns)


def cut(parts):
    """Parts of a section as slides: figures and results on slides of their own, code left to the chapter."""
    for part in parts:
        text = re.sub(r'<details markdown="1">\n<summary>[^<]*: C\d.*?</details>', "", part, flags=re.DOTALL)
        for piece in re.split(r"\n\n(?=!\[|> \*\*C\d)", text):
            if piece.strip():
                yield piece


def rendered(text):
    """Markdown as HTML, with formulas."""
    sys.path.insert(0, str(ROOT / "docs"))
    from mathml import mathml

    extensions = ["tables", "fenced_code", "md_in_html", "pymdownx.arithmatex"]
    html = markdown.markdown(text, extensions=extensions, extension_configs={"pymdownx.arithmatex": {"generic": True}})
    return mathml(html)


def install():
    """reveal.js, from npm, unless it is there; whether it is."""
    if REVEAL.is_dir():
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(OUT), f"reveal.js@{VERSION}"]
    return subprocess.run(command, check=False).returncode == 0 and REVEAL.is_dir()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    if not install():
        print("No slides were made: they need reveal.js, which npm brings; install npm, and let it reach its registry.")
        return
    shutil.copytree(ROOT / "docs" / "course-figures", OUT / "course-figures", dirs_exist_ok=True)
    for lang, name in (("en", "course.md"), ("zh", "course.zh.md")):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        title = text.splitlines()[0].removeprefix("# ")
        page = PAGE.format(lang="zh-CN" if lang == "zh" else "en", title=title, slides=slides(text))
        (OUT / f"{lang}.html").write_text(page, encoding="utf-8")
        print(f"Wrote {OUT / f'{lang}.html'}.")


if __name__ == "__main__":
    main()
