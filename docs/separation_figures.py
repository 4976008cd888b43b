"""Draws the figures of separation.md from the data and the model of that page; ``make docs`` calls it."""

import doctest
from pathlib import Path

from novikoff import plot
from novikoff.course.drawings import Drawing, svg

HERE = Path(__file__).parent


def page_data():
    """The names that the examples of the page define."""
    names = {}
    for example in doctest.DocTestParser().get_examples((HERE / "separation.md").read_text(encoding="utf-8")):
        if example.source.startswith(("import", "trial =", "doses =")):
            exec(example.source, names)
    return names["trial"], names["doses"]


def profiles(trial):
    """A profile that never turns beside one that does."""

    def draw(ax, lang):
        ax.set_axis_off()
        for place, name in ((0.0, "ward[T.c]"), (0.56, "age")):
            plot.likelihood_profile(
                trial[["ward", "age"]], trial["died"], name, ax.inset_axes([place, 0, 0.44, 1]), lang
            )

    return draw


def main():
    trial, doses = page_data()
    pictures = {
        "separation-profile": profiles(trial),
        "separation-rows": lambda ax, lang: plot.responsible_rows(doses[["dose", "age"]], doses["effect"], ax, lang),
    }
    (HERE / "figures").mkdir(exist_ok=True)
    for name, draw in pictures.items():
        for lang in ("en", "zh"):
            drawing = Drawing(lambda figure, measured, words, draw=draw, lang=lang: draw(figure.add_subplot(), lang))
            (HERE / "figures" / f"{name}-{lang}.svg").write_bytes(svg(drawing, {}, lang))


if __name__ == "__main__":
    main()
