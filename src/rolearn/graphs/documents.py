"""A graph as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.marks import MARK_OF_WORD, picture

__all__ = ["FORMAT_VERSION", "graph_document", "marks_of_document"]

FORMAT_VERSION = 1


def graph_document(graph: MarkedGraph) -> dict[str, Any]:
    """Give a graph as plain data.

    Returns
    -------
    dict
        ``format_version``, ``kind`` (dag, cpdag, mag or pag), ``nodes`` (names in order) and ``edges``,
        each with ``source``, ``target``, ``mark_source`` and ``mark_target`` (circle, arrow or tail),
        ``text``, the edge's picture such as ``o->``, and ``visible``: of a directed edge whether a hidden
        common cause is ruled out, null of others. ``restricted`` is there, and true, where background
        knowledge added marks.
    """
    return {
        "format_version": FORMAT_VERSION,
        "kind": graph.kind,
        **({"restricted": True} if graph.restricted else {}),
        "nodes": list(graph.names),
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "mark_source": edge.mark_source.word,
                "mark_target": edge.mark_target.word,
                "text": picture(edge.mark_source, edge.mark_target),
                "visible": visible,
            }
            for edge, visible in graph.edges_and_visibility()
        ],
    }


def marks_of_document(document: dict[str, Any]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Give the marks (n, n) int8 and names of what `graph_document` made; a KeyError for other documents."""
    names = tuple(document["nodes"])
    place = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    for edge in document["edges"]:
        i, j = place[edge["source"]], place[edge["target"]]
        marks[i, j], marks[j, i] = MARK_OF_WORD[edge["mark_target"]], MARK_OF_WORD[edge["mark_source"]]
    return marks, names
