"""Contingency tables that hold what occurs and nothing else: memory grows with the rows alone."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.chi_square_kernels import chi_square_p_value
from rolearn.independence.contingency_kernels import mean_of_statistic, n_log_n
from rolearn.independence.local_likelihood_kernels import gain_of, penalized_deviance
from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    p_value,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.runtime.compile import kernel

__all__ = ["TableArrays", "refine"]

_FEW_CELLS = 4096


class TableArrays(NamedTuple):
    """Codes (p, rows) of p variables in distinct rows, -1 where missing, and how often each occurs.

    ``n_levels`` (p) are the levels that occur. ``complete`` says that no code is missing; ``pearson``
    chooses the chi-square statistic over the likelihood ratio. ``n_samples`` is what the likelihood counts.
    Once the ``signal`` (1) is up nothing more is counted: p-values are 0.0 and deviances NaN.
    """

    codes: np.ndarray
    weights: np.ndarray
    n_levels: np.ndarray
    n_samples: float
    complete: bool
    pearson: bool
    signal: np.ndarray


@kernel
def _places_for(n_rows):
    """Give the size of a table of combinations: a power of two, at least four times the rows."""
    size = _FEW_CELLS
    while size < 4 * n_rows:
        size *= 2
    return size


@kernel
def _refine_directly(labels, codes, n_levels, table, refined):
    count = 0
    for i in range(len(labels)):
        refined[i] = -1
        if labels[i] >= 0 and codes[i] >= 0:
            at = labels[i] * n_levels + codes[i]
            if table[at] < 0:
                table[at] = count
                count += 1
            refined[i] = table[at]
    return count


@kernel
def _refine_by_hash(labels, codes, n_levels, table, refined):
    count = 0
    mask = len(table) - 1
    for i in range(len(labels)):
        refined[i] = -1
        if labels[i] >= 0 and codes[i] >= 0:
            at = (((labels[i] * n_levels + codes[i]) * 40503) >> 5) & mask
            while table[at] >= 0 and (labels[table[at]] != labels[i] or codes[table[at]] != codes[i]):
                at = (at + 1) & mask
            if table[at] < 0:
                table[at] = i
                refined[i] = count
                count += 1
            else:
                refined[i] = refined[table[at]]
    return count


@kernel
def refine(labels, count, codes, n_levels, table, refined):
    """Give a number to each combination of a label and a code as they first occur; gives how many.

    Missing ones, negative, stay missing. ``table`` is room for `_places_for` the rows.
    """
    direct = count * n_levels <= len(table)
    for k in range(count * n_levels if direct else len(table)):
        table[k] = -1
    if direct:
        return _refine_directly(labels, codes, n_levels, table, refined)
    return _refine_by_hash(labels, codes, n_levels, table, refined)


@kernel
def _label_sets(statistics, members, size, table, room, labels):
    """Label the combinations of the members that occur; gives how many there are."""
    for i in range(len(labels)):
        labels[i] = 0
    count = 1
    for k in range(size):
        if statistics.signal[0] != 0:
            break
        y = members[k]
        count = refine(labels, count, statistics.codes[y], statistics.n_levels[y], table, room)
        for i in range(len(labels)):
            labels[i] = room[i]
    return count


@kernel
def _counted(labels, both, weights, count):
    """Count the rows of each label, leaving out those that are missing in `both`."""
    counts = np.zeros(count)
    for i in range(len(labels)):
        if both[i] >= 0:
            counts[labels[i]] += weights[i]
    return counts


@kernel
def _coarse_of(fine, coarse, both, n_fine):
    """Give the coarse label of each fine one; -1 where it has no complete row."""
    found = np.full(n_fine, -1, np.int64)
    for i in range(len(fine)):
        if both[i] >= 0:
            found[fine[i]] = coarse[i]
    return found


@kernel
def _statistic(statistics, z, xz, yz, xyz, in_z, in_xz, in_yz, in_xyz):
    """Sum over the cells that occur.

    Those that don't add nothing to the likelihood ratio, and what they expect to Pearson's chi-square, whose
    sum over all cells is the sum of n^2 / expected less the number of rows.
    """
    total = 0.0
    seen = np.zeros(len(in_xyz), np.bool_)
    for i in range(len(z)):
        if xyz[i] >= 0 and not seen[xyz[i]]:
            seen[xyz[i]] = True
            n = in_xyz[xyz[i]]
            share = n * in_z[z[i]] / (in_xz[xz[i]] * in_yz[yz[i]])
            total += n * (share - 1.0) if statistics.pearson else 2.0 * n * math.log(share)
    return total


@p_value.register(TableArrays)
def table_p_value(statistics, x, y, given, size):
    """Test by G-square or chi-square over the rows that are complete for the variables.

    The degrees of freedom are the sum over the combinations of the given set of (levels of x that occur - 1)
    times (levels of y that occur - 1): nothing can be learned of levels that a combination doesn't have. The
    statistic is scaled so that its mean, were the two independent given the set, is that number.
    """
    if statistics.signal[0] != 0:
        return 0.0
    n_rows = len(statistics.weights)
    table = np.empty(_places_for(n_rows), np.int64)
    z = np.empty(n_rows, np.int64)
    xz = np.empty(n_rows, np.int64)
    yz = np.empty(n_rows, np.int64)
    xyz = np.empty(n_rows, np.int64)
    # whatever is asked first, one sum in one order
    first = min(x, y)
    second = max(x, y)
    n_z = _label_sets(statistics, given, size, table, xyz, z)
    n_xz = refine(z, n_z, statistics.codes[first], statistics.n_levels[first], table, xz)
    if statistics.signal[0] != 0:
        return 0.0
    n_yz = refine(z, n_z, statistics.codes[second], statistics.n_levels[second], table, yz)
    n_xyz = refine(xz, n_xz, statistics.codes[second], statistics.n_levels[second], table, xyz)
    if statistics.signal[0] != 0:
        return 0.0
    weights = statistics.weights
    in_z = _counted(z, xyz, weights, n_z)
    in_xz = _counted(xz, xyz, weights, n_xz)
    in_yz = _counted(yz, xyz, weights, n_yz)
    in_xyz = _counted(xyz, xyz, weights, n_xyz)
    of_xz = _coarse_of(xz, z, xyz, n_xz)
    of_yz = _coarse_of(yz, z, xyz, n_yz)
    mean, degrees = mean_of_statistic(statistics.pearson, in_z, in_xz, in_yz, of_xz, of_yz, statistics.signal)
    if statistics.signal[0] != 0:
        return 0.0
    if degrees <= 0.0:
        return 1.0
    total = _statistic(statistics, z, xz, yz, xyz, in_z, in_xz, in_yz, in_xyz)
    return chi_square_p_value(total * degrees / mean, degrees)


leave_two_out.register(TableArrays)(leave_two_out_by_tests)
pairs_given_rest.register(TableArrays)(pairs_given_rest_by_tests)


@kernel
def _sum_of_n_log_n(counts, of):
    total = 0.0
    for k in range(of):
        total += n_log_n(counts[k])
    return total


@kernel
def _count_few_cells(statistics, x, members, size, n_cells):
    """Count all cells of x and the members, of which there are few.

    Gives the deviance, the combinations of the members that occur, and the complete rows.
    """
    n_rows = len(statistics.weights)
    at = np.zeros(n_rows, np.int64)
    stride = 1
    for k in range(size + 1):
        if statistics.signal[0] != 0:
            break
        y = members[k - 1] if k > 0 else x
        codes = statistics.codes[y]
        if statistics.complete:
            for i in range(n_rows):
                at[i] += stride * codes[i]
        else:
            for i in range(n_rows):
                at[i] = at[i] + stride * codes[i] if at[i] >= 0 and codes[i] >= 0 else -1
        stride *= statistics.n_levels[y]
    cells = np.zeros(n_cells)
    for i in range(n_rows):
        if at[i] >= 0:
            cells[at[i]] += statistics.weights[i]
    levels = statistics.n_levels[x]
    together = 0.0
    rows = 0.0
    occurring = 0
    for start in range(0, n_cells, levels):
        total = 0.0
        for k in range(start, start + levels):
            total += cells[k]
        rows += total
        together += n_log_n(total)
        occurring += total > 0.0
    return 2.0 * (together - _sum_of_n_log_n(cells, n_cells)), occurring, rows


@kernel
def _count_many_cells(statistics, x, members, size):
    """Count the cells of x and the members that occur; gives the same."""
    n_rows = len(statistics.weights)
    table = np.empty(_places_for(n_rows), np.int64)
    z = np.empty(n_rows, np.int64)
    xz = np.empty(n_rows, np.int64)
    n_z = _label_sets(statistics, members, size, table, xz, z)
    n_xz = refine(z, n_z, statistics.codes[x], statistics.n_levels[x], table, xz)
    in_z = _counted(z, xz, statistics.weights, n_z)
    in_xz = _counted(xz, xz, statistics.weights, n_xz)
    rows = 0.0
    occurring = 0
    for k in range(n_z):
        rows += in_z[k]
        occurring += in_z[k] > 0.0
    return 2.0 * (_sum_of_n_log_n(in_z, n_z) - _sum_of_n_log_n(in_xz, n_xz)), occurring, rows


@penalized_deviance.register(TableArrays)
def table_penalized_deviance(statistics, threshold, x, members, size):
    """Give the multinomial deviance, -2 sum n(x, s) log(n(x, s) / n(s)), and the price of its parameters.

    Of the rows that are complete for these variables, and in proportion for all. The parameters are
    (levels of x - 1) for each combination s of the members' levels that occurs.
    """
    if statistics.signal[0] != 0:
        return np.nan
    most = max(_FEW_CELLS, 2 * len(statistics.weights))
    n_cells = statistics.n_levels[x]
    for k in range(size):
        n_cells *= statistics.n_levels[members[k]]
        if n_cells > most:
            break
    if n_cells <= most:
        deviance, occurring, rows = _count_few_cells(statistics, x, members, size, n_cells)
    else:
        deviance, occurring, rows = _count_many_cells(statistics, x, members, size)
    if statistics.signal[0] != 0:
        return np.nan
    scale = statistics.n_samples / rows if rows > 0.0 else 0.0
    return deviance * scale + threshold * (statistics.n_levels[x] - 1.0) * occurring


@gain_of.register(TableArrays)
def table_gain_of(statistics, threshold, x, y, members, size, before, after):
    """All of the difference."""
    return before - after
