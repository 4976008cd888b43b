"""The nonzeros of dense rows, where these are mostly zeros: as those of images, and of columns of categories."""

import numpy as np

from .compiled import compiled


@compiled
def write_nonzeros(X, values, columns, starts, least, largest):
    """Write the nonzeros of every row, one row after the other: their values, their features, where each row starts.

    ``least`` and ``largest`` are numbers as those of X.  Returns how many nonzeros there are; or −1 if there may be no
    room for those of a row, or if one is not from least to largest or not as it was once it is written.
    """
    k, d = np.uint64(0), np.uint64(X.shape[1])
    for i in range(np.uint64(X.shape[0])):
        x, start = X[i], k
        starts[i] = start
        if start + d > np.uint64(values.shape[0]):
            return -1
        for j in range(d):  # without a branch; what is written of a zero is overwritten by the next
            values[k], columns[k] = min(max(x[j], least), largest), j
            k += np.uint64(x[j] != 0)
        wrong = 0
        for at in range(start, k):
            wrong += values[at] != x[np.uint64(columns[at])]
        if wrong:
            return -1
    starts[X.shape[0]] = k
    return np.int64(k)
