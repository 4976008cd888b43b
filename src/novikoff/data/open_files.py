"""Files of tables, opened: what they are compressed with, encoded in and delimited by is found by looking.

The standard library only, since the independent checker of proofs reads its files through here.
"""

import csv
import glob
import io
import lzma
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast
from zlib import error as ZlibError  # noqa: N812

from ..errors import CALLED, InputError, check_columns, clipped, comma_list, header_hint, plural, tell
from .compression import COMPRESSIONS, EMPTY_ZIP, EXCEL, EXCEL_97, NO_TABLES, ZIP, decompress, open_zipped
from .encodings import BOMS, encoding_of, wide_encoding
from .plain_texts import ConvertedLines, Way, reader_of

SAMPLE = 2**20
"""Bytes that are looked at to know a file."""
LONGEST_LINE = 2**26
"""Bytes within which the first line must end."""
MOST_COLUMNS = 100_000
"""Columns of a table; beyond that it is a matrix, for which there are better formats."""
UNCOMPRESSED = 4
"""How many times larger than its file compressed data is taken to be."""
DELIMITERS = ",\t;|"
DECIMAL_COMMA = re.compile(r"\s*[+-]?[\d.]*\d,\d+(?:[eE][+-]?\d+)?\s*")
FROM_ZERO = "it has a column 0, and libsvm files count columns from 1: add 1 to the number of every column"
"""What is said of a libsvm file with such a column."""
FORMATS = {b"PAR1": "parquet", b"ARROW1": "feather", ZIP: "npz"}
SPARSE_LINE = re.compile(rb"[^\s:,]+([ \t]+qid:\d+)?([ \t]+\d+:[^\s:]+)*[ \t]*(#.*)?\r?")


@dataclass(frozen=True)
class Reading:
    """What the user says of a file, where it is not to be found by looking.

    Attributes
    ----------
    delimiter, encoding : what stands between cells, and the encoding of texts; None to find them by looking
    header : whether the first row has the names of the columns
    missing : texts that stand for no value, besides the usual ones
    decimal : the sign before decimals, "." or ","; None for what the cells tell
    drop_incomplete : of proofs, whether rows without a value are left out, instead of refused
    """

    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True
    missing: tuple[str, ...] = ()
    decimal: str | None = None
    drop_incomplete: bool = False


@dataclass(frozen=True)
class ColumnOptions:
    """What the user says of the columns."""

    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    def kinds(self, columns: Iterable[str] = ()) -> dict[str, str]:
        """{column: kind}; a column cannot be two things."""
        kinds: dict[str, str] = {}
        lists = {"number": self.numeric, "category": self.categorical, "text": self.text, "dropped": self.drop}
        for kind, names in lists.items():
            for name in split_names(names, columns) if names else ():
                if kinds.setdefault(name, kind) != kind:
                    raise InputError(f"Column {name!r} cannot be both {kinds[name]} and {kind}: say one.")
        return kinds


class Rejoined(io.RawIOBase):
    """A stream from its beginning, after that was read to look at it."""

    def __init__(self, head: bytes, rest: Any, below: Any = None) -> None:
        self.head, self.rest, self.below = io.BytesIO(head), rest, below
        self.tail = b""  # the last bytes read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.head.read(len(buffer)) or self.rest.read(len(buffer))
        buffer[: len(data)] = data
        self.tail = bytes(data[-8:]) or self.tail
        return len(data)

    def close(self) -> None:
        for stream in (self.rest, self.below):
            if stream is not None and stream is not sys.stdin.buffer:
                stream.close()
        super().close()


@dataclass(frozen=True)
class OpenFile:
    """An open file: its bytes decompressed, its beginning, and its format."""

    name: str
    file: BinaryIO
    head: bytes
    format: str  # csv, libsvm, parquet, feather or npz
    whole: bool  # whether the head is all there is
    path: Any = None  # of a file that is read as it is, neither decompressed nor from standard input

    def tell_of_queries(self) -> None:
        """Say that queries of a libsvm file are not looked at."""
        if self.format == "libsvm" and b" qid:" in self.head:
            tell(f"{self.name} has a qid in its lines, as data for rankings has, which is not looked at.")

    def seekable(self) -> BinaryIO:
        """The bytes for formats that are not read from the beginning to the end: the file again, or all in memory."""
        with self.file, explain_damage(self.name):
            return io.BytesIO(self.file.read()) if self.path is None else io.FileIO(self.path)


