"""Graphs by the name of their kind, and marks by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rolearn.graphs import CPDAG, DAG, MAG, PAG, MarkedGraph
from rolearn.graphs.marks import MARK_OF_WORD, NO_EDGE, Mark
from rolearn.graphs.restricted import RestrictedCPDAG, RestrictedPAG
from rolearn.runtime.errors import DataError, ParameterError, warn

__all__ = ["KINDS", "graph_from_marks", "graph_from_rows"]

KINDS: dict[str, Any] = {graph.kind: graph for graph in (DAG, CPDAG, MAG, PAG)}
_RESTRICTED: dict[str, Any] = {graph.kind: graph for graph in (RestrictedPAG, RestrictedCPDAG)}


def graph_from_rows(
    kind: Any,
    nodes: Sequence[str],
    rows: Sequence[tuple[str, str, str, str]],
    label: str,
    restricted: bool = False,
) -> MarkedGraph:
    """Build a graph from rows of source, target, mark at source, mark at target.

    One is `restricted` that has marks from background knowledge, and so need not be one of its kind.

    Raises
    ------
    DataError
        Naming the file (`label`) and the edge that can't be.

    Warns
    -----
    RolearnWarning
        When what is called a CPDAG is not the CPDAG of any DAG.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise DataError(f"{label}: there is no kind of graph {kind!r}; known are {', '.join(KINDS)}")
    place = {name: i for i, name in enumerate(nodes)}
    marks = np.zeros((len(nodes), len(nodes)), dtype=np.int8)
    for source, target, mark_source, mark_target in rows:
        for name in (source, target):
            if name not in place:
                raise DataError(f"{label}: an edge names {name!r}, which is not among the nodes")
        for word in (mark_source, mark_target):
            if word not in MARK_OF_WORD:
                raise DataError(f"{label}: there is no mark {word!r}; known are {', '.join(MARK_OF_WORD)}")
        i, j = place[source], place[target]
        if i == j:
            raise DataError(f"{label}: an edge joins {source!r} to itself")
        if marks[i, j] != NO_EDGE:
            raise DataError(f"{label}: there are two edges between {source!r} and {target!r}")
        marks[i, j], marks[j, i] = MARK_OF_WORD[mark_target], MARK_OF_WORD[mark_source]
    if restricted and kind in _RESTRICTED:
        return _RESTRICTED[kind].unchecked(marks, tuple(nodes))
    return _checked(kind, marks, tuple(nodes), label)


def graph_from_marks(kind: str, marks: np.ndarray, nodes: Sequence[str], label: str) -> MarkedGraph:
    """Build a graph from marks in our convention, as `graph_from_rows` does from rows."""
    return _checked(kind, marks, tuple(nodes), label)


def _checked(kind: str, marks: np.ndarray, nodes: tuple[str, ...], label: str) -> MarkedGraph:
    try:
        return KINDS[kind](marks, nodes)
    except ParameterError as error:
        sentence = f"{label}: {error}"
        loadable = kind == CPDAG.kind and len(set(nodes)) == len(nodes) and not np.any(marks == Mark.CIRCLE)
        if not loadable:
            raise DataError(sentence) from None
    # a learner without the legal step may write such a graph; it must load, as invalid PAGs do
    warn(sentence)
    return CPDAG.unchecked(marks, nodes)
