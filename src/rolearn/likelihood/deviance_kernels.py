"""The least deviance of a district."""

from __future__ import annotations

import math

import numpy as np

from rolearn.likelihood.bound_kernels import least_deviance
from rolearn.likelihood.core_kernels import make_core
from rolearn.likelihood.descent_kernels import descend
from rolearn.likelihood.district_kernels import (
    district_of,
    open_district,
    remove_closed,
    vertex_deviance,
)
from rolearn.runtime.compile import caller_of, kernel, lean_kernel

__all__ = ["SIGNATURE", "call_deviance", "deviance_by_district", "district_deviance"]

SIGNATURE = "Tuple((float64, bool_))(float64[:, ::1], float64, int8[:, ::1], int64[::1], int64, bool_)"

# What is left to gain is to be below this, over the number of rows.
_TOLERANCE = 1e-4
_ROUNDING = 1e-13
# Within this of the saturated deviance, no likelihood of 8,000 was seen to have a second maximum.
_CLOSE = 0.4


@kernel
def district_deviance(correlation, n_samples, marks, members, size, exact):
    """Give the least ``log|Omega| + tr(Omega^-1 R) - size`` of a district: its part of -2 log likelihood / n.

    Parameters
    ----------
    correlation : float64 array, shape (p, p)
    n_samples : float
        Sets how exact the result is: n_samples times it to 1e-3.
    marks : int8 array, shape (p, p)
        Of an ancestral graph with directed and bidirected edges.
    members : int64 array
        The first `size` are the district.
    exact : bool
        If not, a lower bound will do where there is no closed form.

    Returns
    -------
    float
        For a single vertex the log of its variance given its parents.
    bool
        Whether that is the deviance and not a bound.
    """
    if size == 1:
        return vertex_deviance(correlation, marks, members[0]), True
    district = open_district(marks, members, size)
    total = remove_closed(correlation, district)
    left = 0
    for i in range(size):
        left += district.spouses[i, i]
    if left == 0:
        return total, True
    core = make_core(correlation, district)
    if not exact:
        return total + least_deviance(core), False
    tolerance = max(_TOLERANCE / n_samples, _ROUNDING)
    room = np.zeros((2, 5, core.n_members, len(core.moments)))
    counts = np.zeros(1, np.int64)
    best = math.inf
    share = 1.0
    for _ in range(3):
        best = min(best, descend(core, room, share, tolerance, counts))
        if best < core.saturated + _CLOSE:
            break
        share -= 1.0
    return total + best, True


call_deviance = caller_of(SIGNATURE)  # with the address of `district_deviance`, and its arguments


@lean_kernel
def deviance_by_district(address, correlation, n_samples, marks, near, members, seen, local):
    """Fill each district's deviance at its smallest vertex (p), 0 elsewhere, and give their sum.

    The `address` is that of `district_deviance`; ``members`` (p) and ``seen`` (p), all false, are room.
    """
    total = 0.0
    exact = len(local) > 0  # a plain True would be compiled for itself
    for x in range(len(local)):
        local[x] = 0.0
        size = district_of(marks, near, x, members, seen)
        if members[0] == x:
            local[x], _ = call_deviance(address, (correlation, n_samples, marks, members, size, exact))
            total += local[x]
    return total
