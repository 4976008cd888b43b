"""A hook of mkdocs: formulas between dollars become MathML when the site is built, without scripts or a network."""

import html
import re

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""What pymdownx.arithmatex makes of them in its generic form."""


def mathml(page):
    """A page of HTML with its formulas as MathML."""
    return FORMULA.sub(lambda match: converted(match[3], match[2] == "["), page)


def converted(latex, display):
    """One formula; one on lines of its own is scrolled where it is wider than the page."""
    formula = convert(html.unescape(latex).strip(), display="block" if display else "inline")
    return f'<div style="overflow-x:auto">{formula}</div>' if display else formula


def on_page_content(content, **_):
    """Called by mkdocs for every page."""
    return mathml(content)
