"""The default cost of an order: the penalized likelihood of its DAG."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rolearn.independence import Gaussian, Statistics
from rolearn.independence.gaussian_kernels import precision_of
from rolearn.neighbors.grow_shrink_kernels import GrowShrink
from rolearn.neighbors.local_scores import local_score
from rolearn.neighbors.subsets import MOST_VARIABLES
from rolearn.neighbors.traces import Score
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_number
from rolearn.runtime.parameters import check_choice

__all__ = ["BIC"]

_PARENTS = ("grow-shrink", "exact")


@dataclass(frozen=True)
class BIC:
    """The Bayesian information criterion of the DAG that joins each variable to its parents in the order.

    The local cost of x is n log var(x | S) + penalty |S| log n, S being the parents chosen among the
    variables that remain: those that grow-shrink finds, or the set for which this is least. With mixed
    columns it is n log det of what S leaves of the block of x, and |S| counts products of block sizes. With
    discrete ones it is -2 log likelihood of the counts, and the penalty is for each free probability of x in
    each combination of levels of S that occurs.
    Below two rows a column an edge costs more, up to the 2 log p of the extended criterion (Chen and Chen
    2008) from one row a column on: chance finds a parent among so many.

    Parameters
    ----------
    penalty : float or None
        How many times the penalty of the plain criterion an edge costs; greater than 0. None for 2, and for
        1 where all columns are discrete: there an edge has several parameters already.
    parents : "grow-shrink" or "exact"
        How parents are chosen. "exact" is proved best by branch and bound, of up to a third as many as there
        are rows. The time for that grows fast with the number of columns, of which it takes 128 at most.

    Raises
    ------
    ParameterError
        When one of these is not allowed.

    Examples
    --------
    >>> import rolearn
    >>> from rolearn.data.networks import load_sachs
    >>> rolearn.learn(load_sachs(), transform="rank", cost=rolearn.BIC(penalty=1.0)).pag_.n_edges
    7
    """

    penalty: float | None = None
    parents: str = "grow-shrink"

    def __post_init__(self) -> None:
        if self.penalty is not None and not (is_number(self.penalty) and 0.0 < self.penalty < math.inf):
            raise ParameterError(f"penalty is {self.penalty!r}; give a number greater than 0, such as 2.0")
        check_choice("parents", self.parents, _PARENTS)

    def score(self, statistics: Statistics) -> Score:
        """Give what growing and shrinking go by.

        Raises
        ------
        ParameterError
            When the statistics have no likelihood, or exact parents are asked of levels, of more columns than
            they are made for, or of columns that determine each other.
        """
        if statistics.has_local_likelihood:
            return self._local(statistics)
        if not isinstance(statistics, Gaussian):
            raise ParameterError(
                f"the bic cost needs rows or Gaussian statistics, not {type(statistics).__name__}; "
                "use cost='neighbors'"
            )
        p, n = len(statistics.names), statistics.arrays.n_samples
        if self.parents == "exact":
            _check_exact(statistics)
        cap = int(max(1, min(p - 1, n // 3)))
        return GrowShrink(statistics.correlation, n, self._threshold(statistics, n), cap)

    def penalty_for(self, statistics: Statistics) -> float:
        """Give the penalty, or the usual one of these statistics."""
        return statistics.usual_penalty if self.penalty is None else self.penalty

    def _threshold(self, statistics: Statistics, n: float) -> float:
        p = len(statistics.names)
        scarcity = min(max(2.0 * p / n - 1.0, 0.0), 1.0)
        return self.penalty_for(statistics) * math.log(n) + 2.0 * math.log(p) * scarcity

    def _local(self, statistics: Statistics) -> Score:
        if self.parents == "exact":
            raise ParameterError(
                "BIC(parents='exact') is for columns of numbers alone, and the likelihood here is that of "
                f"test={statistics.test_name!r}; use parents='grow-shrink'"
            )
        n = max(statistics.arrays.n_samples, 2.0)
        return local_score(statistics, self._threshold(statistics, n))


def _check_exact(statistics: Gaussian) -> None:
    p = len(statistics.names)
    if p > MOST_VARIABLES:
        raise ParameterError(
            f"BIC(parents='exact') takes at most {MOST_VARIABLES} columns, and there are {p}; "
            "use parents='grow-shrink'"
        )
    everything, precision = np.arange(p), np.empty((p, p))
    if not precision_of(statistics.correlation, everything, p, precision):
        raise ParameterError(
            "BIC(parents='exact') needs more rows than columns, and there are "
            f"{statistics.arrays.n_samples:.0f} rows for {p}; "
            "use parents='grow-shrink', or another search than 'exact', whose bic cost has exact parents"
        )
