"""Which kind of boundary suits the statistics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rolearn.independence import Gaussian, Statistics
from rolearn.neighbors.boundary_kernels import (
    GrowShrinkBoundaries,
    PrecisionBoundaries,
    TestedBoundaries,
)
from rolearn.runtime.errors import ParameterError, warn
from rolearn.runtime.threads import single_blas_thread

__all__ = ["LARGEST_LEVEL", "boundaries_of", "default_level"]

# 2 / p^2 is more than this for up to six columns, 0.5 for two: half of all unrelated pairs would be joined.
LARGEST_LEVEL = 0.05


def default_level(n_variables: int) -> float:
    """Give 2 / p^2, the level of total conditioning over p columns, and no more than 0.05."""
    return min(2.0 / max(n_variables, 1) ** 2, LARGEST_LEVEL)


def boundaries_of(statistics: Statistics, level: float | None = None) -> Any:
    """Choose and set up boundaries over all variables.

    Total conditioning where the rows carry it: for a Gaussian from one precision matrix, else by tests.
    Grow-shrink with a penalty of log n + 2 log p where a Gaussian has fewer than three rows a column.

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
        return GrowShrinkBoundaries(statistics.correlation, n, threshold, cap)
    return _precision_boundaries(statistics, float(level))


def _too_few_rows(n: float, p: int) -> bool:
    return n < 3 * p


def _precision_boundaries(statistics: Gaussian, level: float) -> PrecisionBoundaries:
    from scipy.special import ndtri

    with single_blas_thread():
        precision = np.linalg.inv(statistics.correlation)
    stack = np.ascontiguousarray((precision + precision.T) / 2)[None]
    return PrecisionBoundaries(stack, statistics.arrays.n_samples, float(-ndtri(level / 2)))
