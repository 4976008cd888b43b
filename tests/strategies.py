"""Random integer data, on which every operation of the passes is exact."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


@st.composite
def grids(draw, classes=2, max_rows=12, max_features=4, largest=4):
    """X of small whole numbers, as float64, for which most code is compiled anyhow, and y with every class present."""
    n = draw(st.integers(classes, max_rows))
    d = draw(st.integers(1, max_features))
    X = draw(arrays(np.int64, (n, d), elements=st.integers(-largest, largest))).astype(np.float64)
    y = draw(arrays(np.int64, n, elements=st.integers(0, classes - 1)))
    y[:classes] = np.arange(classes)
    return X, y


@st.composite
def separable(draw):
    """Integer data with a plane between the classes: the label is the side of a random integer plane."""
    X, _ = draw(grids())
    w = draw(arrays(np.int64, X.shape[1], elements=st.integers(-3, 3)))
    scores = 2 * (X @ w) + 2 * draw(st.integers(-6, 6)) + 1
    y = (scores > 0).astype(int)
    if y.min() == y.max():
        X = np.vstack([X, X[:1] * 0])
        y = np.append(y, 1 - y[0])
        X = np.column_stack([X, y * 2 - 1])
    return X, y


orders = st.sampled_from(["cyclic", "shuffled", "active"])
