"""Tests and likelihoods of blocks of columns, by determinants of a correlation matrix."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.chi_square_kernels import chi_square_p_value
from rolearn.independence.gaussian_kernels import NEGLIGIBLE, cholesky
from rolearn.independence.local_likelihood_kernels import gain_of, penalized_deviance
from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    p_value,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.runtime.compile import kernel

__all__ = ["BlockArrays"]


class BlockArrays(NamedTuple):
    """Correlations (m, m) of m columns that stand for p variables, and the rows behind them.

    Variable i has the columns ``starts[i]`` to ``starts[i + 1] - 1``. ``rows`` (p, p) are those in which two
    variables are both known; ``n_samples`` is what the likelihood counts. Once the ``signal`` (1) is up
    p-values are 0.0 and deviances NaN.
    """

    correlation: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    n_samples: float
    signal: np.ndarray


@kernel
def _width(statistics, x):
    return statistics.starts[x + 1] - statistics.starts[x]


@kernel
def _add_columns(statistics, x, columns, count):
    """List the columns of x after the first `count`; gives how many there are then."""
    for column in range(statistics.starts[x], statistics.starts[x + 1]):
        columns[count] = column
        count += 1
    return count


@kernel
def _factorized(statistics, columns, count):
    """Give the Cholesky factor of the correlations of some columns."""
    factor = np.empty((count, count))
    for i in range(count):
        for j in range(i + 1):
            factor[i, j] = statistics.correlation[columns[i], columns[j]]
    cholesky(factor, count)
    return factor


@kernel
def _fewest_rows(statistics, x, y, given, size):
    """Give the smallest number of rows behind the correlations of two of the variables."""
    fewest = statistics.rows[x, y]
    for i in range(size):
        fewest = min(fewest, statistics.rows[x, given[i]], statistics.rows[y, given[i]])
        for j in range(i):
            fewest = min(fewest, statistics.rows[given[i], given[j]])
    return fewest


@p_value.register(BlockArrays)
def block_p_value(statistics, x, y, given, size):
    """Test by the ratio of likelihoods with Bartlett's factor (1938): Wilks' lambda of two blocks.

    From the Cholesky factor of (given, x, y): its rows of y hold what y has in common with x given the
    rest, and what is left of y. Columns that those before them determine count for no degree of freedom.
    """
    if statistics.signal[0] != 0:
        return 0.0
    columns = np.empty(len(statistics.correlation), np.int64)
    before = 0
    for i in range(size):
        before = _add_columns(statistics, given[i], columns, before)
    middle = _add_columns(statistics, x, columns, before)
    count = _add_columns(statistics, y, columns, middle)
    factor = _factorized(statistics, columns, count)
    rank_x = 0
    for i in range(before, middle):
        rank_x += factor[i, i] > 0.0
    wide = count - middle
    left = np.empty((wide, wide))
    log_ratio = 0.0
    for i in range(wide):
        log_ratio += math.log(max(factor[middle + i, middle + i] ** 2, NEGLIGIBLE))
        for j in range(i + 1):
            total = 0.0
            for k in range(before, middle + j + 1):
                total += factor[middle + i, k] * factor[middle + j, k]
            left[i, j] = total
    cholesky(left, wide)
    rank_y = 0
    for i in range(wide):
        rank_y += left[i, i] > 0.0
        log_ratio -= math.log(max(left[i, i] ** 2, NEGLIGIBLE))
    if rank_x * rank_y == 0:
        return 1.0  # the given set determines x or y: nothing is left to depend
    weight = _fewest_rows(statistics, x, y, given, size) - 1.0 - before - 0.5 * (rank_x + rank_y + 1.0)
    if weight < 1.0:
        return 0.0
    return chi_square_p_value(-weight * log_ratio, float(rank_x * rank_y))


leave_two_out.register(BlockArrays)(leave_two_out_by_tests)
pairs_given_rest.register(BlockArrays)(pairs_given_rest_by_tests)


@kernel
def _log_det_given(statistics, x, members, size):
    """Give the log determinant of what the members leave of x; no column counts as less than NEGLIGIBLE."""
    columns = np.empty(len(statistics.correlation), np.int64)
    before = 0
    for i in range(size):
        before = _add_columns(statistics, members[i], columns, before)
    count = _add_columns(statistics, x, columns, before)
    factor = _factorized(statistics, columns, count)
    total = 0.0
    for i in range(before, count):
        total += math.log(max(factor[i, i] ** 2, NEGLIGIBLE))
    return total


@penalized_deviance.register(BlockArrays)
def block_penalized_deviance(statistics, threshold, x, members, size):
    """Rows times the log of the share of its determinant that the members leave of x.

    A share, since the determinant itself depends on which level has no indicator. The parameters are
    coefficients: a product of block sizes for each member.
    """
    if statistics.signal[0] != 0:
        return np.nan
    wide = 0
    for i in range(size):
        wide += _width(statistics, members[i])
    given = _log_det_given(statistics, x, members, size)
    deviance = statistics.n_samples * (given - _log_det_given(statistics, x, members, 0))
    return deviance + threshold * _width(statistics, x) * wide


@gain_of.register(BlockArrays)
def block_gain_of(statistics, threshold, x, y, members, size, before, after):
    """Count the deviance with Bartlett's factor: for single columns n - 2 less one a member, over n."""
    wide = 0
    for i in range(size):
        wide += _width(statistics, members[i])
    n = statistics.n_samples
    at_x = _width(statistics, x)
    at_y = _width(statistics, y)
    if 3.0 * (wide + at_y) > max(n, 3.0):
        return -np.inf
    price = threshold * at_x * at_y
    return (n - wide - 0.5 * (at_x + at_y) - 1.0) / n * (before - after + price) - price
