"""Bytes that no one meant, put to everything that reads: proofs, model files, data files, and requests to the lab.

A reader may refuse with a sentence.  An exception that is none, exit code 4 of the command, a status of 500 or above,
and whatever takes too long or too much memory is a fault.
"""

import asyncio
import atexit
import base64
import copy
import functools
import gzip
import hashlib
import io
import json
import lzma
import re
import shutil
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes

import numpy as np
import pandas as pd
import pyarrow as pa
from typer.testing import CliRunner

import novikoff
from novikoff import cli
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.check import main as checker_alone
from novikoff.lab.controls import LEARNERS
from novikoff.lab.presets import NAMES as PRESETS
from novikoff.lab.server import make_app

MODELS = Path(__file__).parents[1] / "tests" / "models" / "format1"
FAULT = 4
"""The exit code of the command for a fault of its own."""
NUMBERS = (
    b"0",
    b"-1",
    b"1e308",
    b"1e-320",
    b"nan",
    b"inf",
    b"99999999999999999999",
    b"1e999999999",
    b"0x10",
    b"",
    b"-0",
)
NUMBERS += (
    b"2147483648",
    b"4294967296",
    b"9223372036854775808",
    b"1_0",
    "٣".encode(),
    b"1,5",
    b"1e5000",
    b"TRUE",
    b"null",
)
BITS = (
    b"\0",
    b"\xff",
    b'"',
    b"\n",
    b"\r",
    b",",
    b";",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"#",
    b"\xef\xbb\xbf",
    b"''",
)
NOT_A_SENTENCE = re.compile(
    r"invalid literal|codec can't|Expecting |Extra data|unpack|cannot reshape|broadcast|Traceback"
)
JSON_VALUES = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.5,
    10**30,
    10**400,
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\0",
)
JSON_VALUES += ([], {}, [[]], [None], {"": None}, "9" * 500, "ä\ud800", [0] * 500, 2**31, 2**63, -(2**31), 1e-7)
Blob = bytes


# Files that are as they should be.


@functools.cache
def tables() -> dict[str, Blob]:
    """Data files of every format, small."""
    frame = pd.DataFrame(
        {"x": [1, 2, 3, 4, 5, 6.5], "hue": list("abcabc"), "z": [0, 0.1, 0.2, 0.3, 1, 7], "y": list("uvuvuv")}
    )
    plain = frame.to_csv(index=False).encode()
    quoted = b'"x";"name";y\n"1,5";"a ""b"" c";no\n2;"d\ne";yes\n3;f;no\n'
    sparse = b"+1 1:0.5 3:2 # a comment\n-1 2:1e-3\n+1 1:1\n-1 3:-4\n"
    return {
        "csv": plain,
        "tsv": frame.to_csv(index=False, sep="\t").encode(),
        "quoted": quoted,
        "gb18030": "值,y\n1,甲\n2,乙\n".encode("gb18030"),
        "utf-16": "x,y\n1,a\n2,b\n".encode("utf-16"),
        "bom": b"\xef\xbb\xbf" + plain,
        "libsvm": sparse,
        "gz": gzip.compress(plain, mtime=0),
        "libsvm.gz": gzip.compress(sparse, mtime=0),
        "xz": lzma.compress(plain),
        "zst": pa.compress(plain, "zstd", asbytes=True),
        "parquet": written(frame.to_parquet),
        "feather": written(frame.to_feather),
        "npz": npz(X=frame[["x", "z"]].to_numpy(), y=np.array([0, 1, 0, 1, 0, 1]), classes=np.array(["u", "v"])),
        "split.npz": npz(
            X_train=np.eye(4), y_train=np.array([0, 1, 0, 1]), X_test=np.eye(4), y_test=np.array([0, 1, 0, 1])
        ),
    }


def written(write: Callable[[Any], Any]) -> Blob:
    """What a writer writes."""
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def npz(**arrays: Any) -> Blob:
    """An npz file."""
    return written(lambda out: np.savez(out, **arrays))


