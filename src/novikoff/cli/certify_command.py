"""``novikoff certify`` and ``novikoff check``: is it separable, with a proof that anyone can check."""

import sys
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError
from ..language.translate import translated, translated_part
from . import options
from .app import UNDECIDED, command, print_json

SHARE_OF_MEMORY = 1 / 32
"""The part of the free memory up to which a file is read into it for a proof: exact numbers take much room."""
Stream = Annotated[
    bool,
    typer.Option("--stream", help="Read the data again in every pass; done by itself for folders and large files."),
]


class Several(StrEnum):
    """The questions that more than two classes pose."""

    OVR = "ovr"
    OVO = "ovo"


class Space(StrEnum):
    """The kernels whose feature spaces proofs speak of; the linear one is that of the rows themselves."""

    LINEAR = "linear"
    POLY = "poly"
    RBF = "rbf"


@command("novikoff certify data.csv --target y -o proof.json")
def certify(
    data: options.Data,
    target: options.Target = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the proof to this file.")
    ] = None,
    json: options.Json = False,
    multi_class: Annotated[Several, typer.Option(help="Each class against the rest, or each pair.")] = Several.OVR,
    intercept: Annotated[bool, typer.Option(help="Whether planes need not go through the origin.")] = True,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="Seconds after which a question is left open.")
    ] = None,
    quasi: Annotated[
        bool,
        typer.Option(
            "--quasi", help="Where no plane separates, tell quasi-separation from overlap however long it takes."
        ),
    ] = False,
    fewest_errors: Annotated[
        bool, typer.Option("--fewest-errors", help="Look for the plane with the fewest errors instead.")
    ] = False,
    lang: options.Lang = options.Language.EN,
    stream: Stream = False,
    categorical: options.Categorical = None,
    drop: options.Drop = None,
    missing: options.MissingRows = options.Incomplete.REFUSE,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    no_header: options.NoHeader = False,
) -> None:
    """Decide, with a proof, whether a plane separates the classes: separable, quasi-separable or inseparable.

    With --fewest-errors: a plane that makes few errors, and how few any plane can make, proved as far as a minute (or
    --time-limit) allows.  Numbers mean the decimals written in the file, exactly; categories become columns of 0 and 1,
    one per category.
    """
    options.check_outputs([data], output=output)
    how = options.reading(delimiter, encoding, no_header, na, decimal, missing is options.Incomplete.DROP)
    categorical, drop = categorical or [], drop or []
    if Path(data).is_file():
        from ..data.open_files import check_file

        check_file(str(data), how, target, options.column_options(categorical=categorical, drop=drop))
    if stream := stream or streams(data):
        check_in_passes(data, {"--fewest-errors": fewest_errors, "--categorical": categorical, **not_in_passes(how)})
        table, X, y = in_passes(data, target, how, drop)
    else:
        table, X, y = in_memory(data, target, how, categorical, drop)
    from .show import show_certificate

    asked: dict[str, Any] = {"fit_intercept": intercept, "verbose": int(not json and sys.stderr.isatty())}
    answers: Any
    if fewest_errors:
        from ..exact.limits import LONG_ENOUGH
        from ..proofs.fewest_errors import fewest_errors as search_errors

        answers = search_errors(X, y, time_limit=LONG_ENOUGH if time_limit is None else time_limit, **asked)
    else:
        from ..proofs.certify import certify as search

        answers = search(X, y, time_limit=time_limit, multi_class=multi_class.value, quasi=quasi or None, **asked)
    certificates = dict(answers) if hasattr(answers, "items") else {None: answers}
    proofs = [certificate.proof for certificate in certificates.values() if certificate.proof is not None]
    if output and proofs:
        from ..certificates.stored_proof import write_proof
        from ..proofs.proof_json import with_reading
        from ..workflow.remembered import reading_for_proof

        columns = {"target": target, "categorical": categorical, "drop": drop, "rewritten": list(table.rewritten)}
        read = reading_for_proof(data, how, **columns)
        written = [with_reading(proof, read) for proof in proofs]
        write_proof(output, written if len(certificates) > 1 else written[0])
    if json:
        print_json(as_json(table, certificates, output if proofs else None))
    else:
        flags = {"--no-intercept": not intercept, "--float64": rounded(table, proofs)}
        flags["--stream"] = stream and not streams(data)
        again = options.check_again(output, data, flags)
        summary = answers.summary(first=1) if fewest_errors else answers.summary()
        show_certificate(table, summary, output if proofs else None, again)
    if any(getattr(certificate, "verdict", "") == "unknown" for certificate in certificates.values()):
        raise typer.Exit(UNDECIDED)


