"""exp in SIMD, for the Gaussian kernel."""

import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from .compiled import OPTIONS

LOG2_E = 1 / math.log(2)
TAYLOR = [1 / math.factorial(n) for n in range(14)]


def exponential(t: Any) -> Any:
    """exp(t) = 2^k·exp(r) with |r| ≤ ln(2)/2 and Taylor's series: within one unit in the last place, and in SIMD."""
    raise NotImplementedError("compiled code only")


@overload(exponential, jit_options=OPTIONS)
def _exponential(t):
    number = np.float32 if t == types.float32 else np.float64
    inverse, half, one = number(LOG2_E), number(0.5), number(1)
    a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13 = (number(a) for a in TAYLOR[3:])

    def single(t):
        k = np.floor(t * inverse + half)
        r = t - k * np.float32(0.693359375) - k * np.float32(-2.12194440e-4)  # ln 2 in two parts
        p = ((((((a7 * r + a6) * r + a5) * r + a4) * r + a3) * r + half) * r + one) * r + one
        return p * np.int32((np.int32(k) + np.int32(127)) << np.int32(23)).view(np.float32)

    def double(t):
        k = np.floor(t * inverse + half)
        r = t - k * 0.6931471803691238 - k * 1.9082149292705877e-10
        p = (((((a13 * r + a12) * r + a11) * r + a10) * r + a9) * r + a8) * r + a7
        p = ((((((p * r + a6) * r + a5) * r + a4) * r + a3) * r + half) * r + one) * r + one
        return p * np.int64((np.int64(k) + np.int64(1023)) << np.int64(52)).view(np.float64)

    return single if number is np.float32 else double
