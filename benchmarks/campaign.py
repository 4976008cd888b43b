"""Attacks on novikoff that go on for hours: python benchmarks/campaign.py [PART|all|report].

The parts are questions, separation, errors, mutations and readers.

A part is worked on in batches, and a batch is a seed.  Each batch runs in a child process, which says on a pipe what it
is about to try and what came of it; the parent ends it if that takes too long, notes the case, and goes on after it.
What was found is in build/campaign/PART.json, written whole after every batch: a campaign that was ended goes on where
it was.  ``again PART SEED NUMBER`` tries one case and shows it.
"""

import argparse
import fcntl
import json
import os
import platform
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

HERE = Path(__file__).parent
STATE = HERE.parent / "build" / "campaign"
KEPT = 5
"""Cases of a kind of fault that are kept whole."""
START_UP = 120.0
"""Seconds that a child may take before its first case: the compiled passes may have to be made."""
MEMORY = 2**30
"""Bytes that a case may take beyond what the child has when it begins."""
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


@dataclass(frozen=True)
class Part:
    """A part of the campaign: where its cases come from, what counts as one, and how long each may take.

    The module has ``make(seed, number)``, a case as JSON has it, and ``judge(case)``, its counts and faults.
    """

    module: str
    unit: str
    target: int
    batch: int  # cases
    patience: float  # seconds
    seconds: float = float("inf")


PARTS = {
    "questions": Part("campaign_questions", "questions", 1_000_000, 5000, patience=60.0),
    "separation": Part("campaign_separation", "designs", 20_000, 500, patience=60.0),
    "errors": Part("campaign_errors", "tables", 5000, 250, patience=120.0),
    "mutations": Part("campaign_mutations", "mutations", 100_000, 2000, patience=2.0),
    "readers": Part("campaign_readers", "inputs", 10**9, 3000, patience=20.0, seconds=3600.0),
}


@dataclass
class State:
    """What is known of a part so far."""

    batches: dict[str, float] = field(default_factory=dict)  # {seed: seconds}
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kept: dict[str, list[Any]] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)
    days: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path) -> "State":
        """The state of a file, or an empty one."""
        if not path.exists():
            return cls()
        stored = json.loads(path.read_text(encoding="utf-8"))
        return cls(**stored | {"counts": Counter(stored["counts"]), "faults": Counter(stored["faults"])})

    def save(self, path: Path) -> None:
        """Write the file whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")
        part.replace(path)

    def add(self, seed: int, events: "list[Event]", seconds: float) -> None:
        """Take in a batch that was worked through."""
        self.batches[str(seed)] = round(seconds, 3)
        for event in events:
            self.counts.update(event.counts)
            for kind, what in event.faults:
                self.faults[kind] += 1
                kept = self.kept.setdefault(kind, [])
                if len(kept) < KEPT:
                    kept.append({"seed": seed, "number": event.number, "what": what, "case": event.case})
        for known, now in ((self.commits, commit()), (self.days, datetime.now(UTC).date().isoformat())):
            if now not in known:
                known.append(now)


@dataclass(frozen=True)
class Event:
    """One case and what came of it; the case is kept where there is a fault."""

    number: int
    counts: dict[str, int]
    faults: list[tuple[str, str]]
    case: Any = None

    def counted(self, unit: str) -> "Event":
        """The event; one that could not be judged is one case as well."""
        return self if self.counts else replace(self, counts={unit: 1})


def commit() -> str:
    """The commit that is worked on, with a star if files were changed since."""
    try:
        text = subprocess.run(
            ["git", "describe", "--always", "--dirty=*", "--exclude=*"],
            cwd=HERE,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return text.stdout.strip()


def run_part(
    name: str,
    folder: Path,
    count: int | None,
    seconds: float | None,
    say: Callable[[str], None],
    workers: int = 1,
) -> State:
    """Work on a part until so many cases, or seconds of all workers, are done in all."""
    part = PARTS[name]
    until = Until(count or part.target, part.seconds if seconds is None else seconds)
    with only_one(folder / f"{name}.lock"):
        batches = Batches(name, folder / f"{name}.json", until, say)
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(batches.work) for _ in range(workers)]:
                done.result()
        return batches.state


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """A block that no other process is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Another process works on {path.stem}.")
        yield


