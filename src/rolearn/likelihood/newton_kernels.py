"""Newton and scoring steps over all parameters of a district at once."""

from __future__ import annotations

import numpy as np

from rolearn.likelihood.core_kernels import (
    OMEGA,
    PRECISION,
    RESIDUAL,
    SHARED,
    WEIGHTS,
    factorize,
    solve,
)
from rolearn.runtime.compile import kernel, part

__all__ = ["fill_step", "move_along"]

# The Hessian counts as positive definite where each pivot keeps this share of its diagonal entry.
_CURVED = 1e-11


@part
def _fill_weighted(core, fit, weighted, fitted):
    """Fill ``precision @ shared`` (k, m) and ``precision @ residual @ precision`` (k, k)."""
    k = core.n_members
    for a in range(k):
        for j in range(len(core.moments)):
            total = 0.0
            for t in range(k):
                total += fit[PRECISION, a, t] * fit[SHARED, t, j]
            weighted[a, j] = total
    half = np.empty(k)
    for a in range(k):
        for b in range(k):
            total = 0.0
            for t in range(k):
                total += fit[PRECISION, a, t] * fit[RESIDUAL, t, b]
            half[b] = total
        for b in range(k):
            total = 0.0
            for t in range(k):
                total += half[t] * fit[PRECISION, t, b]
            fitted[a, b] = total


@part
def _fill_gradient(core, fit, weighted, fitted, gradient):
    for x in range(len(gradient)):
        a = core.rows[x]
        b = core.columns[x]
        if x < core.n_weights:
            gradient[x] = 2.0 * weighted[a, b]
            if a == b:
                gradient[x] -= 2.0 / fit[WEIGHTS, a, a]
        else:
            gradient[x] = 2.0 * (fit[PRECISION, a, b] - fitted[a, b])


@part
def _expect(core, fit, weighted, fitted, blend):
    """Replace a share of what the data say by what the model expects, but for the variables' covariances."""
    k = core.n_members
    for a in range(k):
        for j in range(len(core.moments)):
            weighted[a, j] *= 1.0 - blend
        for b in range(k):
            fitted[a, b] += blend * (fit[PRECISION, a, b] - fitted[a, b])


@part
def _fill_omega_row(core, fit, x, weighted, fitted, hessian):
    """Second derivatives by parameter x, of omega, and those up to it."""
    c = core.rows[x]
    d = core.columns[x]
    for y in range(x + 1):
        a = core.rows[y]
        b = core.columns[y]
        ca = fit[PRECISION, c, a]
        da = fit[PRECISION, d, a]
        if y < core.n_weights:
            hessian[x, y] = -2.0 * (ca * weighted[d, b] + da * weighted[c, b])
        else:
            cb = fit[PRECISION, c, b]
            db = fit[PRECISION, d, b]
            total = ca * (fitted[d, b] - db) + db * fitted[c, a]
            total += cb * (fitted[d, a] - da) + da * fitted[c, b]
            hessian[x, y] = 2.0 * total


@part
def _fill_hessian(core, fit, weighted, fitted, hessian):
    for x in range(core.n_weights):
        for y in range(x + 1):
            shared = core.moments[core.columns[x], core.columns[y]]
            hessian[x, y] = 2.0 * fit[PRECISION, core.rows[x], core.rows[y]] * shared
        if core.rows[x] == core.columns[x]:
            hessian[x, x] += 2.0 / fit[WEIGHTS, core.rows[x], core.rows[x]] ** 2
    for x in range(core.n_weights, len(hessian)):
        _fill_omega_row(core, fit, x, weighted, fitted, hessian)


@kernel
def fill_step(core, fit, step, hessian, blend, fresh):
    """Fill the step to subtract from the parameters and give the decrease it promises.

    Newton's step if `blend` is 0. If it is 1, a step of scoring, which always leads downhill: its Hessian is
    what the model expects, and what is singular in it is mended. Between, one of a blend of both Hessians; -1
    where that isn't positive definite. Unless `fresh`, ``hessian`` still has the factor of an earlier one.
    """
    k = core.n_members
    size = len(step)
    weighted = np.empty((k, len(core.moments)))
    fitted = np.empty((k, k))
    _fill_weighted(core, fit, weighted, fitted)
    _fill_gradient(core, fit, weighted, fitted, step)
    if fresh:
        if blend > 0.0:
            _expect(core, fit, weighted, fitted, blend)
        _fill_hessian(core, fit, weighted, fitted, hessian)
        mend = 1.0 if blend == 1.0 else 0.0
        if not factorize(hessian, size, _CURVED, mend) and mend == 0.0:
            return -1.0
    return solve(hessian, size, step)


@kernel
def move_along(core, fit, step, share, moved):
    """Put the parameters less a share of the step into `moved`."""
    for x in range(len(step)):
        a = core.rows[x]
        b = core.columns[x]
        if x < core.n_weights:
            moved[WEIGHTS, a, b] = fit[WEIGHTS, a, b] - share * step[x]
        else:
            moved[OMEGA, a, b] = fit[OMEGA, a, b] - share * step[x]
            moved[OMEGA, b, a] = moved[OMEGA, a, b]