def not_in_passes(how: Any) -> dict[str, Any]:
    """What is said of a file that is not known where it is read in passes."""
    return {"--missing drop": how.drop_incomplete, "--decimal ,": how.decimal == ",", "--na": how.missing}


def check_in_passes(data: str, asked: dict[str, Any]) -> None:
    """Raise if something is asked for that needs all rows in memory."""
    for option, value in asked.items():
        if value:
            raise InputError(f"{option} needs all rows in memory, and {data} is read in passes: leave one of them out.")


def streams(data: str) -> bool:
    """Whether data is read in passes unasked."""
    from ..data.open_files import is_large

    return is_large(data, SHARE_OF_MEMORY)


def in_memory(data: str, target: str | None, how: Any, categorical: list[str], drop: list[str]) -> tuple[Any, Any, Any]:
    """The table of a file, and its numbers and labels as the search takes them."""
    from ..data.column_notes import tell_row_numbers
    from ..data.decimal_table import row_number_columns, search_labels, search_matrix, table_for_search

    table = table_for_search(data, how, target, categorical, drop)
    tell_row_numbers(row_number_columns(table))
    return table, search_matrix(table), search_labels(table)


def in_passes(data: str, target: str | None, how: Any, drop: list[str]) -> tuple[Any, Any, None]:
    """What is known of files that are not read into memory, and where their rows come from."""
    from ..data.exact_table import ExactTable
    from ..scale.exact_sources import file_source

    source = file_source(data, target, how, options.column_options(drop=drop))
    return ExactTable(source.names, range(source.rows), [], data, {}), source, None


def rounded(table: Any, proofs: list[Any]) -> bool:
    """Whether the proofs speak of float64 numbers to which decimals were rounded."""
    from ..data.exact_table import whole

    if isinstance(table.rows, range):  # read in passes: a libsvm file has no names
        return table.columns is None
    if not isinstance(table.rows, list):
        return False
    cells = table.rows[0].values() if isinstance(table.rows[0], dict) else table.rows[0]
    texts = any(isinstance(cell, str) for cell in cells)
    return texts and any(proof["numbers"] == "float64" for proof in proofs) and not whole(table.rows)


def as_json(table: Any, certificates: dict[Any, Any], output: Path | None) -> dict[str, Any]:
    """The answers as JSON has them."""
    return {
        "file": table.name,
        "rows": len(table.rows),
        "columns": table.columns,
        "categories": table.encoded,
        "proof": str(output) if output else None,
        "questions": [question(key, certificate) for key, certificate in certificates.items()],
    }


def question(key: Any, certificate: Any) -> dict[str, Any]:
    """The question's classes and its answer."""
    classes = None if key is None else [str(part) for part in (key if isinstance(key, tuple) else (key,))]
    return {"classes": classes, "summary": certificate.summary(), **certificate.to_dict()}


@command("novikoff check proof.json data.csv --target y")
def check(
    proof: Annotated[Path, typer.Argument(metavar="PROOF", help="A file that novikoff certify -o wrote.")],
    data: options.Data,
    target: options.Target = None,
    json: options.Json = False,
    positive: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The class whose question is meant, of more than two.")
    ] = None,
    negative: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The class it is asked against, if not the rest.")
    ] = None,
    intercept: Annotated[bool, typer.Option(help="Whether planes need not go through the origin.")] = True,
    kernel: Annotated[Space, typer.Option(help="The kernel in whose feature space the planes are.")] = Space.LINEAR,
    float64: Annotated[bool, typer.Option("--float64", help="Decimals mean the float64 nearest to them.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Accept proofs that leave out classes or pairs.")] = False,
    formula: Annotated[
        str | None, typer.Option(metavar="FORMULA", help="Of a regression: the formula it was asked with.")
    ] = None,
    verified: Annotated[bool, typer.Option("--verified", help="Ask the checker that is itself proved.")] = False,
    lang: options.Lang = options.Language.EN,
    stream: Stream = False,
    categorical: options.Categorical = None,
    drop: options.Drop = None,
    missing: Annotated[
        options.Incomplete | None,
        typer.Option(
            help="Rows with missing values: stop, or leave them out; by default as the proof says.",
            rich_help_panel=options.COLUMNS,
        ),
    ] = None,
    na: options.Na = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    decimal: options.Decimal = None,
    no_header: options.NoHeader = False,
) -> None:
    """Verify a proof against the data, independently of how it was found: exit code 0 accepted, 1 refused, 3 malformed.

    The proof must answer the question that you mean: two classes and planes with an intercept, unless you name
    another.  The file is read as the proof says that it was, which is printed, unless options say otherwise.
    """
    from ..certificates.check import Asked, as_options, check_file, exit_code
    from ..workflow.remembered import kept_reading, reading_for_check, remembered_reading

    given = kept_reading(options.reading(delimiter, encoding, no_header, na, decimal))
    if missing is not None:
        given["drop_incomplete"] = missing is options.Incomplete.DROP
    columns = {"target": target, "formula": formula, "categorical": categorical, "drop": drop}
    given |= {name: value for name, value in columns.items() if value}
    read, taken = reading_for_check(proof, data, given)
    if taken and not json:
        print(translated(f"read as the proof says: {as_options(taken)}"))
    by_formula = None
    if (formula := read.get("formula")) is not None:
        from ..regression.file_designs import design_of_formula, family_of

        by_formula = design_of_formula(data, remembered_reading({"reading": read}), formula, family_of(proof))
        intercept = by_formula[2]
    bar = not json and sys.stderr.isatty()
    verdicts = check_file(
        proof,
        lambda family, _: by_formula[:2] if by_formula else rows_to_check(proof, data, read, family, stream, bar),
        Asked(positive, negative, intercept, kernel.value, float64),
        complete=not partial,
        judge_rows=proved_judge() if verified else None,
    )
    show_verdicts(verdicts, taken, json)
    if not all(verdicts):
        raise typer.Exit(exit_code(verdicts))


