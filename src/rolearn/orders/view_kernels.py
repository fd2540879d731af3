"""What a policy sees of the statistics: partial correlations among the variables that remain."""

from __future__ import annotations

import math

from rolearn.independence.gaussian_kernels import leave_out
from rolearn.runtime.compile import kernel, part

__all__ = ["N_FEATURES", "leave", "see"]

N_FEATURES = 8


@kernel
def leave(precision, remaining, removed):
    """Take one variable out of each of several precision matrices (states, p, p)."""
    for s in range(len(removed)):
        leave_out(precision[s], removed[s], precision.shape[1])
        remaining[s, removed[s]] = False


@part
def _removal_changes(precision, s, x, members, size, least):
    """Count pairs in the boundary of x that its removal makes dependent, and that it makes independent."""
    made = 0
    lost = 0
    for i in range(size):
        y = members[i]
        for j in range(i):
            z = members[j]
            yz = precision[s, y, z]
            before = yz * yz > least * precision[s, y, y] * precision[s, z, z]
            yz -= precision[s, y, x] * precision[s, x, z] / precision[s, x, x]
            yy = precision[s, y, y] - precision[s, y, x] ** 2 / precision[s, x, x]
            zz = precision[s, z, z] - precision[s, z, x] ** 2 / precision[s, x, x]
            after = yz * yz > least * yy * zz
            made += after and not before
            lost += before and not after
    return made, lost


@kernel
def see(precision, remaining, n_samples, critical, members, sizes, out):
    """Fill `out` (states, p, N_FEATURES) for the variables that remain.

    The features of x, none of which depends on units or on the number of variables: the share that remains,
    the log of its precision, how many it depends on given all others, the sum and the largest of its squared
    partial correlations, how many pairs of its boundary its removal would make dependent and independent,
    and the mean size of the boundaries of those in its own. Counts are logs of one more.

    `members` (p) and `sizes` (p) are for the kernel's own use.
    """
    p = precision.shape[1]
    for s in range(precision.shape[0]):
        count = 0
        for x in range(p):
            count += remaining[s, x]
        degrees = max(n_samples - count - 1.0, 1.0)
        least = math.tanh(critical / math.sqrt(degrees)) ** 2
        for x in range(p):
            if not remaining[s, x]:
                continue
            size = 0
            total = 0.0
            largest = 0.0
            for y in range(p):
                if y != x and remaining[s, y]:
                    squared = precision[s, x, y] ** 2 / (precision[s, x, x] * precision[s, y, y])
                    total += squared
                    largest = max(largest, squared)
                    if squared > least:
                        members[size] = y
                        size += 1
            sizes[x] = size
            made, lost = _removal_changes(precision, s, x, members, size, least)
            out[s, x, 0] = count / p
            out[s, x, 1] = math.log(max(precision[s, x, x], 1e-300))
            out[s, x, 2] = math.log1p(float(size))
            out[s, x, 3] = total
            out[s, x, 4] = largest
            out[s, x, 5] = math.log1p(float(made))
            out[s, x, 6] = math.log1p(float(lost))
        for x in range(p):
            if remaining[s, x]:
                around = 0
                met = 0
                for y in range(p):
                    if y != x and remaining[s, y]:
                        squared = precision[s, x, y] ** 2
                        if squared > least * precision[s, x, x] * precision[s, y, y]:
                            around += sizes[y]
                            met += 1
                out[s, x, 7] = math.log1p(around / max(met, 1))