class Until(NamedTuple):
    """When a part is done."""

    count: int
    seconds: float


class Batches:
    """The batches of a part, which several workers share; each is written down once it is whole."""

    def __init__(self, name: str, path: Path, until: Until, say: Callable[[str], None]) -> None:
        self.name, self.part, self.path, self.until, self.say = name, PARTS[name], path, until, say
        self.state, self.begun, self.lock = State.load(path), set[int](), Lock()

    def next_seed(self) -> int | None:
        """The next batch, unless all is done."""
        state, (count, seconds) = self.state, self.until
        if state.counts[self.part.unit] >= count or sum(state.batches.values()) >= seconds:
            return None
        seed = next(k for k in range(10**9) if str(k) not in state.batches and k not in self.begun)
        self.begun.add(seed)
        return seed

    def work(self) -> None:
        """Batch after batch."""
        size = min(self.part.batch, self.until.count)
        while True:
            with self.lock:
                seed = self.next_seed()
            if seed is None:
                return
            began = time.perf_counter()
            found = batch_events(self.name, seed, size, self.part.patience)
            events = [event.counted(self.part.unit) for event in found]
            with self.lock:
                self.state.add(seed, events, time.perf_counter() - began)
                self.state.save(self.path)
                total, faults = sum(self.state.batches.values()), dict(self.state.faults) or "none"
                self.say(f"{self.name}: {self.state.counts[self.part.unit]} in {total:.0f} s; faults: {faults}")


def batch_events(name: str, seed: int, size: int, patience: float) -> Iterator[Event]:
    """The events of a batch, from as many children as it takes; a case that hung is tried once more by itself."""
    first, again = 0, -1
    while first < size:
        last = first + 1 if first == again else size
        command = [sys.executable, str(HERE / "campaign.py"), "child", name, str(seed), str(first), str(last)]
        for event in watch(command, first, patience):
            if event.faults and event.faults[0][0] == "hang" and event.number != again:
                first = again = event.number
                break
            yield event
            first = event.number + 1


def watch(command: list[str], first: int, patience: float) -> Iterator[Event]:
    """The events of one child; the last one says so if it hung or died over its case."""
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        more = {"CAMPAIGN_PIPE": str(writing), "TMPDIR": folder}
        with open(Path(folder) / "stderr", "wb") as errors:
            child = subprocess.Popen(
                command, pass_fds=[writing], env=os.environ | ONE_THREAD | more, stdout=errors, stderr=errors
            )
        os.close(writing)
        try:
            ended = yield from events_of(reading, first, patience)
            if ended is not None:
                child.wait()
                said = (Path(folder) / "stderr").read_bytes()[-500:].decode("utf-8", "replace")
                yield replace(ended, faults=[("died", f"the process ended with code {child.returncode}: {said}")])
        finally:
            child.kill()
            child.wait()
            os.close(reading)


def events_of(reading: int, first: int, patience: float) -> Generator[Event, None, Event | None]:
    """The events that a child tells of; what it was about to try is returned if it ended over it."""
    number, case = first, None
    for line in lines_within(reading, patience):
        if line is None:
            yield Event(number, {}, [("hang", f"not done after {patience:g} s")], case)
            return None
        said = json.loads(line)
        if "end" in said:
            return None
        if "case" in said:
            number, case = said["number"], said["case"]
        else:
            faults = [(kind, what) for kind, what in said["faults"]]
            yield Event(number, said["counts"], faults, case if faults else None)
            number, case = number + 1, None
    return Event(number, {}, [], case)


def lines_within(reading: int, patience: float) -> Iterator[bytes | None]:
    """Lines of a pipe; None, and no more, if none comes in time.  The first may take as long as a child's start."""
    rest, wait = b"", max(START_UP, patience)
    while True:
        if not select.select([reading], [], [], wait)[0]:
            yield None
            return
        data, wait = os.read(reading, 2**16), patience
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        yield from lines


