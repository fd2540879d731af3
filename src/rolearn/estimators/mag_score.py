"""How well a graph explains the data, for the edges it has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rolearn.estimators.inputs import read_input
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.independence import Gaussian
from rolearn.likelihood import deviance
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_number

__all__ = ["mag_score"]


def mag_score(mag: MAG | DAG | PAG | CPDAG, X: Any, penalty: float = 2.0) -> float:
    """Score a graph by its Gaussian likelihood; lower is better.

    The score is -2 log likelihood at its maximum, for standardized columns, plus penalty log n for each edge.
    For a DAG it differs from the sum of n log var(x | parents of x) and that penalty by a constant that n and
    the number of columns determine.

    Parameters
    ----------
    mag : MAG, DAG, PAG or CPDAG
        With directed and bidirected edges. A PAG or CPDAG is scored by a member of its class, all of which
        have the same likelihood.
    X
        Rows or a `Gaussian`, as `ROL.fit` takes them, over the vertices of the graph in any order.
    penalty : float
        What an edge costs, in units of log n; not negative. The plain Bayesian criterion has 1.

    Returns
    -------
    float
        Exact to 1e-3 or so. It depends on neither units nor the order of columns. Where variables are
        linearly dependent the likelihood has no maximum; then no residual variance counts as less than 1e-13
        of the variable's own.

    Raises
    ------
    ParameterError
        When the graph is of another kind or stands for no class, its vertices aren't the columns, the penalty
        isn't allowed, or the statistics have no likelihood.
    DataError
        When the rows can't be used; names the columns.

    Examples
    --------
    >>> import numpy as np, rolearn
    >>> statistics = rolearn.Gaussian([[1.0, 0.8], [0.8, 1.0]], n_samples=100, names=["A", "B"])
    >>> joined, apart = rolearn.DAG.from_edges(["A --> B"]), rolearn.DAG.from_edges([], nodes=["A", "B"])
    >>> rolearn.mag_score(joined, statistics) < rolearn.mag_score(apart, statistics)
    True
    """
    weight = _checked_penalty(penalty)
    graph = _member(mag)
    statistics = read_input(X, test="auto", transform=None).statistics
    if not isinstance(statistics, Gaussian):
        raise ParameterError(
            f"mag_score needs a Gaussian likelihood, which {type(statistics).__name__} has not; "
            "give rows or a Gaussian"
        )
    _check_vertices(graph.names, statistics.names)
    places = [graph.index(name) for name in statistics.names]
    marks = graph.marks[np.ix_(places, places)]
    return deviance(marks, statistics) + weight * graph.n_edges * math.log(statistics.arrays.n_samples)


def _checked_penalty(penalty: Any) -> float:
    if not is_number(penalty) or not 0.0 <= penalty < math.inf:
        raise ParameterError(f"penalty is {penalty!r}; give a number that isn't negative, such as 2.0")
    return float(penalty)


def _member(mag: Any) -> MAG | DAG:
    if isinstance(mag, PAG):
        return mag.mag()
    if isinstance(mag, CPDAG):
        return mag.dag()
    if not isinstance(mag, (MAG, DAG)):
        raise ParameterError(f"mag is a {type(mag).__name__}; give a MAG, DAG, PAG or CPDAG")
    for edge in mag.edges():
        if edge.picture not in ("-->", "<->"):
            raise ParameterError(f"only edges --> and <-> have a Gaussian likelihood here, not {edge}")
    return mag


def _check_vertices(vertices: Sequence[str], columns: Sequence[str]) -> None:
    if unknown := [name for name in vertices if name not in set(columns)]:
        there = ", ".join(sorted(columns))
        raise ParameterError(f"the graph has a vertex {unknown[0]!r} that X hasn't; X has {there}")
    if missing := sorted(set(columns) - set(vertices)):
        raise ParameterError(
            f"the graph has no vertex {missing[0]!r}, which X has; leave the column out of X, or add the "
            "vertex to the graph"
        )
