"""The likelihood of one graph, from Python."""

from __future__ import annotations

import math

import numpy as np

from rolearn.graphs.traversal import writable_marks
from rolearn.independence import Gaussian
from rolearn.likelihood.deviance_kernels import district_deviance
from rolearn.likelihood.district_kernels import district_of
from rolearn.likelihood.near_kernels import near_of

__all__ = ["deviance", "mag_deviance"]


def mag_deviance(correlation: np.ndarray, n_samples: float, marks: np.ndarray, local: np.ndarray) -> float:
    """Fill each district's deviance at its smallest vertex (p), 0 elsewhere, and give their sum.

    See `district_deviance`; each district is one call, as kernels that hold others take long to compile.
    """
    p = len(marks)
    members, seen = np.empty(p, np.int64), np.zeros(p, np.bool_)
    local[:] = 0.0
    near, done = near_of(marks), np.zeros(p, np.bool_)
    total = 0.0
    for x in range(p):
        if not done[x]:
            size = district_of(marks, near, x, members, seen)
            done[members[:size]] = True
            local[x], _ = district_deviance(correlation, n_samples, marks, members, size, True)
            total += local[x]
    return total


def deviance(marks: np.ndarray, statistics: Gaussian) -> float:
    """Give -2 log likelihood at its maximum, for standardized columns.

    Parameters
    ----------
    marks : int8 array, shape (p, p)
        Of an ancestral graph with directed and bidirected edges, in the order of the statistics.
    statistics : Gaussian

    Returns
    -------
    float
        Exact to about 1e-3 at the maximum found; a likelihood can have several (Drton and Richardson 2004,
        "Multimodality of the likelihood in the bivariate seemingly unrelated regressions model").
    """
    p = len(marks)
    arrays = statistics.arrays
    total = mag_deviance(arrays.correlation, arrays.n_samples, writable_marks(marks), np.empty(p))
    return float(arrays.n_samples * (total + p * (1.0 + math.log(2.0 * math.pi))))
