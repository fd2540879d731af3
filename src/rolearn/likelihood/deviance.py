"""The likelihood of one graph, from Python."""

from __future__ import annotations

import math

import numpy as np

from rolearn.graphs.traversal import writable_marks
from rolearn.independence import Gaussian
from rolearn.likelihood.deviance_kernels import SIGNATURE, deviance_by_district, district_deviance
from rolearn.likelihood.near_kernels import near_of
from rolearn.runtime.compile import address_of

__all__ = ["deviance", "mag_deviance"]


def mag_deviance(correlation: np.ndarray, n_samples: float, marks: np.ndarray, local: np.ndarray) -> float:
    """Fill each district's deviance at its smallest vertex (p), 0 elsewhere, and give their sum.

    See `district_deviance`.
    """
    p = len(marks)
    address = address_of(district_deviance, SIGNATURE)
    members, seen = np.empty(p, np.int64), np.zeros(p, np.bool_)
    graph = (correlation, n_samples, marks, near_of(marks))
    return float(deviance_by_district(address, *graph, members, seen, local))


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