def open_file(path: Any) -> OpenFile:
    """Open a file, or standard input for "-"."""
    name = CALLED.get(str(path), str(path))
    raw = sys.stdin.buffer if str(path) == "-" else io.FileIO(path)
    plain = None if str(path) == "-" else path
    with close_on_error(raw), explain_damage(name):
        head, file, whole = peek(raw)
        for mark, kind in COMPRESSIONS.items():
            if head.startswith(mark):
                head, file, whole = peek(decompress(file, kind), file)
                plain = None
                break
        if head.startswith((ZIP, EMPTY_ZIP)):
            if inside := open_zipped(plain, file, name):
                head, file, whole = peek(inside, file)
                plain = None
            elif plain is None:
                raise InputError(f"{name} is an npz file or a zip archive in a stream: give the file itself.")
    with close_on_error(file):
        if not head.strip():
            raise InputError(f"{name} is empty.")
        return OpenFile(name, file, head, format_of(head, name), whole, plain)


def open_table(path: Any, reading: Reading) -> "tuple[OpenFile, Sheet | None]":
    """Open a file and, if it is one of CSV, find how it is written."""
    file = open_file(path)
    if file.format != "csv":
        return file, None
    with close_on_error(file.file):
        return file, sniff_sheet(file, reading)


def check_file(data: str, reading: Reading, target: str | None, options: ColumnOptions) -> None:
    """Raise if a file, or the first of a folder or a pattern, is not there, or has no such columns."""
    path = files_named(data)[0]
    columns = columns_at_a_look(path, reading)
    if columns is not None:
        check_named(columns, target, options, path)


def check_named(columns: list[str], target: str | None, options: ColumnOptions, name: str) -> str:
    """The target; raises unless it and the columns of the options are among those of a file."""
    if target is None:
        raise InputError(
            f"Say which column to learn with --target: {comma_list(map(clipped, columns))}{header_hint(columns)}."
        )
    wanted = {target, *options.kinds(columns)}
    if not wanted <= set(columns):
        check_columns(columns, wanted, name)
    return target


def columns_at_a_look(path: Any, reading: Reading) -> list[str] | None:
    """The names of a file's columns, where its beginning or its end tells them without its rows; else None.

    What is wrong with a Parquet or Feather file is said when it is read.
    """
    file, sheet = open_table(path, reading)
    file.file.close()
    if sheet is not None:
        return sheet.columns
    if file.path is None or file.format not in ("parquet", "feather"):
        return None
    import pyarrow.ipc
    import pyarrow.parquet

    try:
        if file.format == "parquet":
            return list(pyarrow.parquet.read_schema(path).names)
        with pyarrow.OSFile(str(path)) as bytes_:
            return list(pyarrow.ipc.open_file(bytes_).schema.names)
    except (pyarrow.ArrowException, OSError):
        return None


def files_named(text: str) -> list[str]:
    """The files of a folder or a pattern, by name; of any other path itself."""
    if os.path.isdir(text):
        inside = (path for path in sorted(Path(text).rglob("*")) if path.is_file())
        paths = [str(path) for path in inside if not path.name.startswith((".", "_"))]
        where = "in that folder"
    elif glob.has_magic(text) and not os.path.exists(text):
        paths, where = sorted(filter(os.path.isfile, glob.glob(text, recursive=True))), "with such a name"
    else:
        return [text]
    if not paths:
        raise InputError(f"{text}: there is no file {where}.")
    return paths


