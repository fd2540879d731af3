"""The m-separation oracle: statistics without noise."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rolearn.graphs.dag import DAG
from rolearn.graphs.mag import MAG
from rolearn.graphs.traversal import neighbor_lists
from rolearn.graphs.traversal_kernels import ancestor_matrix
from rolearn.independence.oracle_kernels import OracleArrays
from rolearn.independence.statistics import Statistics
from rolearn.runtime.errors import ParameterError

__all__ = ["Oracle"]


class Oracle(Statistics):
    """Independence read off a graph: m-separation in a DAG or MAG, some of its vertices hidden.

    Parameters
    ----------
    graph : DAG or MAG
    hidden : iterable of str
        Vertices that are not observed.

    Raises
    ------
    ParameterError
        When the graph is of another kind, a hidden name is not in it, or nothing is left to observe.

    Examples
    --------
    >>> import rolearn
    >>> dag = rolearn.DAG.from_edges(["U --> B", "U --> C", "A --> B", "D --> C"])
    >>> oracle = rolearn.Oracle(dag, hidden=["U"])
    >>> rolearn.learn(oracle).pag_ == dag.project(hidden=["U"]).pag()
    True
    """

    def __init__(self, graph: DAG | MAG, hidden: Iterable[str] = ()) -> None:
        if not isinstance(graph, (DAG, MAG)):
            raise ParameterError(f"an oracle needs a DAG or a MAG, not {type(graph).__name__}")
        gone = {graph.index(name) for name in ([hidden] if isinstance(hidden, str) else hidden)}
        observed = np.array([i for i in range(len(graph.names)) if i not in gone], np.int64)
        if len(observed) == 0:
            raise ParameterError("all vertices are hidden; an oracle needs at least one observed")
        self.names = tuple(graph.names[i] for i in observed)
        marks = np.array(graph.marks, np.int8)
        starts, neighbors = neighbor_lists(marks)
        ancestors = np.zeros(marks.shape, np.bool_)
        ancestor_matrix(starts, neighbors, marks, ancestors)
        self.arrays = OracleArrays(starts, neighbors, marks, ancestors, observed)

    def canonical_order(self) -> np.ndarray:
        """Keep the order as it is: what an oracle says leads to one graph from any order."""
        return np.arange(len(self.names))

    def arranged(self, positions: np.ndarray) -> Oracle:
        """Give the same oracle with its observed variables in this order."""
        other = object.__new__(Oracle)
        other.names = tuple(self.names[i] for i in positions)
        other.arrays = self.arrays._replace(observed=self.arrays.observed[positions])
        return other
