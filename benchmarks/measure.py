"""Time and memory of one piece of work, fairly: best of several, peers in turn, compile time apart."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from roofline import Job, peaks

TURNS = 3
"""So often the peer and ours take turns, each twice in a row.

Memory that nobody has used for seconds may have been taken back by the machine, and has to be waited for: the first
time, by whoever comes after the other.
"""
LONG = 30.0
"""Seconds of the peer's work beyond which it is not repeated."""


class MissingError(Exception):
    """The data or the peer is not on this machine."""


@dataclass(frozen=True)
class Row:
    """One line of the table: ``prepare`` makes the peer's work and ours; the ratio is to reach ``target``.

    Its third result, where it is not None, says after our work what that was: a job with a roofline.
    """

    name: str
    peer: str
    target: float | None
    prepare: Callable[[], tuple[Callable[[], Any], Callable[[], Any], Callable[[], Job] | None]]


def seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measured(row: Row) -> tuple[float, float, float, str]:
    """First call of ours (with compilation), best of the peer, best of ours, and the part of the roofline it reaches.

    Both work in turn, so that noise meets both.
    """
    theirs, ours, job = row.prepare()
    first = seconds(ours)
    their_times, our_times = [seconds(theirs)], [seconds(ours)]
    for _ in range(TURNS if their_times[0] < LONG else 0):
        their_times += [seconds(theirs), seconds(theirs)]
        our_times += [seconds(ours), seconds(ours)]
    return first, min(their_times), min(our_times), job().share(min(our_times)) if job else "–"


def table(rows: list[Row]) -> None:
    """Print every row as it is measured, then the whole table."""
    console = Console(width=132)
    out = Table(title="novikoff against its peers (best of several, one process, the same arrays)")
    for name in ("work", "peer"):
        out.add_column(name)
    for name in ("peer, s", "ours, s", "ratio", "target", "of roofline", "first call, s"):
        out.add_column(name, justify="right")
    for row in rows:
        try:
            first, theirs, ours, share = measured(row)
        except MissingError as reason:
            out.add_row(row.name, row.peer, "–", "–", str(reason))
            continue
        ratio = theirs / ours
        mark = "" if row.target is None else f"{row.target:g}"
        colour = "green" if row.target is None or ratio >= row.target else "red"
        console.print(f"{row.name} | {row.peer}: {theirs:.4f} s / {ours:.4f} s = {ratio:.2f}; roofline: {share}")
        times = f"{theirs:.4f}", f"{ours:.4f}", f"[{colour}]{ratio:.2f}[/]"
        out.add_row(row.name, row.peer, *times, mark, share, f"{first:.2f}")
    console.print(out)
    console.print(
        "Of roofline: the part of the machine's peak that ours reaches, reading the rows or doing the arithmetic, "
        f"whichever takes longer (benchmarks/roofline.py). {peaks()}"
    )
