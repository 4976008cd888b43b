"""The compiled reader of libsvm lines reads what scikit-learn's reads, and every number as Python's float does."""

import io

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from novikoff.data.libsvm import read_sparse
from novikoff.errors import InputError
from novikoff.scale.block_files import file_of
from novikoff.scale.blocks import Blocks

DIGITS = st.text("0123456789", max_size=25)
DECIMALS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    DIGITS,
    st.sampled_from(["", "."]),
    DIGITS,
    st.sampled_from(["", "e5", "E-7", "e+22", "e-22", "e23", "e-330", "e400", "e-99999999999999999999"]),
).filter(lambda text: any(c.isdigit() for c in text.split("e")[0].split("E")[0]))
NUMBERS = DECIMALS | st.floats(allow_nan=False).map(repr) | st.integers().map(str)
ODD = st.sampled_from(["nan", "inf", "-Infinity", "1_0", "0x1", "", ".", "-", "1e", "1:2", "é", "\0", "--1", "1..2"])
INDICES = st.integers(-1, 12).map(str) | st.sampled_from(["+3", "1_1", "2147483647", "2147483648", "a", "", "9" * 20])
PAIRS = st.builds("{}:{}".format, INDICES, NUMBERS | ODD) | st.sampled_from(["qid:3", "qid:", "qid", "5", ":"])


def numbered(values):
    """Values with indices from 1 on."""
    return [f"{j + 1}:{value}" for j, value in enumerate(values)]


BLANKS = st.sampled_from([" ", "  ", "\t", " \r", "\x0b", "\x0c"])
LINES = st.builds(
    lambda label, pairs, blank, end: blank.join([label, *pairs]) + end,
    NUMBERS | ODD,
    st.lists(PAIRS, max_size=3) | st.lists(NUMBERS, max_size=5).map(numbered),
    BLANKS,
    st.sampled_from(["", " ", "\r", " # 7:8", "#"]),
)


def ours(text):
    X, y = read_sparse(text, "a file", int)
    return X.shape, X.indptr.tolist(), X.indices.tolist(), X.data.tobytes(), y.astype(float).tobytes()


def theirs(text):
    X, y = load_svmlight_file(io.BytesIO(text), zero_based=False)
    return X.shape, X.indptr.tolist(), X.indices.tolist(), X.data.tobytes(), y.tobytes()


@given(st.lists(LINES, max_size=4).map("\n".join), st.booleans())
@example("1 qid:1\n2 qid:1 1:3", False)
@example("1 qid:1 qid:2 1:3", False)
@example("", False)
def test_lines_are_read_as_scikit_learn_reads_them(text, ends):
    text = text.encode() + b"\n" * ends
    try:
        right = theirs(text)
    except (ValueError, OverflowError):
        with pytest.raises(InputError, match="not a libsvm file at line"):
            ours(text)
    else:
        assert ours(text) == right


@given(st.lists(NUMBERS, min_size=1, max_size=30))
@example(["9007199254740992", "9007199254740993", "9007199254740993e22", "1e23", "-0", "0e99", "1e-400", "1e400"])
@example(["123456789012345678", "1234567890123456789", "0.0000000000000000000001", "8.5e-22", "1e-23"])
def test_numbers_are_rounded_as_float_rounds_them(numbers):
    pairs = " ".join(f"{j + 1}:{number}" for j, number in enumerate(numbers))
    X, _ = read_sparse(f"1 {pairs}\n".encode(), "a file", int)
    assert X.data.tobytes() == np.array([float(number) for number in numbers]).tobytes()


def test_an_error_names_the_line_wherever_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.scale.block_files.RANGE_BYTES", 16)
    path = tmp_path / "data.libsvm"
    path.write_text("1 1:2\n-1 1:3\n" * 10 + "# more\n1 2:1 2:3\n" + "1 1:2\n-1 1:3\n" * 3)
    blocks = Blocks((file_of(str(path), None),), "label", None)
    with pytest.raises(InputError, match="at line 22: the index 2 after 2, where indices begin at 1 and rise"):
        blocks.label_counts()
    with pytest.raises(InputError, match="at line 22"):
        read_sparse(path.read_bytes(), str(path), int)


def test_labels_are_whole_numbers_if_all_are():
    assert read_sparse(b"1 1:1\n-1.0 1:2\n", "", int)[1].tolist() == [1, -1]
    assert read_sparse(b"1 1:1\n1e400 1:2\n", "", int)[1].tolist() == [1.0, float("inf")]
