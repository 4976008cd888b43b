"""Help in Chinese: the words of the library that writes it, and lines broken where Chinese may be."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import places
from ..language.translate import translated

WIDEST_NAME, GAP = 30, 2
"""Places for the names of options, beyond which their help begins on a line of its own; and what is left between."""
EXTRAS = re.compile(r"(?:^|  )\[([^\[\]]*)\]$")
"""What stands after the help of an option: whether it is required, its default, its range."""
PIECES = re.compile(r"[（“]*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；：、！？）”]*|\s+")
"""What a line is not broken within: a Chinese character, or a word, with the marks about it; and spaces."""


def speak_help(formatter: Any) -> None:
    """Let what writes help speak the language of its texts."""
    usage = formatter.write_usage
    formatter.write_usage = lambda prog, args="", _=None: usage(prog, translated(args), translated("Usage:"))
    formatter.write_heading = lambda text: formatter.write(f"{translated(f'{text}:')}\n")
    formatter.write_text = lambda text: write_paragraphs(formatter, text)
    formatter.write_dl = lambda rows, *_, **__: write_table(formatter, list(rows))


def write_paragraphs(formatter: Any, text: str) -> None:
    """Paragraphs, indented."""
    indent = " " * formatter.current_indent
    for k, paragraph in enumerate(text.split("\n\n")):
        lines = broken(paragraph, formatter.width - len(indent))
        formatter.write("\n" * bool(k) + "".join(f"{indent}{line}\n" for line in lines))


def write_table(formatter: Any, rows: Sequence[tuple[str, str]]) -> None:
    """Names, and what is said of each beside it."""
    indent = " " * formatter.current_indent
    column = min(max(places(name) for name, _ in rows), WIDEST_NAME) + GAP
    for name, text in rows:
        first, *others = broken(with_extras(text), formatter.width - len(indent) - column) or [""]
        apart = f"\n{indent}{' ' * column}" if places(name) > WIDEST_NAME else " " * (column - places(name))
        formatter.write(f"{indent}{name}{apart}{first}".rstrip() + "\n")
        formatter.write("".join(f"{indent}{' ' * column}{line}\n" for line in others))


def with_extras(text: str) -> str:
    """The help of an option, with what the library adds to it in the same language."""
    found = EXTRAS.search(text)
    if found is None:
        return text
    extras = [translated(f"[{part}]").strip("[]") for part in found[1].split("; ")]
    return f"{text[: found.start()]} [{'；'.join(extras)}]".strip()


def broken(text: str, width: int) -> list[str]:
    """A text in lines of at most so many places.

    >>> broken("感知机 perceptron，学习。", 12)
    ['感知机', 'perceptron，', '学习。']
    """
    lines, line = [], ""
    for piece in pieces_of(text):
        if line.strip() and places((line + piece).rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def pieces_of(text: str) -> Iterable[str]:
    """What a line may be broken between."""
    return PIECES.findall(" ".join(text.split()))
