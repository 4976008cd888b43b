"""Writes the chapter of the course, course.md and course.zh.md, and draws its figures; ``make docs`` calls it.

The sources are chapter/source.md and chapter/source.zh.md.  A line <!-- found: C04 --> becomes what the run of that
claim found, <!-- code: C04 C05 --> the code that was run, <!-- figure: NAME | text --> a figure,
<!-- lab: ADDRESS | text --> a link into the lab and <!-- exercise: 3 --> an exercise.
"""

import re
from pathlib import Path

from novikoff.course import run_course
from novikoff.course.drawings import DRAWINGS, svg
from novikoff.course.exercise_texts import EXERCISES
from novikoff.course.places import lab_address
from novikoff.course.run_claims import in_language

HERE = Path(__file__).parent
NAMES = {"en": "course.md", "zh": "course.zh.md"}
SOURCES = {"en": "source.md", "zh": "source.zh.md"}
DIRECTIVE = re.compile(r"^<!-- (found|code|figure|lab|exercise): (.*?)(?: \| (.*))? -->$", re.MULTILINE)
WORDS = {
    "en": {
        "holds": "holds",
        "fails": "does NOT hold",
        "verdict": " ({})",
        "ran": "*What was run*",
        "found": "*What was found*",
        "stop": ". ",
        "colon": ": ",
        "end": ".",
        "code": "The code that was run",
        "lab": "In the lab",
        "exercise": "Exercise",
        "hint": "Hints",
        "solution": "A solution",
    },
    "zh": {
        "holds": "成立",
        "fails": "不成立",
        "verdict": "（{}）",
        "ran": "**实验设置**",
        "found": "**实验结果**",
        "stop": "：",
        "colon": "：",
        "end": "。",
        "code": "所运行的代码",
        "lab": "在实验室中打开",
        "exercise": "习题",
        "hint": "提示",
        "solution": "参考答案",
    },
}


def chapter(rows, lang):
    """The chapter in a language, with the results of the claims that were run, by number."""
    source = (HERE / "chapter" / SOURCES[lang]).read_text(encoding="utf-8")
    words = WORDS[lang]

    def fill(match):
        kind, what, text = match.groups()
        return globals()[f"{kind}_text"](what, text, rows, words, lang)

    return DIRECTIVE.sub(fill, source)


def found_text(claim, _, rows, words, lang):
    """What a run found."""
    row = in_language(rows[claim], lang)
    verdict = words["holds" if row.holds else "fails"]
    lines = [
        f"**{claim} {row.text.title}**{words['verdict'].format(verdict)}",
        f"{words['ran']}{words['stop']}{sentence(row.text.ran, words)}",
    ]
    lines.append(f"{words['found']}{words['stop']}{sentence(row.found, words)}")
    if row.text.beyond:
        lines.append(escaped(row.text.beyond))
    return "\n>\n".join(f"> {line}" for line in lines)


def sentence(text, words):
    """A text of formulas in plain letters as a sentence of Markdown; a symbol stays small at the beginning."""
    first = text.split()[0]
    whole = text[0].upper() + text[1:] if len(first) > 1 and first[0].isalpha() and first.isascii() else text
    return escaped(whole) + words["end"]


def escaped(text):
    """Without signs that Markdown or HTML reads."""
    return re.sub(r"([*_\[\]])", r"\\\1", text).replace("<", "&lt;").replace(">", "&gt;")


def code_text(claims, _, rows, words, lang):
    """The code that was run, folded."""
    blocks = "\n\n".join(f"```python\n{rows[claim].code}\n```" for claim in claims.split())
    return (
        f'<details markdown="1">\n<summary>{words["code"]}{words["colon"]}{claims}</summary>\n\n{blocks}\n\n</details>'
    )


def figure_text(name, text, rows, words, lang):
    """A figure."""
    return f"![{text}](course-figures/{name}-{lang}.svg)"


def lab_text(address, text, rows, words, lang):
    """A link into the lab that runs on this machine, to a lesson or an experiment."""
    return f"{words['lab']}{words['colon']}[{text}]({lab_address(lang, address)})"


def exercise_text(number, _, rows, words, lang):
    """An exercise, its hints and a solution, folded."""
    one = EXERCISES[int(number)]
    hints = "\n".join(f"{k}. {escaped(hint)}" for k, hint in enumerate(one.hints[lang], start=1))
    return (
        f"**{words['exercise']} {number}{words['colon']}{one.title[lang]}**\n\n{escaped(one.question[lang])}\n\n"
        f'<details markdown="1">\n<summary>{words["hint"]}</summary>\n\n{hints}\n\n</details>\n\n'
        f'<details markdown="1">\n<summary>{words["solution"]}</summary>\n\n```python\n{one.solution}\n```'
        "\n\n</details>"
    )


def figures_of(lang):
    """The figures that the chapter names."""
    source = (HERE / "chapter" / SOURCES[lang]).read_text(encoding="utf-8")
    return [match[2] for match in DIRECTIVE.finditer(source) if match[1] == "figure"]


def main():
    rows = {row.claim: row for row in run_course()}
    (HERE / "course-figures").mkdir(exist_ok=True)
    for lang, name in NAMES.items():
        (HERE / name).write_text(chapter(rows, lang), encoding="utf-8")
        for figure in figures_of(lang):
            claim = figure.partition("-")[0]
            measured = rows[claim].figures if claim in rows else {}
            (HERE / "course-figures" / f"{figure}-{lang}.svg").write_bytes(svg(DRAWINGS[figure], measured, lang))


if __name__ == "__main__":
    main()
