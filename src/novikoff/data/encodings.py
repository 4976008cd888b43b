"""The encoding of a text, by evidence: a mark, valid UTF-8, Han characters where GB18030 would have them, else cp1252.

The standard library only, as in open_files.py.
"""

from ..errors import InputError, tell

BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
CLEAR = 3
"""How many times more characters must speak for an encoding than against it."""
MOST_LINES = 1000
"""Lines that are weighed."""
SIGNS = frozenset("°±×÷·€£¥§“”‘’…—–")
"""Signs of both Chinese and Western texts, which tell nothing."""


def encoding_of(head: bytes, whole: bool, name: str) -> str:
    """The encoding of a text that begins with these bytes, or is all of them; an error where it cannot be told."""
    for mark, encoding in BOMS.items():
        if head.startswith(mark):
            return encoding
    if decoded(head, "utf-8", whole) is not None:
        return "utf-8"
    chinese = decoded(head, "gb18030", whole)
    western = decoded(head, "cp1252", whole)
    together, in_words = (0, 0) if chinese is None else han_evidence(chinese)
    if chinese is not None and (western is None or together > CLEAR * in_words):
        tell(f"{name} is read as GB18030 (Chinese), as it is not UTF-8: say another --encoding if that is wrong.")
        return "gb18030"
    if western is not None and (chinese is None or in_words > CLEAR * together):
        tell(f"{name} is read as cp1252 (Western Europe), as it is not UTF-8: say another --encoding if that is wrong.")
        return "cp1252"
    if chinese is None or western is None:
        raise InputError(f"{name} is neither UTF-8 nor GB18030 nor cp1252: say what it is with --encoding.")
    words = first_words(head, whole)
    raise InputError(
        f"{name} is not UTF-8, and may be GB18030 ({words[0]!r}) or cp1252 ({words[1]!r}): say --encoding gb18030, "
        "--encoding cp1252 or what else it is."
    )


def decoded(head: bytes, encoding: str, whole: bool) -> str | None:
    """The text that bytes are in an encoding, but for a last character that may be cut; None if they are not in it."""
    try:
        return head.decode(encoding)
    except UnicodeDecodeError as error:
        if whole or error.start < len(head) - 4:
            return None
        return head[: error.start].decode(encoding)


def han_evidence(text: str) -> tuple[int, int]:
    """How many characters are Han as Chinese has them, together or alone in a cell; and how many speak against it: Han
    alone in a word of Latin letters, as of an accent, and no Han at all; rare Han, as of Cyrillic, speak for neither.

    >>> han_evidence("约会,男"), han_evidence("gr鲞e,K鰈n")
    ((3, 0), (0, 2))
    """
    together = in_words = 0
    lines = "\n".join([line for line in text.splitlines() if not line.isascii()][:MOST_LINES])
    for before, letter, after in zip(" " + lines, lines, lines[1:] + " ", strict=False):
        if letter.isascii() or letter in SIGNS:
            continue
        chinese = is_chinese(letter)
        alone = not is_chinese(before) and not is_chinese(after)
        ascii_byte = letter.encode("gb18030")[1] < 128  # as of an accented letter with a plain one after it
        against = not chinese or (alone and (before.isalpha() or after.isalpha() or ascii_byte))
        in_words += against or is_rare(letter)
        together += not against
    return together, in_words


def is_chinese(letter: str) -> bool:
    """Whether a character is one of Chinese text: Han, its punctuation, or a letter of full width."""
    return "\u4e00" <= letter <= "\u9fff" or "\u3000" <= letter <= "\u303f" or "\uff00" <= letter <= "\uffef"


def is_rare(letter: str) -> bool:
    """Whether a character is none of the 3755 common ones, which come first in the Chinese standard of 1980."""
    code = letter.encode("gb18030")
    return "\u4e00" <= letter <= "\u9fff" and not (0xB0 <= code[0] <= 0xD7 and code[1] >= 0xA1)


def first_words(head: bytes, whole: bool) -> tuple[str, str]:
    """The first line that is not plain ASCII, in both encodings, shortened."""
    line = next(line for line in head.splitlines() if not line.isascii())
    place = next(k for k, byte in enumerate(line) if byte > 127)
    piece = line[max(0, place - 8) : place + 16]
    return piece.decode("gb18030", "replace"), piece.decode("cp1252", "replace")
