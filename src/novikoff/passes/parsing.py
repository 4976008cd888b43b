"""Numbers out of the lines of libsvm files, correctly rounded.

A decimal m·10ᵏ with m ≤ 2⁵³ and |k| ≤ 22 is one product or quotient of two numbers that are floats, which the processor
rounds correctly; others are left to whoever called.
"""

import numpy as np

from .compiled import compiled

TENS = np.array([10.0**k for k in range(23)])
"""The powers of ten that are floats."""
LARGEST_TEN = len(TENS) - 1
LARGEST_EXACT = 2**53
MOST_DIGITS = 18
"""Digits that are a number of 64 bits, whichever they are."""
LARGEST_INDEX = 2**31 - 1
NEWLINE, SPACE, HASH, PLUS, MINUS, POINT, COLON, ZERO = map(int, b"\n #+-.:0")
UPPER_E, LOWER_E, LOWER_Q, LOWER_I, LOWER_D = map(int, b"Eeqid")


@compiled
def is_blank(byte):
    """Whether it stands between the tokens of a line: a tab, a vertical one, a form feed, a return, a space."""
    return byte == SPACE or (9 <= byte <= 13 and byte != NEWLINE)


@compiled
def ends_token(byte):
    """Whether a token ends before this byte."""
    return byte in (NEWLINE, HASH) or is_blank(byte)


@compiled
def is_digit(byte):
    return ZERO <= byte <= ZERO + 9


@compiled
def is_exact(mantissa, digits, exponent):
    """Whether a number of so many digits times a power of ten takes one rounding."""
    return digits <= MOST_DIGITS and mantissa <= LARGEST_EXACT and -LARGEST_TEN <= exponent <= LARGEST_TEN


@compiled
def rounded(mantissa, exponent, negative):
    """A number times a power of ten, if that is exact, correctly rounded."""
    value = mantissa * TENS[exponent] if exponent >= 0 else mantissa / TENS[-exponent]
    return -value if negative else value


@compiled
def read_plain_lines(text, at, counts, labels, indptr, indices, values, long_values):
    """Read the lines of a libsvm file from ``at`` to the end, or to one that is not written plainly: returns where.

    The last line must end.  ``counts`` are the rows, values and long values so far; of a long value its number, its
    beginning and its end are kept.  A line is a label, maybe a query, and pairs index:value; it is read in one
    function, since calls with an array count the references to it, which takes ten times as long.
    """
    rows, count, long_count = counts
    begin, tokens, last = at, 0, np.int64(0)  # of the line: where it begins, its tokens so far, and the last index
    while at < len(text):
        byte = text[at]
        if is_blank(byte):
            at += 1
            continue
        if byte in (NEWLINE, HASH):
            while text[at] != NEWLINE:
                at += 1
            at += 1
            if tokens:
                rows += 1
                indptr[rows] = count
                counts[0], counts[1], counts[2] = rows, count, long_count
            begin, tokens, last = at, 0, np.int64(0)
            continue

        tokens += 1
        if (
            tokens == 2
            and byte == LOWER_Q
            and text[at + 1] == LOWER_I
            and text[at + 2] == LOWER_D
            and text[at + 3] == COLON
        ):
            while not ends_token(text[at]):
                at += 1
            continue
        if tokens > 1:
            index, first = np.int64(0), at
            while is_digit(text[at]):
                index = index * 10 + (np.int64(text[at]) - ZERO)
                at += 1
            if not last < index <= LARGEST_INDEX or at - first > MOST_DIGITS or text[at] != COLON:
                return begin
            last = index
            at += 1

        number = at
        negative = text[at] == MINUS
        if negative or text[at] == PLUS:
            at += 1
        mantissa, first, point = np.int64(0), at, np.int64(-1)
        while is_digit(text[at]) or (text[at] == POINT and point < 0):
            if text[at] == POINT:
                point = at
            else:
                mantissa = mantissa * 10 + (np.int64(text[at]) - ZERO)
            at += 1
        digits, exponent = at - first, np.int64(0)
        if point >= 0:
            digits, exponent = digits - 1, point + 1 - at
        if digits == 0:
            return begin
        if text[at] == LOWER_E or text[at] == UPPER_E:
            at += 1
            below = text[at] == MINUS
            if below or text[at] == PLUS:
                at += 1
            power, first = np.int64(0), at
            while is_digit(text[at]):
                power = power * 10 + (np.int64(text[at]) - ZERO)
                at += 1
            if at == first:
                return begin
            exponent += -power if below else power
            digits = max(digits, at - first)
        if not ends_token(text[at]):
            return begin

        exact = is_exact(mantissa, digits, exponent)
        if tokens == 1:
            if not exact:
                return begin
            labels[rows] = rounded(mantissa, exponent, negative)
            continue
        if exact:
            values[count] = rounded(mantissa, exponent, negative)
        else:
            long_values[long_count, 0], long_values[long_count, 1], long_values[long_count, 2] = count, number, at
            long_count += 1
        indices[count] = index - 1
        count += 1
    return at


@compiled
def gather(text, spans, out, offsets):
    """The texts from each beginning to its end, one after the other, and where each begins."""
    size = 0
    for k in range(len(spans)):
        offsets[k] = size
        for at in range(spans[k, 1], spans[k, 2]):
            out[size] = text[at]
            size += 1
    offsets[len(spans)] = size