def rows_to_check(
    proof: Path, data: str, read: dict[str, Any], family: str | None, stream: bool, bar: bool
) -> tuple[Any, Any]:
    """The rows of a file that is read in this way, and the class or, of a regression, the response of each.

    They come in passes if that is asked for, or memory has no room for them.
    """
    from ..data.exact_table import exact_table
    from ..workflow.remembered import remembered_reading

    how = remembered_reading({"reading": read})
    target, categorical, drop = (read.get(name) for name in ("target", "categorical", "drop"))
    whole = {"a column of categories or in another notation than plain decimals": in_columns_of_texts(proof, read)}
    if family is None and (stream or (streams(data) and not any(whole.values()))):
        check_in_passes(data, not_in_passes(how) | whole)
        rows, labels = rows_in_passes(data, target, how, drop or [])
    else:
        table = exact_table(data, how, target, categorical or (), drop or (), family)
        rows, labels = table.rows, table.labels
    return shown(rows) if bar else rows, labels


def proved_judge() -> Any:
    """The checker that is itself proved, in the place of the one that is read."""
    from ..certificates.verified import NOT_BUILT, check_verified, program

    if program() is None:
        raise InputError(NOT_BUILT)
    return check_verified


def show_verdicts(verdicts: list[Any], taken: dict[str, Any], json: bool) -> None:
    """What the checker says, and how the file was read because the proof says so."""
    from ..certificates.check import lines

    if json:
        sentences = [verdict.sentence for verdict in verdicts]
        found = {"accepted": all(verdicts), "questions": [v.question for v in verdicts], "sentences": sentences}
        print_json(found | {"read_as_proved": taken})
    else:
        for line in lines(verdicts):
            print(translated(line))


def in_columns_of_texts(proof: Path, read: dict[str, Any]) -> bool:
    """Whether a proof is about numbers that stand for texts of the file."""
    from ..certificates.stored_proof import claims_in

    names = next((claim.get("names") for claim in claims_in(proof)), None)
    encoded = isinstance(names, list) and any(" = " in str(name) for name in names)
    return bool(read.get("categorical") or read.get("rewritten") or encoded)


def shown(rows: Any) -> Any:
    """The same rows, with a bar while they are read."""
    from rich.console import Console
    from rich.progress import track

    from ..data.streamed_table import ReadRows

    console = Console(stderr=True)
    return ReadRows(
        len(rows), lambda: iter(track(rows, translated_part("rows"), len(rows), console=console, transient=True))
    )


def rows_in_passes(data: str, target: str | None, how: Any, drop: list[str]) -> tuple[Any, Any]:
    """The rows of files that are not read into memory, and the class of each."""
    from ..data.open_files import files_named, open_file
    from ..data.streamed_table import ReadRows, streamed_table

    first = open_file(files_named(data)[0])
    first.file.close()
    if first.format in ("csv", "libsvm"):
        return streamed_table(data, how, target, drop)
    from ..proofs.certify import python_rows
    from ..scale.exact_sources import file_source

    source = file_source(data, target, how, options.column_options(drop=drop))
    return ReadRows(
        source.rows, lambda: chain.from_iterable(python_rows(b.numbers) for b in source.batches())
    ), source.labels()
