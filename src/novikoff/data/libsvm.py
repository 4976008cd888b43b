"""The lines of libsvm files: "label index:value …", indices from 1 and rising, "qid:…" after the label and what follows
a # not looked at.

Lines written plainly are read by compiled code; others one by one, with Python's ``float`` and ``int``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from ..errors import InputError
from ..passes.parsing import LARGEST_INDEX, gather, read_plain_lines
from .labels import LARGEST
from .open_files import FROM_ZERO


def read_sparse(text: bytes, name: str, lines_before: Callable[[], int]) -> tuple[Any, np.ndarray]:
    """The rows of some lines of a libsvm file as a CSR matrix, and their labels, as whole numbers if all are.

    ``lines_before`` tells, for errors, the lines of the file before these.
    """
    text += b"" if text.endswith(b"\n") else b"\n"
    source = np.frombuffer(text, dtype=np.uint8)
    most, pairs = (int(np.count_nonzero(source == ord(mark))) for mark in "\n:")
    labels, indptr = np.empty(most), np.zeros(most + 1, dtype=np.int32)
    indices, values = np.empty(pairs, dtype=np.int32), np.empty(pairs)
    long_values, counts, at = np.empty((pairs, 3), dtype=np.int32), np.zeros(3, dtype=np.int64), 0
    while (at := read_plain_lines(source, at, counts, labels, indptr, indices, values, long_values)) < len(text):
        end = text.index(b"\n", at) + 1
        try:
            row = read_line(text[at:end])
        except ValueError as error:
            number = lines_before() + text.count(b"\n", 0, at) + 1
            raise InputError(f"{name} is not a libsvm file at line {number}: {error}.") from error
        if row is not None:
            n, first = counts[:2]
            last = first + len(row[1])
            labels[n], indices[first:last], values[first:last], indptr[n + 1] = *row, last
            counts[:2] = n + 1, last
        at = end
    rows, stored, long = counts
    round_long(source, long_values[:long], values)
    indices, labels = indices[:stored], labels[:rows]
    shape = rows, int(indices.max(initial=0)) + 1
    matrix = sp.csr_matrix((values[:stored], indices, indptr[: rows + 1]), shape=shape)
    whole = ((labels == labels.round()) & (np.abs(labels) < LARGEST)).all()
    return matrix, labels.astype(int) if whole else labels


def round_long(text: np.ndarray, spans: np.ndarray, values: np.ndarray) -> None:
    """Put numbers with many digits or large exponents in their places."""
    if not len(spans):
        return
    joined = np.empty(int((spans[:, 2] - spans[:, 1]).sum()), dtype=np.uint8)
    offsets = np.empty(len(spans) + 1, dtype=np.int32)
    gather(text, spans, joined, offsets)
    texts = pa.StringArray.from_buffers(len(spans), pa.py_buffer(offsets), pa.py_buffer(joined))
    try:
        values[spans[:, 0]] = texts.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:  # beyond the largest float, or another form that pyarrow does not know
        values[spans[:, 0]] = [float(number) for number in texts.to_pylist()]


def read_line(line: bytes) -> tuple[float, list[int], list[float]] | None:
    """The label, the indices from 0 and the values of a line; None of a line without any.

    >>> read_line(b"+1_0 qid:7 1:.5 3:1e-3 # a comment"), read_line(b"# nothing")
    ((10.0, [0, 2], [0.5, 0.001]), None)
    """
    tokens = line.partition(b"#")[0].split()
    if not tokens:
        return None
    pairs = [token.partition(b":") for token in tokens[1:]]
    if pairs and pairs[0][0] == b"qid" and pairs[0][1]:
        del pairs[0]
    label, indices, last = float(tokens[0]), [], 0
    for index, colon, _ in pairs:
        if not colon:
            raise ValueError(f"{index.decode(errors='replace')!r} is not index:value")
        if index == b"0":
            raise ValueError(FROM_ZERO)
        if not last < int(index) <= LARGEST_INDEX:
            raise ValueError(f"the index {int(index)} after {last}, where indices begin at 1 and rise")
        last = int(index)
        indices.append(last - 1)
    return label, indices, [float(value) for _, _, value in pairs]
