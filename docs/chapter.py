"""Writes the chapter of the course, course.md and course.zh.md, and draws its figures; ``make docs`` calls it."""

from pathlib import Path

from novikoff.course import markdown, run_course
from novikoff.course.page import svg_picture

HERE = Path(__file__).parent


def main():
    rows = [row for row in run_course() if row.draw is not None]
    (HERE / "figures").mkdir(exist_ok=True)
    for lang, name in (("en", "course.md"), ("zh", "course.zh.md")):
        (HERE / name).write_text(markdown(lang, [row.claim for row in rows]), encoding="utf-8")
        for row in rows:
            (HERE / "figures" / f"{row.claim}-{lang}.svg").write_bytes(svg_picture(row.draw, lang))


if __name__ == "__main__":
    main()
