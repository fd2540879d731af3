"""Grow-shrink by a penalized Gaussian likelihood, from a correlation matrix alone."""

from __future__ import annotations

import math

import numpy as np

from rolearn.independence.gaussian_kernels import NEGLIGIBLE, precision_of, with_last
from rolearn.runtime.compile import kernel

__all__ = ["grow_shrink"]


@kernel
def _grow(correlation, n_samples, threshold, cap, x, remaining, out):
    """Take the variable that lowers log var(x | taken) most, while that passes the threshold.

    Residual variances and covariances with x of all candidates follow each step by one row of an
    incomplete Cholesky factor, whose pivots are the variables taken.
    """
    p = len(remaining)
    factor = np.empty((cap, p))
    variance = np.ones(p)
    shared = np.empty(p)
    for y in range(p):
        shared[y] = correlation[x, y]
    taken = np.zeros(p, np.bool_)
    taken[x] = True
    size = 0
    while size < cap:
        best = -1
        largest = 0.0
        for y in range(p):
            if remaining[y] and not taken[y] and variance[y] > NEGLIGIBLE:
                squared = shared[y] ** 2 / (variance[y] * variance[x])
                if squared > largest:
                    largest = squared
                    best = y
        degrees = n_samples - size - 2.0
        if best < 0 or largest >= 1.0 or -degrees * math.log1p(-largest) <= threshold:
            break
        root = math.sqrt(variance[best])
        for y in range(p):
            total = correlation[best, y]
            for k in range(size):
                total -= factor[k, best] * factor[k, y]
            factor[size, y] = total / root
        own = factor[size, x]
        for y in range(p):
            shared[y] -= own * factor[size, y]
            variance[y] -= factor[size, y] ** 2
        taken[best] = True
        out[size] = best
        size += 1
    return size


@kernel
def _least_needed(correlation, x, out, size):
    """Give the member whose removal raises log var(x | members) least, and by how much."""
    m = size + 1
    precision = np.empty((m, m))
    if not precision_of(correlation, with_last(out, size, x), m, precision):
        return -1, 0.0
    least = -1
    raised = 0.0
    for i in range(size):
        squared = precision[size, i] ** 2 / (precision[size, size] * precision[i, i])
        if squared < 1.0:
            rise = -math.log1p(-squared)
            if least < 0 or rise < raised:
                least = i
                raised = rise
    return least, raised


@kernel
def grow_shrink(correlation, n_samples, threshold, cap, x, remaining, out):
    """Fill `out` with a boundary of x within `remaining` in ascending order; gives its size.

    Growing takes the most informative variable each time, shrinking drops the least informative that falls
    under the threshold (Margaritis and Thrun 1999, with a score in place of tests). What one more variable
    lowers log var by counts n - 2 times less one a variable taken: its degrees of freedom, since with few
    rows n times would let chance pass.
    """
    size = _grow(correlation, n_samples, threshold, cap, x, remaining, out)
    while size > 0:
        least, raised = _least_needed(correlation, x, out, size)
        if least < 0 or (n_samples - size - 1.0) * raised > threshold:
            break
        size -= 1
        out[least] = out[size]
    out[:size].sort()
    return size
