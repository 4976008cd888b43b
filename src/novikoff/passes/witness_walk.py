"""From witness to witness: the vertices of {p ≥ 0, Zᵀp = 0, Σp = 1}, by pivots of a tableau, to those of little cost.

A linear program finds the vertex of least Σ c·p.  What a packing asks for is the one of least Σ c over the rows with
p > 0, which a linear program does not see; so neighbours are compared by that, and the best is gone to.

``tableau[k]`` is column k of B⁻¹[A, b, b′], its entries next to each other: A is [Zᵀ; 1] with a column per row of the
data, b its right side, whose column holds the weights p of the basis; b′ is b moved a little, so that no weight in its
column is zero and every basis has its own neighbours, even where p has many zeros.
"""

import numpy as np

from .compiled import compiled

NOTHING = 1e-9
"""Entries below are rounding, and weights below are zero."""
APART = 1e-6
"""How far, at most, the second right side is from the first."""


@compiled
def pivot(tableau, basis, r, j):
    """Let row j of the data into the basis, at place r."""
    entering = tableau[j].copy()
    basis[r] = j
    for k in range(tableau.shape[0]):
        share = tableau[k, r] / entering[r]
        if share != 0:
            for i in range(entering.shape[0]):
                tableau[k, i] -= share * entering[i]
            tableau[k, r] = share


@compiled
def start(tableau, rows, draws):
    """The basis that holds these rows of the data, and more by chance; so short as the columns have rank.

    Only ``tableau[: -1]`` is given; the moved right side is made here.  ``draws`` from [0, 1), one for every row of the
    data and one for every equation.
    """
    n, height = tableau.shape[0] - 2, tableau.shape[1]
    basis = np.full(height, -1)
    given = np.zeros(n)
    given[rows] = 1.0
    for j in np.argsort(draws[:n] - given):
        r, largest = -1, NOTHING
        for i in range(height):
            if basis[i] < 0 and abs(tableau[j, i]) > largest:
                r, largest = i, abs(tableau[j, i])
        if r >= 0:
            pivot(tableau, basis, r, j)
    for i in range(height):
        tableau[n + 1, i] = tableau[n, i] + (APART * (1 + draws[n + i]) / 2 if basis[i] >= 0 else 0.0)
    return basis


@compiled
def leaving(tableau, j):
    """The place that row j of the data would take in the basis; −1 if none."""
    r, least = -1, np.inf
    for i in range(tableau.shape[1]):
        if tableau[j, i] > NOTHING and tableau[-1, i] / tableau[j, i] < least:
            r, least = i, tableau[-1, i] / tableau[j, i]
    return r


@compiled
def cost_of(tableau, basis, costs):
    """The costs of the rows of the witness, added up."""
    total = 0.0
    for i in range(basis.shape[0]):
        if tableau[-2, i] > NOTHING:
            total += costs[basis[i]]
    return total


@compiled
def cost_after(tableau, basis, costs, r, j):
    """The same after row j of the data would have taken place r."""
    p = tableau[-2, r] / tableau[j, r]
    total = costs[j] if p > NOTHING else 0.0
    for i in range(basis.shape[0]):
        if i != r and tableau[-2, i] - p * tableau[j, i] > NOTHING:
            total += costs[basis[i]]
    return total


@compiled
def descend(tableau, basis, costs, live):
    """Pivots to the neighbour of least cost, until none costs less."""
    here = cost_of(tableau, basis, costs)
    while True:
        best, least, place = -1, here - NOTHING, -1
        for j in live:
            r = leaving(tableau, j)
            if r < 0:
                continue
            cost = cost_after(tableau, basis, costs, r, j)
            if cost < least:
                best, least, place = j, cost, r
        if best < 0:
            return
        pivot(tableau, basis, place, best)
        here = least


@compiled
def walk(tableau, basis, costs, live, draws):
    """From here some steps by chance, as many as a row of ``draws`` has numbers, then down; once per row of it.

    ``costs`` has a row for each.  The witnesses at the ends, a row each: 1 for the rows of the data that are in it.
    """
    ends = np.zeros((draws.shape[0], tableau.shape[0] - 2), np.bool_)
    for t in range(draws.shape[0]):
        for draw in draws[t]:
            j = live[int(draw * live.shape[0])]
            r = leaving(tableau, j)
            if r >= 0:
                pivot(tableau, basis, r, j)
        descend(tableau, basis, costs[t], live)
        for i in range(basis.shape[0]):
            if tableau[-2, i] > NOTHING:
                ends[t, basis[i]] = True
    return ends
