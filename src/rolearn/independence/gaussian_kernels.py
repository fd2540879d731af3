"""Fisher's z on a correlation matrix: single tests by Cholesky, whole families from one small inverse."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.question_kernels import leave_two_out, p_value, pairs_given_rest
from rolearn.runtime.compile import kernel, open_kernel

__all__ = [
    "NEGLIGIBLE",
    "GaussianArrays",
    "cholesky",
    "fisher_z_p_value",
    "gaussian_leave_two_out",
    "gaussian_p_value",
    "gaussian_pairs_given_rest",
    "invert",
    "invert_factored",
    "leave_out",
    "precision_of",
    "rows_behind",
    "with_last",
]

# A residual variance below this share of the variable's own is rounding, not information.
NEGLIGIBLE = 1e-13


class GaussianArrays(NamedTuple):
    """Correlations (p, p) of p variables and the number of rows behind them."""

    correlation: np.ndarray
    n_samples: float


@open_kernel
def rows_behind(statistics, members, size, without, x, y):
    """Give the number of rows behind a test of x, y and the members, but for the one at `without`."""


@rows_behind.register(GaussianArrays)
def all_rows(statistics, members, size, without, x, y):
    """Give the one number there is."""
    return statistics.n_samples


@kernel
def cholesky(matrix, size):
    """Replace the lower triangle of a correlation matrix by its Cholesky factor, in place.

    A variable that the earlier ones determine gets a zero column: it says nothing new.
    """
    for i in range(size):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = math.sqrt(total) if total > NEGLIGIBLE else 0.0
            elif matrix[j, j] > 0.0:
                matrix[i, j] = total / matrix[j, j]
            else:
                matrix[i, j] = 0.0


@kernel
def invert_factored(factor, size, inverse):
    """Fill `inverse` with that of the matrix whose Cholesky factor is given, which is overwritten."""
    for j in range(size):  # the factor's inverse, in its place
        factor[j, j] = 1.0 / factor[j, j]
        for i in range(j + 1, size):
            total = 0.0
            for k in range(j, i):
                total -= factor[i, k] * factor[k, j]
            factor[i, j] = total / factor[i, i]
    for i in range(size):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, size):
                total += factor[k, i] * factor[k, j]
            inverse[i, j] = total
            inverse[j, i] = total


@kernel
def leave_out(matrix, i, size):
    """Take variable i out of a precision matrix: one Schur complement, in place."""
    for a in range(size):
        share = matrix[a, i] / matrix[i, i]
        if a != i and share != 0.0:
            for b in range(size):
                matrix[a, b] -= share * matrix[i, b]
    for a in range(size):
        matrix[a, i] = 0.0
        matrix[i, a] = 0.0
    matrix[i, i] = 1.0


@kernel
def invert(matrix, size, inverse):
    """Fill `inverse` with the inverse of a correlation matrix, whose lower triangle is overwritten.

    Returns whether there is one.
    """
    cholesky(matrix, size)
    for i in range(size):
        if matrix[i, i] <= 0.0:
            return False
    invert_factored(matrix, size, inverse)
    return True


@kernel
def precision_of(correlation, members, size, precision):
    """Fill the precision matrix of the first `size` members; gives whether there is one."""
    small = np.empty((size, size))
    for i in range(size):
        for j in range(i + 1):
            small[i, j] = correlation[members[i], members[j]]
    return invert(small, size, precision)


@kernel
def with_last(members, size, x):
    """Give the first `size` members and x after them."""
    longer = np.empty(size + 1, np.int64)
    for i in range(size):
        longer[i] = members[i]
    longer[size] = x
    return longer


@kernel
def fisher_z_p_value(partial_correlation, degrees):
    """Two-sided p-value of Fisher's z; `degrees` is n - |given| - 3, and nothing can be said below 1."""
    if degrees < 1.0:
        return 0.0
    r = abs(partial_correlation)
    if r >= 1.0:
        return 0.0
    return math.erfc(math.atanh(r) * math.sqrt(degrees) / math.sqrt(2.0))


@kernel
def _scaled(covariance, variances):
    # a product that rounding took to zero or below reads as full dependence
    return covariance / math.sqrt(variances) if variances > 0.0 else 1.0


@kernel
def _all_dependent(size, p_values):
    for i in range(size):
        for j in range(size):
            p_values[i, j] = 0.0


@p_value.register(GaussianArrays)
def gaussian_p_value(statistics, x, y, given, size):
    """Test one partial correlation, read off the last row of the Cholesky factor of (given, x, y)."""
    small = np.empty((size + 2, size + 2))
    for i in range(size + 2):
        a = given[i] if i < size else (x if i == size else y)
        for j in range(i + 1):
            b = given[j] if j < size else (x if j == size else y)
            small[i, j] = statistics.correlation[a, b]
    cholesky(small, size + 2)
    shared = small[size + 1, size]
    length = math.sqrt(shared * shared + small[size + 1, size + 1] ** 2)
    if length <= 0.0 or small[size, size] <= 0.0:
        return 1.0  # the given set determines x or y: nothing is left to depend
    n_rows = rows_behind(statistics, given, size, -1, x, y)
    return fisher_z_p_value(shared / length, n_rows - size - 3.0)


@leave_two_out.register(GaussianArrays)
def gaussian_leave_two_out(statistics, x, boundary, size, p_values):
    """Marginalize each member in turn out of one precision matrix of x and its boundary."""
    m = size + 1
    precision = np.empty((m, m))
    if not precision_of(statistics.correlation, with_last(boundary, size, x), m, precision):
        _all_dependent(size, p_values)
        return
    for j in range(size):
        degrees = rows_behind(statistics, boundary, size, j, x, x) - (size - 2.0) - 3.0
        xx = precision[size, size] - precision[size, j] ** 2 / precision[j, j]
        for i in range(size):
            if i != j:
                share = precision[i, j] / precision[j, j]
                xy = precision[size, i] - precision[size, j] * share
                yy = precision[i, i] - precision[i, j] * share
                p_values[i, j] = fisher_z_p_value(_scaled(xy, xx * yy), degrees)


@pairs_given_rest.register(GaussianArrays)
def gaussian_pairs_given_rest(statistics, members, size, p_values):
    """All partial correlations of a set at once: its scaled precision matrix."""
    precision = np.empty((size, size))
    if not precision_of(statistics.correlation, members, size, precision):
        _all_dependent(size, p_values)
        return
    n_rows = rows_behind(statistics, members, size, -1, members[0], members[0])
    degrees = n_rows - (size - 2.0) - 3.0
    for i in range(size):
        for j in range(i):
            r = _scaled(precision[i, j], precision[i, i] * precision[j, j])
            p_values[i, j] = fisher_z_p_value(r, degrees)
            p_values[j, i] = p_values[i, j]