@functools.cache
def models() -> dict[str, Blob]:
    """Model files: those of version 0.1.0, and of today."""
    files = {path.stem: path.read_bytes() for path in sorted(MODELS.glob("*.nvk"))}
    with tempfile.TemporaryDirectory() as folder:
        data, path = Path(folder) / "data.csv", Path(folder) / "model.nvk"
        data.write_bytes(tables()["csv"])
        CliRunner().invoke(cli.app, ["fit", str(data), "-t", "y", "--model", "perceptron", "-o", str(path)])
        files["command of today"] = path.read_bytes()
        for learner in (novikoff.Perceptron(), novikoff.KernelPerceptron()):
            novikoff.save(learner.fit(np.eye(4), [0, 1, 0, 1]), path)
            files[f"{type(learner).__name__} of today"] = path.read_bytes()
    return files


DATA = [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]], [0, 1, 1, 0]
"""The table that proofs are put to."""
CSV = b"a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n"


@functools.cache
def proofs() -> dict[str, Blob]:
    """Proofs as files."""
    X, y = DATA
    answers = [novikoff.certify(X, y), novikoff.certify(X, [0, 0, 0, 1]), novikoff.certify(X, y, kernel="poly")]
    answers.append(novikoff.certify(X, y, kernel="rbf", gamma="1"))
    files = {f"proof {k}": answer.json().encode() for k, answer in enumerate(answers)}
    return files | {"list": b"[" + b",".join(files.values()) + b"]"}


@functools.cache
def bodies() -> dict[str, Blob]:
    """Requests to the lab."""
    points = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [2.5, -1, 1]]
    files = {name: {"points": points, "learner": name, "params": {"max_iter": 20}} for name in LEARNERS}
    for name, learner in LEARNERS.items():
        params = {control.name: control.default for control in learner.controls}
        files[f"{name} in full"] = {"points": points, "learner": name, "params": params, "view": [-1, 2, -1, 2]}
    return {name: json.dumps(body).encode() for name, body in files.items()}


@functools.cache
def pasted() -> dict[str, Blob]:
    """Requests with a table."""
    return {name: json.dumps({"text": tables()[name].decode()}).encode() for name in ("csv", "tsv", "quoted", "libsvm")}


# Changes.


def spoil(random: Random, blob: Blob) -> Blob:
    """Some bytes changed."""
    data = bytearray(blob)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        a, b = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
        b = min(b, a + random.choice((1, 4, 16, 1000)))
        kind = random.randrange(8)
        if kind == 0 and data:
            data[min(a, len(data) - 1)] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[a:a] = random.choice(BITS) * random.choice((1, 1, 2, 50))
        elif kind == 2:
            del data[a:b]
        elif kind == 3:
            data[a:a] = data[a:b] * random.choice((1, 2, 20))
        elif kind == 4:
            del data[a:]
        elif kind == 5:
            data[a:b] = random.randbytes(b - a)
        elif kind == 6:
            data[a:b] = (b"\xff\xff\xff\x7f", b"\xff" * 8, b"\0" * 8, b"\x80" * 4)[random.randrange(4)]
        else:
            change_number(random, data)
    return bytes(data)


def change_number(random: Random, data: bytearray) -> None:
    """A number that is written in the bytes becomes another."""
    found = list(re.finditer(rb"[-+]?\d+(\.\d+)?", bytes(data[:20_000])))
    if found:
        match = random.choice(found)
        data[match.start() : match.end()] = random.choice(NUMBERS)


