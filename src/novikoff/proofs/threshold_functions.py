"""Boolean functions that a neuron can compute, with its smallest weights; or a trade that shows that none can.

f is a threshold function if whole numbers w and t have f(x) = 1 exactly where w·x ≥ t.  A trade is a list of points
where f is 1 and one, as long, of points where f is 0, with the same sum: then w·x cannot be at least t on all of the
first and less on all of the second.  Of a function that is no threshold function there is always a trade (Elgot 1961).
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from ..certificates.certificate import Certificate
from .certify import certify

MOST_INPUTS = 12
"""Inputs up to which all points are looked at."""
PAIRS = 8
"""Inputs up to which a trade of two points against two is looked for first."""
OPERATORS: dict[Any, Callable[[list[int]], Any]] = {
    ast.And: all,
    ast.Or: any,
    ast.BitAnd: lambda values: values[0] & values[1],
    ast.BitOr: lambda values: values[0] | values[1],
    ast.BitXor: lambda values: values[0] ^ values[1],
}

Point = tuple[int, ...]


@dataclass(frozen=True)
class ThresholdFunction:
    """What was found of a Boolean function.

    Attributes
    ----------
    inputs : the names of the inputs
    table : the values, the last input changing fastest
    weights, threshold : whole numbers w and t with f(x) = 1 exactly where w·x ≥ t, the least Σ|w| of all, found by an
        integer program and verified; None if there are none
    trade : (points where f is 1, points where f is 0), as many of each, with the same sum; None if there is none
    """

    inputs: list[str]
    table: tuple[int, ...]
    weights: list[int] | None = None
    threshold: int | None = None
    trade: tuple[list[Point], list[Point]] | None = None

    def __bool__(self) -> bool:
        return self.weights is not None

    def holds(self) -> bool:
        """Whether what was found is so, by its definition, at every point.

        >>> threshold_function("a and b").holds(), threshold_function("a ^ b").holds()
        (True, True)
        """
        values = dict(zip(product((0, 1), repeat=len(self.inputs)), self.table, strict=True))
        if self.weights is not None and self.threshold is not None:
            return all((sum(map(mul, self.weights, x)) >= self.threshold) == v for x, v in values.items())
        ones, zeros = self.trade or ([], [])
        sums = [[sum(column) for column in zip(*side, strict=True)] for side in (ones, zeros)]
        same = len(ones) == len(zeros) > 0 and sums[0] == sums[1]
        return same and all(map(values.__getitem__, ones)) and not any(map(values.__getitem__, zeros))

    def certify(self) -> Certificate | None:
        """The proof for ``check``, of the points of the truth table; None of a function that is constant."""
        points = list(product((0, 1), repeat=len(self.inputs)))
        return certify(points, list(self.table)) if len(set(self.table)) == 2 else None

    def summary(self) -> str:
        """A sentence for people.

        >>> print(threshold_function("a or (b and c)").summary())
        1 exactly where 2·a + b + c ≥ 2
        """
        if self.weights is not None:
            terms = [term(v, name) for v, name in zip(self.weights, self.inputs, strict=True) if v]
            left = " + ".join(terms).replace("+ -", "− ").replace("-", "−") or "0"
            return f"1 exactly where {left} ≥ {self.threshold}"
        ones, zeros = (" + ".join("".join(map(str, point)) for point in points) for points in self.trade or ([], []))
        return f"no weights do: {ones} = {zeros}, point by point 1 on the left and 0 on the right"


def term(weight: int, name: str) -> str:
    """A weight times an input."""
    return name if weight == 1 else f"-{name}" if weight == -1 else f"{weight}·{name}"


def threshold_function(f: Any, n: int | None = None) -> ThresholdFunction:
    """Whether a neuron can compute a Boolean function: its smallest weights, or a trade that shows that none can.

    Parameters
    ----------
    f : a truth table of 2**n values, the last input changing fastest; or a function of n values 0 and 1; or an
        expression with and, or, not, &, | and ^, such as "a and (b or not c)", its inputs in the order of their names
    n : the number of inputs of a function; otherwise it is known

    Examples
    --------
    >>> threshold_function("a and not b").weights
    [1, -1]
    >>> threshold_function(lambda a, b: a ^ b, 2).trade
    ([(0, 1), (1, 0)], [(0, 0), (1, 1)])

    References
    ----------
    S. Muroga, Threshold Logic and Its Applications, 1971.
    """
    inputs, table = read_function(f, n)
    if len(inputs) <= PAIRS and (trade := trade_of_pairs(table, len(inputs))) is not None:
        return ThresholdFunction(inputs, table, trade=trade)
    weights = smallest_weights(table, len(inputs))
    if weights is not None:
        return ThresholdFunction(inputs, table, *weights)
    return ThresholdFunction(inputs, table, trade=trade_of_witness(table, len(inputs)))


def read_function(f: Any, n: int | None) -> tuple[list[str], tuple[int, ...]]:
    """The names of the inputs and the truth table."""
    if isinstance(f, str):
        inputs, f = read_expression(f)
        n = len(inputs)
    elif callable(f):
        n = len(inspect.signature(f).parameters) if n is None else n
        inputs = [f"x{k + 1}" for k in range(n)]
    else:
        values = [as_bit(v) for v in f]
        n = max(len(values), 1).bit_length() - 1
        if len(values) != 2**n or not values:
            raise ValueError(f"A truth table has 1, 2, 4, 8, … values, but this one has {len(values)}.")
        check_inputs(n)
        return [f"x{k + 1}" for k in range(n)], tuple(values)
    check_inputs(n)
    return inputs, tuple(as_bit(f(*point)) for point in product((0, 1), repeat=n))


def as_bit(value: Any) -> int:
    """A value of a Boolean function."""
    if np.ndim(value) or value not in (0, 1):
        raise ValueError(f"A Boolean function has the values 0 and 1, but this one has {value!r}.")
    return int(value == 1)


def check_inputs(n: int) -> None:
    """Raise if there are too many inputs."""
    if n > MOST_INPUTS:
        raise ValueError(f"There are {n} inputs, and {MOST_INPUTS} are the most: the truth table has 2^{n} values.")


def read_expression(text: str) -> tuple[list[str], Callable[..., bool]]:
    """The inputs of an expression, and the function that it means."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"The expression {text!r} could not be read: {error.msg}.") from error
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})

    def value(node: ast.AST, known: dict[str, int]) -> int:
        if isinstance(node, ast.Name):
            return known[node.id]
        if isinstance(node, ast.Constant) and node.value in (0, 1):
            return int(node.value == 1)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            return 1 - value(node.operand, known)
        if isinstance(node, ast.BoolOp):
            return int(OPERATORS[type(node.op)]([value(part, known) for part in node.values]))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return int(OPERATORS[type(node.op)]([value(part, known) for part in (node.left, node.right)]))
        allowed = "inputs, 0, 1, and, or, not, &, |, ^ and ~"
        raise ValueError(f"The expression {text!r} may have {allowed}, but not {ast.unparse(node)!r}.")

    value(tree, dict.fromkeys(names, 0))  # a sentence on what it may not have, before it is used
    return names, lambda *point: bool(value(tree, dict(zip(names, point, strict=True))))