def child(name: str, seed: int, first: int, size: int) -> None:
    """Try the cases of a batch and say so on the pipe."""
    part = import_module(PARTS[name].module)
    if name == "readers":
        part.warm_up()
    limit_memory()
    with open(int(os.environ["CAMPAIGN_PIPE"]), "w", encoding="utf-8", buffering=1) as pipe:
        for number in range(first, size):
            case = part.make(seed, number)
            pipe.write(json.dumps({"number": number, "case": case}) + "\n")
            counts, faults = try_case(part, case)
            pipe.write(json.dumps({"counts": counts, "faults": faults}) + "\n")
        pipe.write('{"end": true}\n')


def try_case(part: Any, case: Any) -> tuple[Counter[str], list[tuple[str, str]]]:
    """The judgement on a case; an exception is a fault."""
    try:
        return part.judge(case)
    except MemoryError:
        return Counter(), [("memory", f"more than {MEMORY >> 20} MB")]
    except Exception as error:
        return Counter(), [("exception", f"{type(error).__name__}: {error} {last_place(error)}")]


def last_place(error: BaseException) -> str:
    """Where an exception was raised, without folders."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-4:]))


def limit_memory() -> None:
    """Let this process have no more than MEMORY bytes beyond what it has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, resource.RLIM_INFINITY))


def report(folder: Path) -> str:
    """What was found, as a table in Markdown."""
    lines = ["| part | cases | seeds | hours | faults |", "|---|---|---|---|---|"]
    notes, commits, days = [], set(), set()
    for name, part in PARTS.items():
        state = State.load(folder / f"{name}.json")
        if not state.batches:
            continue
        seeds, total = sorted(map(int, state.batches)), sum(state.batches.values())
        found = ", ".join(f"{kind} {number}" for kind, number in state.faults.most_common()) or "none"
        counted = f"{state.counts[part.unit]:,} {part.unit}"
        lines.append(f"| {name} | {counted} | {seeds[0]}–{seeds[-1]} | {total / 3600:.2f} | {found} |")
        notes += ["", f"| {name}, in detail | |", "|---|---|"]
        notes += [f"| {kind} | {number:,} |" for kind, number in sorted(state.counts.items())]
        commits, days = commits | set(state.commits), days | set(state.days)
    return "\n".join([*lines, *notes, "", machine(commits, days)])


def machine(commits: set[str], days: set[str]) -> str:
    """What it ran on."""
    when = " to ".join(sorted({min(days), max(days)})) if days else "no run yet"
    return (
        f"Commit {', '.join(sorted(commits))}; {when}; "
        f"{os.cpu_count()} cores; Python {platform.python_version()}, NumPy {version('numpy')}, "
        f"{platform.system()} {platform.machine()}."
    )


def again(name: str, seed: int, number: int) -> None:
    """Try one case here, as it was kept or else made anew, and show it."""
    part = import_module(PARTS[name].module)
    kept = [each for some in State.load(STATE / f"{name}.json").kept.values() for each in some]
    found = [each["case"] for each in kept if (each["seed"], each["number"]) == (seed, number) and each["case"]]
    case = found[0] if found else part.make(seed, number)
    print(json.dumps(case))
    print(part.judge(case))


def say_now(text: str) -> None:
    """Print at once."""
    print(text, flush=True)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["child"]:
        return child(given[1], *map(int, given[2:]))
    if given[:1] == ["again"]:
        return again(given[1], *map(int, given[2:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="all", choices=[*PARTS, "all", "report"])
    parser.add_argument("--count", type=int, help="cases of the part in all, those done before included")
    parser.add_argument("--seconds", type=float, help="seconds of the part in all, those done before included")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="batches at a time")
    parser.add_argument("--state", type=Path, default=STATE, help="the folder of what is known so far")
    options = parser.parse_args(given)
    for name in PARTS if options.part == "all" else [options.part]:
        if name != "report":
            run_part(name, options.state, options.count, options.seconds, say_now, options.workers)
    print(report(options.state))
    return None


if __name__ == "__main__":
    main()
