"""A hook of mkdocs: formulas between dollars become MathML when the site is built, without scripts or a network."""

import html
import re
from itertools import cycle

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""What pymdownx.arithmatex makes of them in its generic form."""
ARG = ((r"\\arg\s*\\(min|max)(?![a-zA-Z])", r"\\arg\1"), (r"\\arg(?![a-zA-Z])", r"\\operatorname{arg}"))
r"""latex2mathml has \argmin, and no \arg."""
BRACKETS = ((r"[(\[]|&#x00028;", "prefix"), (r"[)\]]|&#x00029;", "postfix"))


def mathml(page):
    """A page of HTML with its formulas as MathML."""
    return FORMULA.sub(lambda match: converted(match[3], match[2] == "["), page)


def converted(latex, display):
    """One formula; one on lines of its own is scrolled where it is wider than the page."""
    latex = html.unescape(latex).strip()
    for pattern, words in ARG:
        latex = re.sub(pattern, words, latex)
    formula = with_sides(convert(latex, display="block" if display else "inline"))
    unknown = re.search(r"<m.>(\\[a-zA-Z]+)", formula)
    if unknown:
        raise ValueError(f"latex2mathml does not know {unknown[1]}, which is in the formula {latex}")
    return f'<div style="overflow-x:auto">{formula}</div>' if display else formula


def with_sides(formula):
    """With bars and large brackets that know their side: others are spaced and sized as between two terms."""
    sides = cycle(("prefix", "postfix"))
    formula = re.sub(
        "<mo>(&#x02016;)</mo>", lambda bar: f'<mo form="{next(sides)}" stretchy="false">{bar[1]}</mo>', formula
    )
    for brackets, side in BRACKETS:
        formula = re.sub(rf"(?=minsize[^>]*>({brackets})<)", f'form="{side}" ', formula)
    return formula


def on_page_content(content, **_):
    """Called by mkdocs for every page."""
    return mathml(content)
