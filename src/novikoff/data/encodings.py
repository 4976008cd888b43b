"""The encoding of a text, by evidence: a mark, valid UTF-8, Han characters where GB18030 has them, Russian words, or
letters with accents among plain ones; an error that shows the readings where none of it is clear.

The standard library only, as in open_files.py.
"""

import codecs
import re
from unicodedata import category

from ..errors import InputError, shown, tell

BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
KNOWN = {
    "gb18030": ("GB18030", "Chinese"),
    "cp1252": ("cp1252", "Western Europe"),
    "koi8-r": ("KOI8-R", "Cyrillic"),
    "cp1251": ("cp1251", "Cyrillic"),
    "big5": ("Big5", "Chinese"),
    "cp949": ("EUC-KR", "Korean"),
    "cp932": ("Shift_JIS", "Japanese"),
    "euc_jp": ("EUC-JP", "Japanese"),
}
"""The encodings that are told apart, what they are called, and whose they are."""
WIDE = ("utf-16-le", "utf-16-be")
FIRST_BYTES = 2**16
"""Bytes, an even number of them, by which UTF-16 without a mark is known."""
NO_LETTERS = ("Cc", "Cn", "Co")
"""Control characters, and those that no one uses: a text has none."""
DOUBTS = ("big5", "cp949", "cp932", "euc_jp")
"""Those that are never taken unasked, and in which a text that may be one of them is shown."""
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
HANGUL = re.compile("[\uac00-\ud7a3]")
FREQUENT_HAN = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
    "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    "世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太"
    "量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
    "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔男医是否省县城户级班姓号址"
    "江河湖州川黑龙津辽宁吉林苏浙徽福广庆贵云藏陕甘青夏疆蒙古港澳台京红绿蓝黄良优差阳阴"
)
"""Han characters that make up most of any Chinese text, tables among them."""
LAST_LETTERS = 0xD0
"""The first byte, in GB18030, of common characters read with x, y or z: a third of a Chinese text has it or a higher
one, but the common kanji of EUC-JP and the Korean letters of EUC-KR have none."""
CHINESE_SHARE = 0.45
"""The part of the different Han characters of a Chinese text that is frequent or of the last letters: three in four,
but of one in another encoding, where it is chance, one in eight."""
UNUSUAL_SHARE = 0.1
"""The part of the characters of a Japanese, Korean or Taiwanese text that may be none of its common ones."""
LONGEST_RUN = 2
"""Letters with accents that stand side by side in a Western word."""


def encoding_of(head: bytes, whole: bool, name: str) -> str:
    """The encoding of a text that begins with these bytes, or is all of them; an error where it cannot be told."""
    for mark, encoding in BOMS.items():
        if head.startswith(mark):
            return encoding
    if (wide := wide_encoding(head)) is not None:
        tell(f"{name} is read as {wide.upper()}, as every other byte tells: say another --encoding if that is wrong.")
        return wide
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


def wide_encoding(head: bytes) -> str | None:
    """UTF-16, in the order of bytes in which a text without a mark has lines and no control characters; else None.

    >>> wide_encoding("a,b\\n1,2\\n".encode("utf-16-le")), wide_encoding(b"a,b\\n1,2\\n"), wide_encoding(bytes(20))
    ('utf-16-le', None, None)
    """
    for encoding in WIDE if b"\0" in head[:FIRST_BYTES] else ():
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(head[:FIRST_BYTES])
        except UnicodeDecodeError:
            continue
        if "\n" in text and not any(category(letter) in NO_LETTERS for letter in text if letter not in "\t\r\n"):
            return encoding
    return None


def speaks_for(encoding: str, readings: dict[str, str | None]) -> bool:
    """Whether what a text is in an encoding is clearly what such texts are."""
    text, chinese = readings[encoding], readings["gb18030"]
    if text is None or encoding in DOUBTS:
        return False
    if encoding in ("koi8-r", "cp1251"):
        return is_russian(text)
    together, in_words = (0, 1) if chinese is None else han_evidence(chinese)
    if encoding == "gb18030":
        return (
            together > CLEAR * in_words and not is_japanese(text) and (uses_chinese(text) or not neighbours(readings))
        )
    alone, in_runs = accent_evidence(text)
    return in_words > CLEAR * together and alone >= CLEAR * in_runs


def possible(readings: dict[str, str | None]) -> list[str]:
    """The encodings that a text may have; those of Cyrillic, in which all bytes mean something, if it has its words."""
    return [encoding for encoding, text in readings.items() if text is not None and may_be(encoding, text)]


def may_be(encoding: str, text: str) -> bool:
    """Whether a text may be what it is in an encoding."""
    if encoding in DOUBTS:
        return is_east_asian(encoding, text)
    return True if encoding in ("gb18030", "cp1252") else is_cyrillic(words_of(text)) and not many_signs(text)


def neighbours(readings: dict[str, str | None]) -> bool:
    """Whether a text may be one of EUC-JP or EUC-KR, whose bytes are those of common characters in GB18030."""
    texts = {encoding: readings[encoding] for encoding in ("cp949", "euc_jp")}
    return any(text is not None and is_east_asian(encoding, text) for encoding, text in texts.items())


def is_east_asian(encoding: str, text: str) -> bool:
    """Whether a text has the letters of an encoding's language, and hardly any other that is not plain ASCII.

    >>> is_east_asian("euc_jp", "東京"), is_east_asian("cp949", "서울"), is_east_asian("cp949", "東京")
    (True, True, False)
    """
    letters = [letter for letter in not_ascii(text) if not letter.isascii()]
    if encoding == "cp949":
        return len(letters) - len(HANGUL.findall("".join(letters))) <= UNUSUAL_SHARE * len(letters)
    expected = sum(is_chinese(letter) or bool(KANA.match(letter)) for letter in letters)
    unusual = sum(is_unusual(encoding, letter) for letter in set(letters))
    return expected == len(letters) and unusual <= UNUSUAL_SHARE * len(set(letters))


def is_unusual(encoding: str, letter: str) -> bool:
    """Whether a Han character is none of the common ones, which come first in the standards of Taiwan and Japan."""
    code = letter.encode(encoding)
    last = {"big5": b"\xc6\x7e", "cp932": b"\x98\x72", "euc_jp": b"\xcf\xd3"}[encoding]
    return is_chinese(letter) and code > last


def uses_chinese(text: str) -> bool:
    """Whether the Han characters of a text are those that Chinese texts have.

    >>> uses_chinese("城市,北京,上海"), uses_chinese("東京,大阪".encode("euc_jp").decode("gb18030"))
    (True, False)
    """
    seen = {letter for letter in not_ascii(text) if "\u4e00" <= letter <= "\u9fff"}
    usual = sum(letter in FREQUENT_HAN or letter.encode("gb18030")[0] >= LAST_LETTERS for letter in seen)
    return usual > CHINESE_SHARE * len(seen)


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
    if len(letters) < FEWEST_LETTERS or not is_cyrillic(words) or many_signs(text):
        return False
    return sum(letter in FREQUENT for letter in letters) >= FREQUENT_SHARE * len(letters)


def many_signs(text: str) -> bool:
    """Whether signs that texts seldom have are many among the letters, as the bytes of kana are in KOI8-R."""
    return CLEAR * strange_signs(text) > sum(map(len, words_of(text)))


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