def spoil_json(random: Random, blob: Blob) -> Blob:
    """JSON with some values, however deep, changed, doubled or left out."""
    value = [json.loads(blob)]
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(places_in(value))
        place, key = random.choice(places)
        chance = random.random()
        if chance < 0.6:
            place[key] = copy.deepcopy(random.choice(JSON_VALUES))
        elif chance < 0.75 and place is not value:
            del place[key]
        elif chance < 0.9 and isinstance(place, list):
            place[key:key] = [copy.deepcopy(place[key])] * random.choice((1, 2, 500))
        else:
            other, where = random.choice(places)
            place[key] = copy.deepcopy(other[where]) if isinstance(other, dict) and where in other else None
    return json.dumps(value[0] if value else None).encode()


def places_in(value: Any) -> Any:
    """(container, key) of everything inside."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


def random_json(random: Random, depth: int = 0) -> Any:
    """Any JSON."""
    if depth > 4 or random.random() < 0.4:
        return random.choice(JSON_VALUES)
    parts = [random_json(random, depth + 1) for _ in range(random.randrange(4))]
    names = ("points", "learner", "params", "format", "version", "text", "data", "kernel", "plane", "view")
    return parts if random.random() < 0.5 else {random.choice(names): part for part in parts}


def spoil_zip(random: Random, blob: Blob) -> Blob:
    """An archive one of whose members is changed, with a digest that fits: what is inside is to be read."""
    with zipfile.ZipFile(io.BytesIO(blob)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(sorted(members))
    chance = random.random()
    if chance < 0.1:
        del members[name]
    elif chance < 0.2:
        members[random.choice(("../x", "y.npy", "X.npy", "novikoff.json", "a/"))] = members[name]
    elif name.endswith(".json") and chance < 0.8:
        members[name] = spoil_json(random, members[name])
    else:
        members[name] = spoil(random, members[name])
    return zip_of(members)


def zip_of(members: dict[str, Blob]) -> Blob:
    """An archive; the digest of a model file is made new."""
    if "novikoff.json" in members:
        try:
            head = json.loads(members["novikoff.json"])
            head.pop("sha256", None)
            total = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
            for name in sorted(set(members) - {"novikoff.json"}):
                total.update(name.encode() + b"\0" + hashlib.sha256(members[name]).digest())
            members["novikoff.json"] = json.dumps(head | {"sha256": total.hexdigest()}).encode()
        except (ValueError, TypeError, AttributeError):
            pass
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def spoil_table(random: Random, name: str, blob: Blob) -> Blob:
    """A data file that is changed; one that is compressed or an archive sometimes inside."""
    if random.random() < 0.6:
        if name.endswith("npz"):
            return spoil_zip(random, blob)
        if name.endswith("gz"):
            return gzip.compress(spoil(random, gzip.decompress(blob)), mtime=0)
        if name == "xz":
            return lzma.compress(spoil(random, lzma.decompress(blob)))
    return spoil(random, blob)


# Cases.


def make(seed: int, number: int) -> dict[str, Any]:
    """Bytes for a reader."""
    random = Random(f"readers/{seed}/{number}")
    reader = random.choice(list(READERS))
    kind = "model" if reader in ("load", "predict") else "lab" if reader.startswith("lab") else reader
    options: list[str] = []
    if random.random() < 0.05:
        blob = random.randbytes(random.choice((0, 1, 10, 1000)))
    elif random.random() < 0.1:
        blob = json.dumps(random_json(random)).encode()
    elif kind in ("certify", "fit", "stream", "data to predict", "check table"):
        name = random.choice(list(tables()))
        blob = spoil_table(random, name, tables()[name])
        options = table_options(random, name)
    elif kind == "model":
        blob = random.choice(list(models().values()))
        blob = spoil_zip(random, blob) if random.random() < 0.7 else spoil(random, blob)
    elif kind in ("check", "check file", "check alone", "Certificate.load"):
        blob = spoil_either(random, random.choice(list(proofs().values())))
    elif reader == "lab address":
        blob = spoil(random, random.choice(addresses()).encode())
    else:
        blob = spoil_either(random, random.choice(list((pasted() if reader == "lab table" else bodies()).values())))
    return {"reader": reader, "data": base64.b64encode(blob).decode(), "options": options}


def spoil_either(random: Random, blob: Blob) -> Blob:
    """JSON changed as what it holds, or as bytes."""
    return spoil_json(random, blob) if random.random() < 0.6 else spoil(random, blob)


def addresses() -> list[str]:
    """Addresses of the lab."""
    some = [f"/api/preset/{name}?seed=1&species=0&first=2&second=3" for name in PRESETS]
    return [*some, "/", "/api/controls", "/static/lab.js", "/static/texts/en.json", "/api/run", "/static/../server.py"]


def table_options(random: Random, name: str) -> list[str]:
    """Options of the command."""
    target = {"quoted": "y", "libsvm": "", "libsvm.gz": ""}.get(name, "y")
    options = ["--target", target] if target and random.random() < 0.95 else []
    extra = (
        ["--no-header"],
        ["--delimiter", ";"],
        ["--encoding", "latin-1"],
        ["--encoding", "utf-16"],
        ["--drop", "x"],
    )
    extra += (
        ["--categorical", "x"],
        ["--drop", "hue"],
        ["--encoding", "nonsense"],
        ["--delimiter", "||"],
        ["--target", "x"],
    )
    return options + (random.choice(extra) if random.random() < 0.3 else [])


# Readers: each returns None, or what is wrong.


@functools.cache
def folder() -> Path:
    """Where files are put for readers that take a path, until the process ends."""
    made = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def file_of(blob: Blob, name: str = "input") -> str:
    """A file with these bytes."""
    path = folder() / name
    path.write_bytes(blob)
    return str(path)


def run_command(*arguments: str) -> str | None:
    """The command, which must end with a sentence and without a fault."""
    result = CliRunner().invoke(cli.app, list(arguments))
    if result.exit_code == FAULT or (result.exception and not isinstance(result.exception, SystemExit)):
        return f"{arguments[0]}: {' '.join(result.stderr.split())[-300:] or repr(result.exception)}"
    said = [line.removeprefix("novikoff: ") for line in result.stderr.splitlines() if line.startswith("novikoff: ")]
    said = [line for line in said if not line.startswith("note: ")]
    if result.exit_code == 2 and said and not is_sentence(said[-1]):
        return f"{arguments[0]}: no sentence: {said[-1][:300]}"
    return None


def is_sentence(text: str) -> bool:
    """Whether an error is one sentence for people, as far as a program can tell."""
    return len(text.split()) > 2 and text.rstrip()[-1] in ".?!…)" and not NOT_A_SENTENCE.match(text)


def refused_well(call: Callable[[], Any]) -> str | None:
    """What is wrong with how a call of the library refuses, if it does."""
    try:
        call()
    except ValueError as error:
        if type(error) is not ValueError and isinstance(error, UnicodeError | json.JSONDecodeError):
            return f"{type(error).__name__}: {error}"[:300]
        return None if is_sentence(str(error)) else f"no sentence: {type(error).__name__}: {str(error)[:300]}"
    return None


def read_check(blob: Blob, options: list[str]) -> str | None:
    novikoff.check(blob, *DATA)
    return None


def read_check_file(blob: Blob, options: list[str]) -> str | None:
    return run_command("check", file_of(blob), file_of(CSV, "data.csv"), "--target", "y")


def read_check_alone(blob: Blob, options: list[str]) -> str | None:
    code = checker_alone([file_of(blob), file_of(CSV, "data.csv"), "--target", "y"])
    return None if code in range(4) else f"exit code {code}"


def read_check_table(blob: Blob, options: list[str]) -> str | None:
    return run_command("check", file_of(proofs()["proof 0"]), file_of(blob, "data"), *options)


def read_certificate(blob: Blob, options: list[str]) -> str | None:
    return refused_well(lambda: Certificate.load(file_of(blob)).summary())


def read_model(blob: Blob, options: list[str]) -> str | None:
    return refused_well(lambda: novikoff.load(file_of(blob)))


def read_model_to_predict(blob: Blob, options: list[str]) -> str | None:
    return run_command("predict", file_of(blob), file_of(tables()["csv"], "data.csv"))


def read_data_to_predict(blob: Blob, options: list[str]) -> str | None:
    rest = [option for option in options if option not in ("--target", "y")] if options[:1] == ["--target"] else options
    rest = [] if any(o in ("--drop", "--categorical") for o in rest) else rest
    return run_command("predict", file_of(models()["command of today"]), file_of(blob, "data"), *rest)


def read_certify(blob: Blob, options: list[str]) -> str | None:
    return run_command("certify", file_of(blob), "--json", "--time-limit", "1", *options)


def read_fit(blob: Blob, options: list[str]) -> str | None:
    return run_command(
        "fit", file_of(blob), "--json", "--model", "perceptron", "--set", "max_iter=5", "--cv", "2", *options
    )


def read_stream(blob: Blob, options: list[str]) -> str | None:
    rest = ["--json", "--stream", "--model", "perceptron", "--set", "max_iter=3"]
    return run_command("fit", file_of(blob), *rest, *options)


def read_lab_run(blob: Blob, options: list[str]) -> str | None:
    return ask_lab("POST", "/api/run", blob)


def read_lab_table(blob: Blob, options: list[str]) -> str | None:
    return ask_lab("POST", "/api/table", blob)


def read_lab_address(blob: Blob, options: list[str]) -> str | None:
    path, _, query = blob.partition(b"?")
    return ask_lab("GET", path.decode("utf-8", "replace"), b"", quote_from_bytes(query, safe="=&%?/:+").encode())


@functools.cache
def lab() -> tuple[Any, Any]:
    """The application and its event loop."""
    return make_app(), asyncio.new_event_loop()


def ask_lab(method: str, path: str, body: Blob, query: Blob = b"") -> str | None:
    """A request to the application, as a server would put it."""
    app, loop = lab()
    sent: list[Any] = []
    asked: list[bool] = []

    async def receive() -> Any:
        if asked:
            await asyncio.Event().wait()  # the client stays
        asked.append(True)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http"}
    scope |= {"path": path, "raw_path": path.encode(), "query_string": query, "root_path": "", "headers": headers}
    scope |= {"client": ("127.0.0.1", 1), "server": ("localhost", 80)}
    loop.run_until_complete(app(scope, receive, send))
    status = sent[0]["status"]
    return None if status < 500 else f"status {status}"


READERS: dict[str, Callable[[Blob, list[str]], str | None]] = {
    "check": read_check,
    "check file": read_check_file,
    "check alone": read_check_alone,
    "check table": read_check_table,
    "Certificate.load": read_certificate,
    "load": read_model,
    "predict": read_model_to_predict,
    "data to predict": read_data_to_predict,
    "certify": read_certify,
    "fit": read_fit,
    "stream": read_stream,
    "lab run": read_lab_run,
    "lab table": read_lab_table,
    "lab address": read_lab_address,
}


def judge(case: dict[str, Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Put bytes to their reader."""
    reader = case["reader"]
    counts = Counter({"inputs": 1, f"reader {reader}": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wrong = READERS[reader](base64.b64decode(case["data"]), case["options"])
        except (Exception, SystemExit) as error:
            wrong = f"{type(error).__name__}: {str(error)[:300]}"
    return counts, [(reader, wrong)] if wrong else []


def warm_up() -> None:
    """Read one good file of each kind, so that what is compiled or cached on first use is there."""
    good = {"certify": tables(), "fit": tables(), "stream": tables(), "predict": models(), "lab run": bodies()}
    for reader, files in good.items():
        for blob in files.values() if reader == "lab run" else list(files.values())[:1]:
            judge({"reader": reader, "data": base64.b64encode(blob).decode(), "options": ["--target", "y"]})
