"""From causal-learn's graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from rolearn.export.kinds import KINDS, graph_from_marks
from rolearn.graphs import CPDAG, PAG, MarkedGraph
from rolearn.graphs.conventions import from_causal_learn_matrix
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.names import variable_names

__all__ = ["from_causal_learn"]


def from_causal_learn(
    graph: Any, names: Iterable[Hashable] | None = None, kind: str | None = None
) -> MarkedGraph:
    """Make a graph from causal-learn's.

    Parameters
    ----------
    graph : GeneralGraph, CausalGraph or array_like, shape (n, n)
        What its ``fci`` (the first of the two) or ``pc`` gives, or the matrix alone: the mark at i in cell
        [i, j], 0 none, -1 tail, 1 arrowhead, 2 circle.
    names : sequence, optional
        Where not given, those of the nodes; X1, X2, ... for a matrix.
    kind : str, optional
        dag, cpdag, mag or pag; where not given a CPDAG for what ``pc`` gives, else a PAG.

    Raises
    ------
    ParameterError
        For two edges between one pair, and names or a kind that can't be.
    DataError
        When the graph isn't of the kind.

    Examples
    --------
    >>> import rolearn
    >>> print(rolearn.from_causal_learn([[0, -1], [1, 0]], names=["A", "B"]))
    A --> B
    """
    learned_by_pc = hasattr(graph, "G")
    graph = graph.G if learned_by_pc else graph
    if hasattr(graph, "get_node_names"):
        codes = np.asarray(graph.graph)
        names = graph.get_node_names() if names is None else names
    else:
        codes = np.asarray(graph)
    kind = kind or (CPDAG.kind if learned_by_pc else PAG.kind)
    if kind not in KINDS:
        raise ParameterError(f"kind is {kind!r}; allowed are {', '.join(KINDS)}")
    marks = from_causal_learn_matrix(codes)
    return graph_from_marks(kind, marks, variable_names(names, len(marks)), "the causal-learn graph")
