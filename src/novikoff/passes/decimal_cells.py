"""Decimals out of the bytes of a CSV file that is written plainly, and ratios as the bytes that a proof digests."""

import numpy as np

from .compiled import compiled
from .parsing import MOST_DIGITS

RETURN, NEWLINE, SPACE, PLUS, MINUS, POINT, SLASH, ZERO, COLON, UPPER_E, LOWER_E = map(int, b"\r\n +-./0:Ee")
TENS = np.array([10**k for k in range(MOST_DIGITS + 1)], dtype=np.int64)
NUMBER, LABEL, LEFT_OUT = 0, 1, 2
"""What a column is."""


@compiled
def read_cells(text, delimiter, kinds, whole, places, labels):
    """Read all rows, of which the last must end; returns how many, or −1 if a cell or a line is not written plainly.

    A number is ``whole`` / 10^``places``, without zeros at its end; of a label its beginning and its end are kept.
    """
    at, row, end = 0, 0, len(text)
    while at < end:
        if text[at] == NEWLINE or (text[at] == RETURN and text[at + 1] == NEWLINE):
            at += 1 if text[at] == NEWLINE else 2
            continue
        column = 0
        for k in range(len(kinds)):
            if kinds[k] == NUMBER:
                negative = text[at] == MINUS
                if negative or text[at] == PLUS:
                    at += 1
                number, digits, place, power = np.int64(0), 0, 0, np.int64(0)
                while ZERO <= text[at] < ZERO + 10:
                    number, digits, at = number * 10 + (text[at] - ZERO), digits + 1, at + 1
                if text[at] == POINT:
                    at += 1
                    while ZERO <= text[at] < ZERO + 10:
                        number, digits, place, at = number * 10 + (text[at] - ZERO), digits + 1, place + 1, at + 1
                if digits == 0 or digits > MOST_DIGITS:
                    return -1
                if text[at] == LOWER_E or text[at] == UPPER_E:
                    at += 1
                    below = text[at] == MINUS
                    if below or text[at] == PLUS:
                        at += 1
                    first = at
                    while ZERO <= text[at] < ZERO + 10 and at < first + 4:
                        power, at = power * 10 + (text[at] - ZERO), at + 1
                    if at == first:
                        return -1
                    place += power if below else -power
                while place > 0 and number % 10 == 0 and number != 0:
                    number, place = number // 10, place - 1
                if number == 0:
                    place = 0
                if place < 0:
                    if place < -MOST_DIGITS or number > TENS[MOST_DIGITS + place]:
                        return -1
                    number, place = number * TENS[-place], 0
                if place > MOST_DIGITS:
                    return -1
                whole[row, column], places[row, column] = -number if negative else number, place
                column += 1
            else:
                first = at
                while text[at] != delimiter and text[at] != NEWLINE and text[at] != RETURN:
                    if text[at] < 32 and text[at] != 9:
                        return -1
                    at += 1
                if kinds[k] == LABEL:
                    labels[row, 0], labels[row, 1] = first, at
            if k < len(kinds) - 1:
                if text[at] != delimiter:
                    return -1
            else:
                if text[at] == RETURN:
                    at += 1
                if text[at] != NEWLINE:
                    return -1
            at += 1
        row += 1
    return row


@compiled
def align(whole, places, most):
    """Bring every column to its most places; False if a number then has more than 18 digits."""
    for i in range(whole.shape[0]):
        for j in range(whole.shape[1]):
            missing = most[j] - places[i, j]
            if missing:
                if abs(whole[i, j]) > TENS[MOST_DIGITS - missing]:
                    return False
                whole[i, j] *= TENS[missing]
    return True


@compiled
def write_digits(out, at, number):
    """Write a whole number that is not negative; returns where it ends."""
    count, rest = 1, number // 10
    while rest:
        count, rest = count + 1, rest // 10
    for k in range(at + count - 1, at - 1, -1):
        out[k] = ZERO + number % 10
        number //= 10
    return at + count


@compiled
def write_ratios(whole, over, out):
    """Write "column:above/below", in lowest terms, of what is not 0, a line per row; returns how many bytes."""
    at = 0
    for i in range(whole.shape[0]):
        empty = True
        for j in range(whole.shape[1]):
            number = whole[i, j]
            if number == 0:
                continue
            if not empty:
                out[at] = SPACE
                at += 1
            empty = False
            size = abs(number)
            divisor, rest = over[j], size % over[j]
            while rest:
                divisor, rest = rest, divisor % rest
            at = write_digits(out, at, np.int64(j))
            out[at] = COLON
            at += 1
            if number < 0:
                out[at] = MINUS
                at += 1
            at = write_digits(out, at, size // divisor)
            out[at] = SLASH
            at = write_digits(out, at + 1, over[j] // divisor)
        out[at] = NEWLINE
        at += 1
    return at