@cache
def pairs_by_sum(n: int) -> list[list[tuple[int, int]]]:
    """Pairs of points, as places in the truth table, that have the same sum, where there are several."""
    points = list(product((0, 1), repeat=n))
    sums: dict[Point, list[tuple[int, int]]] = {}
    for (a, p), (b, q) in combinations_with_replacement(enumerate(points), 2):
        sums.setdefault(tuple(map(int.__add__, p, q)), []).append((a, b))
    return [pairs for pairs in sums.values() if len(pairs) > 1]


def trade_of_pairs(table: Sequence[int], n: int) -> tuple[list[Point], list[Point]] | None:
    """Two points where f is 1 and two where it is 0, with the same sum."""
    points = list(product((0, 1), repeat=n))
    for pairs in pairs_by_sum(n):
        one = next((pair for pair in pairs if table[pair[0]] and table[pair[1]]), None)
        if one is None:
            continue
        zero = next((pair for pair in pairs if not (table[pair[0]] or table[pair[1]])), None)
        if zero is not None:
            return [points[k] for k in one], [points[k] for k in zero]
    return None


def smallest_weights(table: Sequence[int], n: int) -> tuple[list[int], int] | None:
    """w and t, the least Σ|w|: w = p − m with p, m ≥ 0, by an integer program; verified, or None."""
    points = np.array(list(product((0, 1), repeat=n)), dtype=float).reshape(2**n, n)
    ones = np.array(table, dtype=bool)
    rows = np.hstack([points, -points, -np.ones((len(points), 1))])  # w·x − t
    limits = LinearConstraint(rows, lb=np.where(ones, 0.0, -np.inf), ub=np.where(ones, np.inf, -1.0))
    cost = np.append(np.ones(2 * n), 0.0)
    bounds = Bounds(np.append(np.zeros(2 * n), -np.inf), np.inf)
    program = milp(cost, constraints=limits, integrality=np.ones(2 * n + 1), bounds=bounds)
    if program.x is None:
        return None
    found = np.rint(program.x).astype(int)
    weights, threshold = (found[:n] - found[n : 2 * n]).tolist(), int(found[-1])
    exact = [int(sum(map(int.__mul__, weights, point)) >= threshold) for point in product((0, 1), repeat=n)]
    return (weights, threshold) if exact == list(table) else None


def trade_of_witness(table: Sequence[int], n: int) -> tuple[list[Point], list[Point]]:
    """A trade of any length: the points of a witness, each as often as its weight."""
    points = list(product((0, 1), repeat=n))
    certificate = certify(points, list(table))
    if not certificate.witness:
        raise ValueError(f"It was not decided whether the function is a threshold function: {certificate.reason}.")
    often = [(points[row], table[row], weight) for row, weight in certificate.witness.items()]
    ones, zeros = ([point for point, value, weight in often for _ in range(weight) if value == v] for v in (1, 0))
    return ones, zeros
