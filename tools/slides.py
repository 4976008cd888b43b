"""Makes slides of the chapter, with reveal.js: ``make slides`` writes build/slides/en.html and zh.html.

A section of the chapter is a column of slides; its parts are cut where a slide is full.  Formulas are MathML.
reveal.js and a font for formulas come from npm, into build/slides, once; the slides need no network.

``python tools/slides.py --check`` turns over every slide in Chromium, and names those that are cut and what is fetched.
"""

import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "slides"
REVEAL = OUT / "node_modules" / "reveal.js" / "dist"
FONT = OUT / "node_modules" / "@fontsource" / "stix-two-math"
PACKAGES = "reveal.js@5.2.1", "@fontsource/stix-two-math@5.3.0"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="node_modules/reveal.js/dist/reset.css">
<link rel="stylesheet" href="node_modules/reveal.js/dist/reveal.css">
<link rel="stylesheet" href="node_modules/reveal.js/dist/theme/white.css">
<link rel="stylesheet" href="node_modules/@fontsource/stix-two-math/latin.css">
<style>:root{{--r-main-font-size:26px;--r-heading1-size:2em;--r-heading2-size:1.6em;--r-heading3-size:1.25em;
--r-heading-text-transform:none;--r-block-margin:14px;
--r-main-font:"Source Sans Pro","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;
--r-heading-font:var(--r-main-font)}}
.reveal .slides section{{text-align:left}}
.reveal .slides>section:not(.stack),.reveal .slides section section{{max-height:760px;overflow-y:auto}}
.reveal figure{{margin:14px 0;text-align:center;font-size:.8em}}
.reveal figure img{{height:500px;max-width:100%;object-fit:contain;margin:0}}.reveal code{{font-size:.85em}}
.reveal blockquote{{width:95%;font-size:.8em;font-style:normal;padding:5px 1em}}
.reveal blockquote p:first-child,.reveal blockquote p:last-child{{display:block}}
.reveal ol{{margin:14px 1em}}.reveal details{{font-size:.8em}}.reveal pre{{font-size:.7em}}
math{{font-family:"STIX Two Math",math;font-size:1.05em}}
:lang(zh) em{{font-style:normal;font-weight:bold}}
.fitting .slides section{{display:block!important;position:static!important;width:1200px}}</style></head>
<body class="fitting"><div class="reveal"><div class="slides">{slides}</div></div>
<script src="node_modules/reveal.js/dist/reveal.js"></script>
<script>
function fit(slide) {{
  for (const line of slide.querySelectorAll("div:has(>math)"))
    if (line.scrollWidth > line.clientWidth) line.style.fontSize = 0.99 * line.clientWidth / line.scrollWidth + "em";
  const over = () => slide.scrollHeight - 760;
  for (const image of slide.querySelectorAll("img"))
    if (over() > 0) image.style.height = image.clientHeight - over() + "px";
  for (let size = 25; over() > 0 && size >= 20; size--) slide.style.fontSize = size + "px";
}}
addEventListener("load", () => document.fonts.ready.then(() => {{
  document.querySelectorAll(".slides section:not(:has(section))").forEach(fit);
  document.body.className = "";
  const size = {{width: 1200, height: 760, center: false, scrollActivationWidth: 0}};
  Reveal.initialize({{...size, hash: true, slideNumber: "c/t"}});
}}));
</script>
</body></html>
"""
FULL = 19
"""Lines that a slide holds."""
WIDE = 100
"""Letters in a line."""
BLOCK = re.compile(r"<details.*?</details>|\S(?:(?!\n\n).)*", re.DOTALL)
CUT = """() => {
  const slide = Reveal.getCurrentSlide()
  const parts = [...slide.querySelectorAll("p, div, figure, li, blockquote")]
  const wide = parts.some(part => part.scrollWidth > part.clientWidth + 1)
  const high = slide.scrollHeight > slide.clientHeight + 1 || slide.getBoundingClientRect().bottom > innerHeight + 1
  const small = slide.querySelector("img")?.clientHeight < 260
  return [wide && "too wide", high && "too high", small && "its picture is small", slide.innerText.slice(0, 40)]
}"""
"""What is wrong with the slide that is shown, and how it begins."""


def slides(text):
    """The chapter's Markdown as sections within sections of HTML."""
    sections = re.split(r"^(?=## )", without_code(unlinked(text)), flags=re.MULTILINE)
    return "".join(f"<section>{''.join(column(section))}</section>" for section in sections)


