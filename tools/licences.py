"""The licences of all that novikoff needs, as their metadata tell them; ends with 1 if one is unknown or not allowed.

``python tools/licences.py`` looks at what is installed, without a network.
"""

import re
import sys
from importlib.metadata import distribution, metadata

from install_size import extras, needed

ALLOWED = r"\b(BSD|0BSD|MIT|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla|HPND|Unlicense|Zlib|CC0|LGPL)"
"""Licences under which a library may be used from code of any licence."""


def licence(name: str) -> str:
    """In one line: the SPDX expression, the classifiers, or the first words of the text."""
    about = metadata(name)
    classified = [text.split(" :: ")[-1] for text in about.get_all("Classifier", []) if text.startswith("License ::")]
    classified = [text for text in classified if text != "OSI Approved"]
    named = about.get("License-Expression") or ", ".join(classified) or (about.get("License") or "")
    if not named:
        texts = [file for file in distribution(name).files or [] if file.name.upper().startswith("LICEN")]
        named = texts[0].read_text(encoding="utf-8") if texts else ""
    return " ".join(named.split())[:60]


def main() -> None:
    found = {name: licence(name) for name in sorted(needed("novikoff", extras()))}
    wrong = [name for name, text in found.items() if not re.search(ALLOWED, text)]
    for name, text in found.items():
        print(f"{name:22} {text or 'unknown'}{'   <- not allowed' if name in wrong else ''}")
    print(f"{len(found)} packages, {len(wrong)} with a licence that is unknown or not allowed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
