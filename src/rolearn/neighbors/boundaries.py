"""Which kind of boundary suits the statistics."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from rolearn.independence import Gaussian, Statistics
from rolearn.neighbors.boundary_kernels import (
    PrecisionBoundaries,
    TestedBoundaries,
    TracedBoundaries,
)
from rolearn.neighbors.grow_shrink_kernels import GrowShrink
from rolearn.neighbors.local_score_kernels import LocalScore
from rolearn.neighbors.local_scores import local_score
from rolearn.neighbors.traces import Score, new_room, new_traces, variables_of
from rolearn.runtime.errors import ParameterError, warn
from rolearn.runtime.threads import single_blas_thread

__all__ = [
    "LARGEST_LEVEL",
    "along_one_order",
    "boundaries_of",
    "critical_value",
    "default_level",
    "start_boundaries",
]

# 2 / p^2 is more than this for up to six columns, 0.5 for two: half of all unrelated pairs would be joined.
LARGEST_LEVEL = 0.05

# The most variables in a boundary that an initial order goes by.
_DEEPEST = 64


def default_level(n_variables: int) -> float:
    """Give 2 / p^2, the level of total conditioning over p columns, and no more than 0.05."""
    return min(2.0 / max(n_variables, 1) ** 2, LARGEST_LEVEL)


def critical_value(level: float) -> float:
    """Give what the size of a standard normal variable exceeds with the probability `level`."""
    return -NormalDist().inv_cdf(max(level / 2, math.ulp(0.0)))  # half of the least number is none


def boundaries_of(statistics: Statistics, level: float | None = None) -> Any:
    """Choose and set up boundaries over all variables.

    Total conditioning where the rows carry it: for a Gaussian from one precision matrix, else by tests.
    Grow-shrink with a penalty of log n + 2 log p where a Gaussian has fewer than three rows a column, and
    with one of log n a parameter for mixed and discrete statistics.

    Parameters
    ----------
    statistics : Statistics
    level : float, optional
        Level of total conditioning; where not given 2 / p^2, at most 0.05, with p all columns.

    Warns
    -----
    RolearnWarning
        Where grow-shrink takes the place of total conditioning.

    Raises
    ------
    ParameterError
        When the level is outside (0, 1).
    """
    p = len(statistics.names)
    if level is None:
        level = default_level(p)
    elif isinstance(level, bool) or not isinstance(level, (int, float)) or not 0.0 < level < 1.0:
        raise ParameterError(
            f"boundary_level is {level!r}; give a level between 0 and 1, or None for 2 / p^2"
        )
    if statistics.has_local_likelihood:
        return local_score(statistics, math.log(max(statistics.arrays.n_samples, 2.0)))
    if not isinstance(statistics, Gaussian):
        return TestedBoundaries(0.5 if statistics.exact else float(level))
    n = statistics.arrays.n_samples
    if _too_few_rows(n, p):
        warn(
            f"{n:.0f} rows are few for {p} columns: Markov boundaries come from grow-shrink with a penalty "
            "instead of tests given all other columns, and weak causes will be missed"
        )
        threshold = math.log(n) + 2.0 * math.log(p)
        cap = int(max(1, min(p - 1, n // 3)))
        return GrowShrink(statistics.correlation, n, threshold, cap)
    return _precision_boundaries(statistics.correlation, n, float(level))


def start_boundaries(statistics: Statistics, score: Score) -> PrecisionBoundaries | Score:
    """Set up boundaries to make an initial order by, whose cost is then worked out otherwise.

    One precision matrix as long as it has half as many degrees of freedom as there are columns.
    """
    p, n = len(statistics.names), statistics.arrays.n_samples
    if isinstance(score, LocalScore) or 2 * n < 3 * p:
        return score
    return _precision_boundaries(score.correlation, n, default_level(p))


def along_one_order(boundaries: Any) -> Any:
    """Give the boundaries in the form that is fastest when variables leave by one order from its start."""
    if not isinstance(boundaries, (GrowShrink, LocalScore)):
        return boundaries
    p = variables_of(boundaries)
    score = boundaries._replace(cap=min(boundaries.cap, _DEEPEST))
    return TracedBoundaries(
        score=score,
        traces=new_traces(p, score.cap),
        room=new_room(score),
        stale=np.ones(p, np.bool_),
        sizes=np.zeros(p, np.int64),
        members=np.zeros((p, score.cap), np.int64),
    )


def _too_few_rows(n: float, p: int) -> bool:
    return n < 3 * p


def _precision_boundaries(correlation: np.ndarray, n: float, level: float) -> PrecisionBoundaries:
    with single_blas_thread():
        precision = np.linalg.inv(correlation)
    stack = np.ascontiguousarray((precision + precision.T) / 2)[None]
    return PrecisionBoundaries(stack, n, critical_value(level))
