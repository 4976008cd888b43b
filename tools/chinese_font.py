"""Makes the font of Chinese figures: the characters of GB 2312's first level, which are those in daily use, out of
Noto Sans SC.

``python tools/chinese_font.py NotoSansSC-Regular.ttf``, a static TrueType file (the package zhplot has one), writes
src/novikoff/fonts/NovikoffSansSC.ttf.  The SIL Open Font License asks for its text beside it: fonts/OFL.txt.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILY = "Novikoff Sans SC"
OUT = Path(__file__).resolve().parent.parent / "src" / "novikoff" / "fonts" / "NovikoffSansSC.ttf"
PUNCTUATION = "，。：；、！？（）“”《》"
"""Signs of formulas are in DejaVu Sans, which is beside it in every figure."""


def characters() -> str:
    """ASCII, the 3755 characters of the first level, and those that are not among them but in our own texts."""
    own = "".join(
        {
            c
            for folder in ("course", "plot")
            for path in (OUT.parent.parent / folder).glob("*.py")
            for c in path.read_text("utf-8")
            if "一" <= c <= "鿿"
        }
    )
    first_level = bytes(b for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF) for b in (high, low))
    return "".join(map(chr, range(32, 127))) + first_level.decode("gb2312", errors="ignore") + PUNCTUATION + own


def main(source: str) -> None:
    options = subset.Options(
        layout_features=[], hinting=False, name_IDs=[0, 1, 2, 3, 4, 6, 13, 14], notdef_outline=True
    )
    font = TTFont(source)
    chosen = subset.Subsetter(options)
    chosen.populate(text=characters())
    chosen.subset(font)
    for record in font["name"].names:  # a name of its own, so that it is never taken for the whole font
        if record.nameID in (1, 3, 4):
            record.string = FAMILY
        elif record.nameID == 6:
            record.string = FAMILY.replace(" ", "")
    OUT.parent.mkdir(exist_ok=True)
    font.save(OUT)
    print(f"{OUT}: {len(font.getBestCmap())} characters, {OUT.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main(sys.argv[1])
