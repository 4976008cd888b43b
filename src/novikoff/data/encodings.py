"""The encoding of a text, by evidence: a mark, valid UTF-8, Han characters where GB18030 has them, Russian words, or
letters with accents among plain ones; an error that shows the readings where none of it is clear.

The standard library only, as in open_files.py.
"""

import re

from ..errors import InputError, shown, tell

BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
KNOWN = {
    "gb18030": ("GB18030", "Chinese"),
    "cp1252": ("cp1252", "Western Europe"),
    "koi8-r": ("KOI8-R", "Cyrillic"),
    "cp1251": ("cp1251", "Cyrillic"),
    "euc_jp": ("EUC-JP", "Japanese"),
}
"""The encodings that are told apart, what they are called, and whose they are; EUC-JP only as a doubt."""
CLEAR = 3
"""How many times more characters must speak for an encoding than against it."""
MOST_LINES = 1000
"""Lines that are weighed."""
SIGNS = frozenset("°±×÷·€£¥§“”‘’…—–")
"""Signs of both Chinese and Western texts, which tell nothing."""
WORD = re.compile(r"[^\W\d_]+")
RUSSIAN_WORD = re.compile("[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+")
FREQUENT = frozenset("оеаинтсрв")
"""The commonest letters of Russian, three in five of all; of words of other alphabets they are far fewer."""
FREQUENT_SHARE = 0.45
FEWEST_LETTERS = 8
"""Letters below which their shares tell nothing."""
KANA = re.compile("[\u3041-\u30fe]")
"""Hiragana and katakana, whose bytes in EUC-JP are those of GB18030."""
KANA_SHARE = 0.05
"""The part of a text from which kana make it rather Japanese."""
LONGEST_RUN = 2
"""Letters with accents that stand side by side in a Western word."""


def encoding_of(head: bytes, whole: bool, name: str) -> str:
    """The encoding of a text that begins with these bytes, or is all of them; an error where it cannot be told."""
    for mark, encoding in BOMS.items():
        if head.startswith(mark):
            return encoding
    if decoded(head, "utf-8", whole) is not None:
        return "utf-8"
    readings = {encoding: decoded(head, encoding, whole) for encoding in KNOWN}
    clear = [encoding for encoding in KNOWN if speaks_for(encoding, readings)]
    if len(clear) == 2 and clear[0] == "gb18030":
        clear = clear[1:]  # of four Han characters one in a thousand times are the bytes those of Russian words, too
    if len(clear) != 1:
        raise InputError(question_message(head, clear or possible(readings), name))
    called, whose = KNOWN[clear[0]]
    tell(f"{name} is read as {called} ({whose}), as it is not UTF-8: say another --encoding if that is wrong.")
    return clear[0]


def speaks_for(encoding: str, readings: dict[str, str | None]) -> bool:
    """Whether what a text is in an encoding is clearly what such texts are."""
    text, chinese = readings[encoding], readings["gb18030"]
    if text is None or encoding == "euc_jp":
        return False
    if encoding in ("koi8-r", "cp1251"):
        return is_russian(text)
    together, in_words = (0, 1) if chinese is None else han_evidence(chinese)
    if encoding == "gb18030":
        return together > CLEAR * in_words and not is_japanese(text)
    alone, in_runs = accent_evidence(text)
    return in_words > CLEAR * together and alone >= CLEAR * in_runs


def possible(readings: dict[str, str | None]) -> list[str]:
    """The encodings that a text may have; those of Cyrillic, in which all bytes mean something, if it has its words."""
    return [encoding for encoding, text in readings.items() if text is not None and may_be(encoding, text)]


def may_be(encoding: str, text: str) -> bool:
    """Whether a text may be what it is in an encoding."""
    if encoding in ("gb18030", "cp1252"):
        return True
    return is_japanese(text) if encoding == "euc_jp" else is_cyrillic(words_of(text))


def question_message(head: bytes, encodings: list[str], name: str) -> str:
    """The error message of a text that may be several things, with a piece of it in each encoding."""
    if not encodings:
        return f"{name} is neither UTF-8 nor GB18030 nor cp1252: say what it is with --encoding."
    line = next(line for line in head.splitlines() if not line.isascii())
    place = next(k for k, byte in enumerate(line) if byte > 127)
    piece = line[max(0, place - 8) : place + 16]
    readings = [f"{KNOWN[each][0]} ({shown(piece.decode(each, 'replace'))})" for each in encodings]
    listed = " or ".join([", ".join(readings[:-1]), readings[-1]] if len(readings) > 1 else readings)
    return f"{name} is not UTF-8, and may be {listed}: say --encoding {encodings[-1]}, or what else it is."


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
    lines = not_ascii(text)
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


def not_ascii(text: str) -> str:
    """The first lines of a text that are not plain ASCII."""
    return "\n".join([line for line in text.splitlines() if not line.isascii()][:MOST_LINES])


def words_of(text: str) -> list[str]:
    """The words of a text that are not plain ASCII."""
    return [word for word in WORD.findall(not_ascii(text)) if not word.isascii()]


def is_cyrillic(words: list[str]) -> bool:
    """Whether words are written as Russian ones are."""
    return bool(words) and all(map(RUSSIAN_WORD.fullmatch, words))


def is_russian(text: str) -> bool:
    """Whether all words that are not plain ASCII are Russian ones: of Cyrillic letters, the commonest often.

    Signs that texts seldom have must be few: among such are the bytes of kana.

    >>> is_russian("возраст,город"), is_russian("БНГПЮЯР,ЦНПНД"), is_russian("Köln"), is_russian(4 * "╓о╓а")
    (True, False, False, False)
    """
    words = words_of(text)
    letters = "".join(words).lower()
    if len(letters) < FEWEST_LETTERS or not is_cyrillic(words) or CLEAR * strange_signs(text) > len(letters):
        return False
    return sum(letter in FREQUENT for letter in letters) >= FREQUENT_SHARE * len(letters)


def is_japanese(text: str) -> bool:
    """Whether a text has kana as Japanese has them, not here and there in a Chinese one.

    >>> is_japanese("名前,年齢\\nさくら,3"), is_japanese("约会,男")
    (True, False)
    """
    lines = not_ascii(text)
    return len(KANA.findall(lines)) > KANA_SHARE * sum(not letter.isascii() for letter in lines)


def accent_evidence(text: str) -> tuple[int, int]:
    """How many letters that are not plain ASCII stand as Western words have them; and how many in longer runs, as those
    of another alphabet, or are signs that texts seldom have.

    >>> accent_evidence("größe,Köln"), accent_evidence("БНГПЮЯР"), accent_evidence("®¬")
    ((3, 0), (0, 7), (0, 2))
    """
    lines = not_ascii(text)
    runs = [len(run) for word in WORD.findall(lines) for run in re.findall(r"[^\x00-\x7f]+", word)]
    return sum(n for n in runs if n <= LONGEST_RUN), strange_signs(text) + sum(n for n in runs if n > LONGEST_RUN)


def strange_signs(text: str) -> int:
    """How many signs there are that texts seldom have."""
    return sum(not (each.isascii() or each.isalpha() or each in SIGNS) for each in not_ascii(text))