def is_large(data: str, share: float) -> bool:
    """Whether data is to be streamed unasked: a folder, a pattern, or a file above some share of the free memory."""
    if data == "-" or not os.path.exists(data):
        return data != "-" and glob.has_magic(data)
    if os.path.isdir(data):
        return True
    with open(data, "rb") as file:
        compressed = file.read(8).startswith((*COMPRESSIONS, ZIP))
    return os.path.getsize(data) * (UNCOMPRESSED if compressed else 1) > share * free_memory()


def free_memory() -> float:
    """Bytes that can be had without swapping, where the system tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":") for line in file)
        return 1024 * float(lines["MemAvailable"].split()[0])
    except (OSError, KeyError):
        try:
            return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        except (ValueError, OSError, AttributeError):
            return float("inf")


@contextmanager
def close_on_error(file: Any) -> Iterator[None]:
    """A block that goes on to use the file, unless it fails."""
    try:
        yield
    except BaseException:
        file.close()
        raise


def peek(file: Any, below: Any = None) -> tuple[bytes, BinaryIO, bool]:
    """The beginning of a stream up to the end of its first line at least, and the stream with it.

    ``below`` is closed with it: what the stream is decompressed from.
    """
    head = file.read(SAMPLE)
    while len(head) % SAMPLE == 0 and head and b"\n" not in head and len(head) < LONGEST_LINE:
        more = file.read(SAMPLE)
        if not more:
            break
        head += more
    return head, io.BufferedReader(Rejoined(head, file, below), SAMPLE), len(head) < SAMPLE


@contextmanager
def explain_damage(name: str) -> Iterator[None]:
    """Errors of decompressing and decoding, in a sentence."""
    try:
        yield
    except (EOFError, ZlibError, lzma.LZMAError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system, which says itself what it is
            raise
        raise InputError(f"{name} is damaged or cut short: it cannot be decompressed.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not {error.encoding} all through (byte {error.object[error.start]:#04x}): "
            "say what it is with --encoding."
        ) from error
    except UnicodeError as error:
        raise InputError(f"{name} is not in the encoding that was said ({error}): say another --encoding.") from error


def format_of(head: bytes, name: str) -> str:
    """The format of a file, by its first bytes."""
    for mark, kind in FORMATS.items():
        if head.startswith(mark):
            return kind
    if head.startswith(EXCEL_97):
        raise InputError(f"{name} {EXCEL}")
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:20].lower()
    for mark, what in NO_TABLES.items():
        if begins.startswith(mark.lower()):
            raise InputError(f"{name} is {what}, not a table: save it as CSV in the program that it comes from.")
    if b"\0" in head and not head.startswith(tuple(BOMS)):
        if wide_encoding(head):
            return "csv"
        raise InputError(
            f"{name} is not a table that is known here (it holds binary data): "
            "give CSV, TSV, JSON lines, libsvm, Parquet, Feather or npz."
        )
    lines = head.splitlines()[:5]
    sparse = all(map(SPARSE_LINE.fullmatch, lines)) and any(b":" in line for line in lines)
    return "libsvm" if sparse else "csv"


@dataclass(frozen=True)
class Sheet:
    """A table of texts that is open for reading: how it is written, and the names of its columns."""

    name: str
    file: BinaryIO
    encoding: str
    delimiter: str
    quoted: bool  # whether a cell may stand between quotes
    columns: list[str]
    skipped: int  # lines up to the end of the header
    longest: int  # bytes of the first line
    header: bool = True  # whether the names of the columns are in the file
    form: str = "CSV"  # what the file is, if its lines are made lines of CSV as they are read


def sniff_sheet(source: OpenFile, reading: Reading) -> Sheet:
    """Look at the head of a CSV file and find how it is written."""
    encoding = reading.encoding or ("utf-8" if plainly_utf8(source) else None)
    encoding = encoding or encoding_of(source.head, source.whole, source.name)
    try:
        text = source.head.decode(encoding, errors="strict" if source.whole else "ignore")
    except LookupError as error:
        raise InputError(f"There is no encoding {encoding!r}: say, for example, --encoding latin-1.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{source.name} is not {encoding} (byte {error.start}): try another --encoding.") from error
    lines = list(io.StringIO(text.removeprefix("\ufeff"), newline=""))  # ends as the rows have them: \n, \r or both
    lines = lines if source.whole else lines[:-1] or lines
    full = [line.rstrip("\r\n") for line in lines if line.strip()]
    other = full and reading.delimiter is None and not plainly_csv(full[0])
    way = reader_of(full, source.name) if other else None
    return (
        csv_sheet(source, reading, encoding, lines) if way is None else converted_sheet(source, reading, encoding, way)
    )


def plainly_utf8(source: OpenFile) -> bool:
    """Whether a file is UTF-8 at its beginning, without a mark and without zero bytes."""
    try:
        marked = source.head.startswith(tuple(BOMS)) or b"\0" in source.head
        return not marked and bool(source.head.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def plainly_csv(line: str) -> bool:
    """Whether the first line of a file has a delimiter, and is no JSON."""
    return any(mark in line for mark in DELIMITERS) and line.lstrip()[:1] not in ("{", "[")


def converted_sheet(source: OpenFile, reading: Reading, encoding: str, way: Way) -> Sheet:
    """The sheet of a file whose lines are made lines of CSV."""
    lines = ConvertedLines(source.file, encoding, way.columns, way.convert)
    with explain_damage(source.name):
        head, file, whole = peek(lines)
    written = OpenFile(source.name, file, head, "csv", whole)
    as_csv = replace(reading, delimiter=",", encoding="utf-8", header=reading.header or bool(way.columns))
    return replace(sniff_sheet(written, as_csv), form=way.form)


def csv_sheet(source: OpenFile, reading: Reading, encoding: str, lines: list[str]) -> Sheet:
    """The sheet of a CSV file with these first lines."""
    comments = count_comments(lines, reading, source.name)
    lines = lines[comments:]
    delimiter = reading.delimiter or sniff_delimiter([line for line in lines if line.strip()])
    quoted = delimiter != "\t" or well_quoted(lines, delimiter)
    reader = csv_records(lines, delimiter, quoted)
    first = next((record for record in reader if record), None)
    if first is None:
        raise InputError(f"{source.name} is empty.")
    columns = check_column_names(first, source.name) if reading.header else [str(k + 1) for k in range(len(first))]
    if len(columns) > MOST_COLUMNS:
        raise InputError(
            f"{source.name} has {len(columns):,} columns in its first line, more than the {MOST_COLUMNS:,} of a table: "
            "if that is meant, give it as libsvm or npz."
        )
    skipped = comments + (reader.line_num if reading.header else 0)
    if reading.header and any(line.endswith("\r") for line in lines[: reader.line_num]):
        check_line_ends(lines, source.name)
    longest = max(map(len, source.head.split(b"\n", 100)[:100]))
    return Sheet(source.name, source.file, encoding, delimiter, quoted, columns, skipped, longest, reading.header)


def check_line_ends(lines: Sequence[str], name: str) -> None:
    """Raise if some lines end with a carriage return alone and others do not: who reads them by bytes counts others."""
    if any(line.endswith("\n") for line in lines):
        raise InputError(
            f"{name} has a carriage return alone in or after the names of its columns, and other ends of lines below: "
            "save it with one kind of them."
        )


def count_comments(lines: list[str], reading: Reading, name: str) -> int:
    """The lines before the table that begin with #, unless the last of them has the names of the columns."""
    count = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if not 0 < count < len(lines):
        return 0
    delimiter = reading.delimiter or sniff_delimiter([line for line in lines[count:] if line.strip()])
    last, first = (len(next(csv_records(lines[k : k + 1], delimiter, quoted=True), ())) for k in (count - 1, count))
    if last == first and first > 1:
        count -= 1
    if count:
        tell(f"{name} begins with {plural(count, 'line')} of comments (#), not read.")
    return count


