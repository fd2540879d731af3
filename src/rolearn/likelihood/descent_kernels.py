"""From a start to a maximum of the likelihood."""

from __future__ import annotations

import math

import numpy as np

from rolearn.independence.gaussian_kernels import NEGLIGIBLE
from rolearn.likelihood.core_kernels import (
    OMEGA,
    RESIDUAL,
    WEIGHTS,
    deviance_at,
    factorize,
    fill_residuals,
    solve,
)
from rolearn.likelihood.newton_kernels import fill_step, move_along
from rolearn.runtime.compile import kernel, part

__all__ = ["descend"]

# Only likelihoods of nearly dependent variables and a graph far from them were seen to take more than 100.
_STEPS = 400
# A Hessian serves again where the next step promises less than this share of the last one.
_FAR_LESS = 0.05
# How often a step is halved.
_HALVINGS = 30


@part
def _set_weights(core, fit):
    """Set each member's weights to those of least squares on its parents, over the residual's deviation."""
    k = core.n_members
    m = len(core.moments)
    factor = np.empty((m, m))
    vector = np.empty(m)
    first = 0
    for a in range(k):
        size = 0
        while core.columns[first + size] != a:
            i = core.columns[first + size]
            for t in range(size + 1):
                factor[size, t] = core.moments[i, core.columns[first + t]]
            vector[size] = -core.moments[i, a]
            size += 1
        factorize(factor, size, NEGLIGIBLE, 1.0)
        variance = core.moments[a, a] - 2.0 * solve(factor, size, vector)
        scale = 1.0 / math.sqrt(max(variance, NEGLIGIBLE))
        for t in range(size):
            fit[WEIGHTS, a, core.columns[first + t]] = scale * vector[t]
        fit[WEIGHTS, a, a] = scale
        first += size + 1


@part
def _start(core, fit, share):
    """Start from least squares, and the correlations of its residuals times a share.

    With a share of 1 that is consistent where the graph is right. What of the correlations is free may be no
    correlation matrix; then the share shrinks until it is.
    """
    _set_weights(core, fit)
    fill_residuals(core, fit)
    deviance = math.inf
    while deviance == math.inf:
        for x in range(core.n_weights, len(core.rows)):
            a = core.rows[x]
            b = core.columns[x]
            fit[OMEGA, a, b] = share * fit[RESIDUAL, a, b]
            fit[OMEGA, b, a] = fit[OMEGA, a, b]
        deviance = deviance_at(core, fit)
        share *= 0.7
    return deviance


@kernel
def _stiffer(blend):
    return 0.5 + 0.5 * blend if blend < 0.97 else 1.0


@part
def _step_along(core, fit, step, deviance, promised, tolerance, moved):
    """Try the whole step, a half, a quarter, ...; give the length taken and the gain, 0 without any."""
    length = 1.0
    for _ in range(_HALVINGS):
        move_along(core, fit, step, length, moved)
        gained = deviance - deviance_at(core, moved)
        if gained >= 0.1 * length * promised or promised < tolerance:
            return length, max(gained, 0.0)
        length *= 0.5
    return length, 0.0


@kernel
def descend(core, room, share, tolerance, counts):
    """Lower the deviance from a start until less than the tolerance is left to gain; give where it ends.

    By Newton's steps, with the same Hessian as long as each promises far less than the one before. Where the
    Hessian isn't positive definite or its step leads nowhere, a share of it is replaced by that of scoring,
    more and more until it serves; each step that goes its whole length lets half of that share go. ``room``
    (2, 5, k, m) is zero before the first start; ``counts`` (1) counts Hessians.
    """
    fit = room[0]
    moved = room[1]
    for a in range(core.n_members):
        fit[OMEGA, a, a] = 1.0
        moved[OMEGA, a, a] = 1.0
    deviance = _start(core, fit, share)
    step = np.empty(len(core.rows))
    hessian = np.empty((len(core.rows), len(core.rows)))
    blend = 0.0
    fresh = blend == 0.0  # a plain True would be compiled for itself
    promised = math.inf
    for _ in range(_STEPS):
        before = promised
        promised = fill_step(core, fit, step, hessian, blend, fresh)
        counts[0] += fresh
        if not fresh and promised > _FAR_LESS * before:
            fresh = True
            continue
        if promised < 0.0:
            blend = _stiffer(blend)
            continue
        length, gained = _step_along(core, fit, step, deviance, promised, tolerance, moved)
        if gained > 0.0:
            deviance -= gained
            fit, moved = moved, fit
        if promised < tolerance and blend == 0.0:
            break
        if gained < 0.01 * tolerance and blend == 1.0:
            break
        fresh = blend > 0.0 or length < 1.0 or gained <= 0.0
        if gained <= 0.0:
            blend = _stiffer(blend)
        elif length == 1.0:
            blend = 0.5 * blend if blend > 0.05 else 0.0
    return deviance
