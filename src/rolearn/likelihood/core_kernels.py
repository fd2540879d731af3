"""What is left of a district after the closed forms, and its deviance at given parameters."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import NEGLIGIBLE, invert_factored
from rolearn.runtime.compile import kernel, part

__all__ = [
    "OMEGA",
    "PRECISION",
    "RESIDUAL",
    "SHARED",
    "WEIGHTS",
    "Core",
    "deviance_at",
    "factorize",
    "fill_residuals",
    "make_core",
    "solve",
]

# The layers of a fit (5, k, m): the parameters, and what follows from them.
WEIGHTS = 0  # (k, m): the scaled residual of a member is this combination of the variables
OMEGA = 1  # (k, k): correlations of the residuals in the model
PRECISION = 2  # (k, k): the inverse of omega
SHARED = 3  # (k, m): covariances of scaled residuals with variables, in the data
RESIDUAL = 4  # (k, k): covariances of the scaled residuals, in the data

# Of a variance that should be positive, a smaller share than this is rounding.
_ROUNDING = 1e-15


class Core(NamedTuple):
    """k members and their parents, m variables in all, the members first.

    ``moments`` (m, m) are their correlations. Parameter x is the entry (``rows[x]``, ``columns[x]``): of the
    weights for the first ``n_weights`` parameters, member by member and its own weight last; then of omega,
    below the diagonal. Whatever the edges, the deviance isn't below ``saturated``.

    Residuals are divided by their deviations, so that the model is that omega, with ones on its diagonal, are
    their covariances. Given omega, the deviance is then convex in the weights; in coefficients and variances
    it isn't.
    """

    moments: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    n_members: int
    n_weights: int
    saturated: float


@kernel
def make_core(correlation, district):
    """Gather what the fit needs of the members that are left and their parents."""
    spouses = district.spouses
    place = np.zeros(len(correlation), np.int64)  # one more than the place of a variable
    variables = np.empty(len(correlation), np.int64)
    k = 0
    n_weights = 0
    n_parameters = 0
    for i in range(len(spouses)):
        if spouses[i, i]:
            variables[k] = district.members[i]
            k += 1
            place[district.members[i]] = k
            n_weights += district.parents[i, 0] + 1
            for j in range(i):
                n_parameters += spouses[i, j]
    rows = np.empty(n_weights + n_parameters, np.int64)
    columns = np.empty(n_weights + n_parameters, np.int64)
    m = _fill_parameters(district, place, variables, k, rows, columns, n_weights)
    moments = np.empty((m, m))
    saturated = _fill_moments(correlation, variables, k, moments)
    return Core(moments, rows, columns, k, n_weights, saturated)


@part
def _fill_parameters(district, place, variables, k, rows, columns, n_weights):
    """Say which entry each parameter is; number the parents on the way, and give the number of variables."""
    m = k
    x = 0
    y = n_weights
    for i in range(len(district.spouses)):
        if not district.spouses[i, i]:
            continue
        a = place[district.members[i]] - 1
        for t in range(district.parents[i, 0]):
            v = district.parents[i, t + 1]
            if place[v] == 0:
                variables[m] = v
                m += 1
                place[v] = m
            rows[x] = a
            columns[x] = place[v] - 1
            x += 1
        rows[x] = a
        columns[x] = a
        x += 1
        for j in range(i):
            if district.spouses[i, j]:
                rows[y] = a
                columns[y] = place[district.members[j]] - 1
                y += 1
    return m


@part
def _fill_moments(correlation, variables, k, moments):
    """Correlations of some variables; give the log determinant of the first k of them given the others.

    Where they are singular, the diagonal gets NEGLIGIBLE more: that bounds the likelihood, as its floor does
    for a single vertex.
    """
    m = len(moments)
    factor = np.empty((m, m))
    for i in range(m):
        for j in range(m):
            moments[i, j] = correlation[variables[i], variables[j]]
    lift = 0.0
    for _ in range(2):
        for i in range(m):
            moments[i, i] += lift
            for j in range(i + 1):
                factor[i, j] = moments[m - 1 - i, m - 1 - j]
        if factorize(factor, m, NEGLIGIBLE, lift):
            break
        lift = NEGLIGIBLE
    total = 0.0
    for i in range(m - k, m):
        total += 2.0 * math.log(factor[i, i])
    return total


@kernel
def factorize(matrix, size, share, mend):
    """Replace the lower triangle of a symmetric matrix by its Cholesky factor, in place.

    Gives whether all pivots were above this share of the diagonal. Where one isn't, `mend` times the diagonal
    entry is added to it; with 0 that is the end.
    """
    positive = True
    for i in range(size):
        for j in range(i):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total / matrix[j, j]
        total = matrix[i, i]
        for k in range(i):
            total -= matrix[i, k] * matrix[i, k]
        if not total > share * matrix[i, i]:
            positive = False
            if mend == 0.0:
                break
            total = max(total, 0.0) + mend * matrix[i, i]
        matrix[i, i] = math.sqrt(total)
    return positive


@kernel
def solve(factor, size, vector):
    """Solve for a vector in place, from a Cholesky factor; give half of vector @ solution."""
    half = 0.0
    for i in range(size):
        total = vector[i]
        for k in range(i):
            total -= factor[i, k] * vector[k]
        vector[i] = total / factor[i, i]
        half += 0.5 * vector[i] * vector[i]
    for j in range(size):
        i = size - 1 - j
        total = vector[i]
        for k in range(i + 1, size):
            total -= factor[k, i] * vector[k]
        vector[i] = total / factor[i, i]
    return half


@kernel
def fill_residuals(core, fit):
    """Fill what the data say of the residuals at these weights."""
    k = core.n_members
    for a in range(k):
        for j in range(len(core.moments)):
            fit[SHARED, a, j] = 0.0
    for x in range(core.n_weights):
        a = core.rows[x]
        weight = fit[WEIGHTS, a, core.columns[x]]
        for j in range(len(core.moments)):
            fit[SHARED, a, j] += weight * core.moments[core.columns[x], j]
    for a in range(k):
        for b in range(k):
            fit[RESIDUAL, a, b] = 0.0
    for x in range(core.n_weights):
        b = core.rows[x]
        weight = fit[WEIGHTS, b, core.columns[x]]
        for a in range(k):
            fit[RESIDUAL, a, b] += weight * fit[SHARED, a, core.columns[x]]


@kernel
def deviance_at(core, fit):
    """Fill what follows from the parameters; give the deviance, infinity where omega is no covariance."""
    k = core.n_members
    factor = np.empty((k, k))
    for a in range(k):
        if not fit[WEIGHTS, a, a] > 0.0:
            return math.inf
        for b in range(a + 1):
            factor[a, b] = fit[OMEGA, a, b]
    fill_residuals(core, fit)
    if not factorize(factor, k, _ROUNDING, 0.0):
        return math.inf
    total = 0.0
    for a in range(k):
        total += 2.0 * math.log(factor[a, a] / fit[WEIGHTS, a, a]) - 1.0
    invert_factored(factor, k, fit[PRECISION])
    for a in range(k):
        for b in range(k):
            total += fit[PRECISION, a, b] * fit[RESIDUAL, a, b]
    return total