def csv_records(lines: Iterable[str], delimiter: str, quoted: bool, strict: bool = False) -> Any:
    """A reader of records."""
    csv.field_size_limit(2**31 - 1)
    quoting: Any = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=strict)


def sniff_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that cuts most records into as many cells as the first has, and into most cells; else a comma.

    >>> sniff_delimiter(["a;b", "1,5;2"]), sniff_delimiter(["a"]), sniff_delimiter(["1,5;2,25", "1,75;0,5"])
    (';', ',', ';')
    """

    def agreement(delimiter: str) -> tuple[float, int]:
        widths = [len(record) for record in csv_records(lines[:100], delimiter, quoted=True) if record]
        if not widths or widths[0] < 2:
            return 0.0, 0
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    best = max(DELIMITERS, key=agreement)
    others = DELIMITERS.replace(",", "") if best == "," else ""
    return next((sign for sign in others if agreement(sign)[0] == 1 and has_decimal_commas(lines, sign)), best)


def has_decimal_commas(lines: Sequence[str], delimiter: str) -> bool:
    """Whether all commas of lines cut at another delimiter stand before decimals.

    >>> has_decimal_commas(["1,5;-0,25;yes"], ";"), has_decimal_commas(["a,b;c"], ";")
    (True, False)
    """
    cells = [cell for record in csv_records(lines[:100], delimiter, quoted=True) for cell in record if "," in cell]
    return bool(cells) and all(map(DECIMAL_COMMA.fullmatch, cells))


def well_quoted(lines: list[str], delimiter: str) -> bool:
    """Whether all quotes are closed and stand around whole cells."""
    try:
        for _ in csv_records(lines, delimiter, quoted=True, strict=True):
            pass
    except csv.Error:
        return False
    return True


def check_column_names(first: list[str], file: str) -> list[str]:
    """The names of the columns; a column without one is called by its number."""
    names = [name.strip() or f"column {k + 1}" for k, name in enumerate(first)]
    places: dict[str, int] = {}
    for k, name in enumerate(names):
        if "\0" in name:
            raise InputError(f"{file} has a zero byte in the name of column {k + 1}: save it as CSV in UTF-8.")
        if name in places:
            raise InputError(
                f"{file} has two columns named {name!r} (columns {places[name] + 1} and {k + 1}): rename one of them."
            )
        places[name] = k
    return names


def records(table: Sheet) -> Iterator[list[str]]:
    """The records after the header, each with one cell per column, trimmed."""
    return (list(map(str.strip, record)) for record in raw_records(table))


def raw_records(table: Sheet) -> Iterator[list[str]]:
    """The same, with the spaces around cells."""
    text = io.TextIOWrapper(table.file, encoding=table.encoding, newline="")
    reader = csv_records(text, table.delimiter, table.quoted)
    width, last = len(table.columns), ""
    with explain_damage(table.name):
        try:
            for record in reader:
                if reader.line_num <= table.skipped or not record:
                    continue
                if len(record) != width:
                    raise InputError(ragged_message(table.name, f"line {reader.line_num}", len(record), width))
                last = record[-1]
                yield record
        except csv.Error as error:
            raise InputError(f"{table.name} is not a table at line {reader.line_num}: {error}.") from error
    check_quotes_closed(last, table)


def check_quotes_closed(last: str, table: Sheet) -> None:
    """Raise if the last cell of a file goes on over the end of its line, and no quote closes it."""
    tail = cast(Rejoined, cast(io.BufferedReader, table.file).raw).tail
    if last.endswith(("\n", "\r")) and not tail.rstrip(b"\r\n\0").endswith(b'"'):
        raise InputError(f"{table.name} has a quote that is never closed, in the cell that begins {last[:20]!r}.")


def ragged_message(name: str, place: str, count: int, width: int) -> str:
    """The error message of a record with too few or too many cells."""
    cells = "1 cell" if count == 1 else f"{count} cells"
    return f"{name} has {cells} at {place} where its first line has {width}: mend that line or the delimiter."


def split_names(options: Iterable[str], columns: Iterable[str]) -> list[str]:
    """The columns that options name, each alone or several with commas between."""
    columns = set(columns)
    return [
        name for option in options for name in ([option] if option in columns else map(str.strip, option.split(",")))
    ]