def unlinked(text):
    """Without links to other pages, which are not beside the slides."""
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!http)[^)]*\)", r"\1", text)


def without_code(text):
    """Without the code of the claims, which is left to the chapter."""
    return re.sub(r'<details markdown="1">\n<summary>[^<]*[:：] ?C\d.*?</details>', "", text, flags=re.DOTALL)


def column(section):
    """The slides of a section: its name, its question and the first picture on one, then every part on its own."""
    parts = re.split(r"^(?=### )", section, flags=re.MULTILINE)
    for part in ["".join(parts[:3]), *parts[3:]]:
        for text in cut(part):
            yield f"<section>{rendered(text)}</section>"


def cut(part):
    """A part as slides, none of them too full; those after the first have its name again."""
    name, page, lines = [], [], 0
    for piece in pieces(part):
        if page and lines + lines_of(piece) > FULL:
            yield "\n\n".join(page)
            page, lines = [f"{name[-1]} …"] if name and not piece.startswith("### ") else [], 2
        page.append(piece)
        lines += lines_of(piece)
        name += re.findall(r"^### .*", piece, flags=re.MULTILINE)
    yield "\n\n".join(page)


def pieces(part):
    """Blocks of Markdown, each with those that may not be cut off from it."""
    done = []
    for block in BLOCK.findall(part):
        if done and belongs(block, done[-1].rpartition("\n\n")[2]):
            done[-1] += "\n\n" + block
        else:
            done.append(block)
    return done


def belongs(block, last):
    """Whether a block stays with the last, as after a heading, a formula in its sentence, hints, a link to the lab."""
    heading = last.startswith("#") or re.fullmatch(r"\*\*.*\*\*", last)
    sentence = block.startswith("$$") and not re.search(r"[.。∎]\W*$", last)
    return heading or sentence or block.startswith("<details") or re.match(r".*\]\(http", block)


def lines_of(piece):
    """About how high a piece is, in lines of text."""
    return sum(map(lines_of_block, BLOCK.findall(piece)))


def lines_of_block(block):
    if block.startswith("!["):
        return 11
    if block.startswith("<details"):
        return 1.5
    if block.startswith("$$"):
        return 2 + 1.3 * max(environment.count(r"\\") for environment in block.split(r"\end"))
    letters = re.sub(r"\\[a-zA-Z]+|[{}$^_>]|\]\(.*?\)", "", block)
    wide = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in letters)
    paragraph = 0.5 + -(-wide // WIDE) + block.count("\n1. ")
    return 0.8 * paragraph + block.count(">\n>") if block.startswith(">") else paragraph


def rendered(text):
    """Markdown as HTML, with formulas, and with the words of a figure below it."""
    sys.path.insert(0, str(ROOT / "docs"))
    from mathml import mathml

    extensions = ["tables", "fenced_code", "md_in_html", "pymdownx.arithmatex"]
    html = markdown.markdown(text, extensions=extensions, extension_configs={"pymdownx.arithmatex": {"generic": True}})
    figure = r"<figure>\1<figcaption>\2</figcaption></figure>"
    return mathml(re.sub(r'<p>(<img alt="([^"]*)"[^>]*>)</p>', figure, html))


def install():
    """reveal.js and a font for formulas, from npm, unless they are there; whether they are."""
    if REVEAL.is_dir() and FONT.is_dir():
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(OUT), *PACKAGES]
    return subprocess.run(command, check=False).returncode == 0 and REVEAL.is_dir()


def check(path):
    """Turn over the slides of a page, and say which are cut, and what is fetched; whether nothing is."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        page = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        page.set_viewport_size({"width": 1280, "height": 800})
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        page.evaluate("Reveal.configure({transition: 'none'})")
        places = page.evaluate("Reveal.getSlides().map(slide => Reveal.getIndices(slide))")
        wrong = []
        for place in places:
            page.evaluate("place => Reveal.slide(place.h, place.v)", place)
            *faults, begins = page.evaluate(CUT)
            wrong += [f"#/{place['h']}/{place['v']} {begins!r}: {fault}" for fault in faults if fault]
    wrong += [f"fetches {url}" for url in asked if not url.startswith("file:")]
    print(f"{path.name}: {len(places)} slides", *wrong, sep="\n  ")
    return not wrong


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
    if "--check" in sys.argv:
        sys.exit(not all([check(OUT / "en.html"), check(OUT / "zh.html")]))


if __name__ == "__main__":
    main()
