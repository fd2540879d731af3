"""What a statistic of a contingency table is in the mean, given margins, if rows and columns are independent.

The cell of margins r and c in a table of n rows is then hypergeometric. Where counts are small, G-square is
more than its degrees of freedom in the mean, up to twice as much, and much less where they are tiny.
"""

from __future__ import annotations

import math

import numpy as np

from rolearn.runtime.compile import kernel

__all__ = ["mean_of_n_log_n", "mean_of_statistic", "n_log_n"]

_LARGE = 30.0  # from this mean on, four moments do
_NEGLIGIBLE = 1e-12


@kernel
def n_log_n(n):
    """Give n log n, 0 for none."""
    return n * math.log(n) if n > 0.0 else 0.0


@kernel
def _by_moments(n, r, c):
    """Expand about the mean m: f = k log k has the derivatives 1/m, -1/m^2, 2/m^3 from the second on."""
    m = r * c / n
    share = (n - r) / n * (n - c) / n
    variance = m * share * n / (n - 1.0)
    third = variance * (n - 2.0 * r) * (n - 2.0 * c) / (n * max(n - 2.0, 1.0))
    fourth = 3.0 * variance * variance + variance * (1.0 - 6.0 * share)
    return n_log_n(m) + variance / (2.0 * m) - third / (6.0 * m * m) + fourth / (12.0 * m * m * m)


@kernel
def _log_choose(n, k):
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


@kernel
def mean_of_n_log_n(n, r, c):
    """Give the mean of k log k for a hypergeometric k: of n, r are marked and c are drawn."""
    if r * c > _LARGE * n and min(r, c) < n:
        return _by_moments(n, r, c)
    k = max(0.0, r + c - n)
    last = min(r, c)
    share = math.exp(_log_choose(r, k) + _log_choose(n - r, c - k) - _log_choose(n, c))
    total = share * n_log_n(k)
    left = 1.0 - share
    while k < last and left > _NEGLIGIBLE:
        share *= (r - k) * (c - k) / ((k + 1.0) * (n - r - c + k + 1.0))
        k += 1.0
        total += share * n_log_n(k)
        left -= share
    return total


@kernel
def _grouped(of, n_groups):
    """Give the labels in the sequence of their groups, and where each group starts."""
    starts = np.zeros(n_groups + 1, np.int64)
    for k in range(len(of)):
        if of[k] >= 0:
            starts[of[k] + 1] += 1
    for g in range(n_groups):
        starts[g + 1] += starts[g]
    at = starts.copy()
    members = np.empty(len(of), np.int64)
    for k in range(len(of)):
        if of[k] >= 0:
            members[at[of[k]]] = k
            at[of[k]] += 1
    return members, starts


@kernel
def mean_of_statistic(pearson, in_z, in_xz, in_yz, of_xz, of_yz, signal):
    """Give the mean of G-square, or chi-square if `pearson`, and the degrees of freedom.

    ``in_z`` are the rows of each stratum, ``in_xz`` and ``in_yz`` those of each level within one, and
    ``of_xz``, ``of_yz`` the stratum of each of these, -1 for none. What comes after the signal isn't summed.
    """
    rows, row_starts = _grouped(of_xz, len(in_z))
    columns, column_starts = _grouped(of_yz, len(in_z))
    mean = 0.0
    degrees = 0.0
    for z in range(len(in_z)):
        if signal[0] != 0:
            break
        n_rows = row_starts[z + 1] - row_starts[z]
        n_columns = column_starts[z + 1] - column_starts[z]
        if n_rows < 2 or n_columns < 2:
            continue
        n = in_z[z]
        free = (n_rows - 1.0) * (n_columns - 1.0)
        degrees += free
        if pearson:
            mean += free * n / (n - 1.0)
            continue
        total = n_log_n(n)
        for i in range(row_starts[z], row_starts[z + 1]):
            r = in_xz[rows[i]]
            total -= n_log_n(r)
            for j in range(column_starts[z], column_starts[z + 1]):
                total += mean_of_n_log_n(n, r, in_yz[columns[j]])
        for j in range(column_starts[z], column_starts[z + 1]):
            total -= n_log_n(in_yz[columns[j]])
        mean += 2.0 * total
    return mean, degrees
