"""What an installation weighs and how long an import takes: the figures of docs/installing.md.

``python tools/install_size.py`` adds up the installed files of novikoff's dependencies, those of the package alone and
those that each extra adds, and times imports in new processes, best of five.
"""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from origin import origin

IMPORTS = ("numpy", "sklearn.linear_model", "novikoff", "novikoff; novikoff.Perceptron", "novikoff; novikoff.certify")


def parsed(text: str) -> tuple[str, set[str], str | None]:
    """Of a requirement its name, the extras that it asks for, and the extra that it belongs to."""
    name, asked, rest = re.fullmatch(r"([\w.-]+)\s*(?:\[([^]]*)\])?(.*)", text, re.DOTALL).groups()
    belongs = re.search(r"""extra == ['"]([\w-]+)['"]""", rest)
    asked_extras = {extra.strip() for extra in (asked or "").split(",")} - {""}
    return name.lower().replace("_", "-"), asked_extras, belongs and belongs[1]


def extras() -> set[str]:
    """The extras for users: those that ``novikoff[all]`` brings."""
    return next(asked for _, asked, extra in map(parsed, requires("novikoff") or []) if extra == "all")


def needed(name: str, extras: set[str]) -> set[str]:
    """The installed distributions that one needs with these extras, itself not counted."""
    stack, seen = [(name, frozenset(extras))], set()
    while stack:
        place = stack.pop()
        try:
            requirements = requires(place[0]) or []
        except PackageNotFoundError:
            continue
        if place in seen:
            continue
        seen.add(place)
        for text in requirements:
            other, asked, belongs = parsed(text)
            if belongs is None or belongs in place[1]:
                stack.append((other, frozenset(asked)))
    return {found for found, _ in seen} - {name}


def size(name: str) -> int:
    """Bytes of the installed files, compiled Python apart."""
    paths = (Path(str(file.locate())) for file in distribution(name).files or [] if file.suffix != ".pyc")
    return sum(path.stat().st_size for path in paths if path.is_file())


def seconds(code: str) -> float:
    """The least processor time of five new processes that run an import, without that of starting Python."""
    timed = f"import time; t = time.process_time(); import {code}; print(time.process_time() - t)"
    times = (
        subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True) for _ in range(5)
    )
    return min(float(result.stdout) for result in times)


def main() -> None:
    base = needed("novikoff", set())
    sizes = {name: size(name) / 1e6 for name in base}
    print(f"the package with all that it needs: {sum(sizes.values()):.0f} MB")
    for name in sorted(sizes, key=sizes.get, reverse=True)[:12]:
        print(f"  {name:15} {sizes[name]:6.0f} MB")
    for extra in sorted(extras()):
        more = needed("novikoff", {extra}) - base
        print(f"[{extra}] adds {sum(map(size, more)) / 1e6:.0f} MB: {', '.join(sorted(more))}")
    for code in IMPORTS:
        print(f"import {code}: {seconds(code):.2f} s")
    print(origin())


if __name__ == "__main__":
    main()
