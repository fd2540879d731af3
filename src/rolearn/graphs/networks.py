"""Graphs as objects of other libraries, which are imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.graphs.conventions import to_causal_learn_matrix
from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL, Mark
from rolearn.runtime.errors import ParameterError, warn
from rolearn.runtime.parameters import check_choice

if TYPE_CHECKING:
    import networkx

    from rolearn.graphs.marked_graph import MarkedGraph

__all__ = ["to_causal_learn", "to_networkx"]

_KINDS = ("marks", "skeleton", "directed")


def to_networkx(graph: MarkedGraph, kind: str) -> networkx.DiGraph | networkx.Graph:
    """Do the work of `MarkedGraph.to_networkx`."""
    import networkx

    check_choice("kind", kind, _KINDS)
    made = networkx.Graph() if kind == "skeleton" else networkx.DiGraph()
    made.add_nodes_from(graph.names)
    if kind == "marks":
        made.graph["kind"] = graph.kind
        for i, j in np.argwhere(graph.marks).tolist():
            mark = Mark(graph.marks[i, j])
            made.add_edge(graph.names[i], graph.names[j], mark=mark.word, code=int(mark))
        return made
    chosen = graph.marks != NO_EDGE if kind == "skeleton" else _directed(graph)
    made.add_edges_from((graph.names[i], graph.names[j]) for i, j in np.argwhere(chosen).tolist())
    return made


def _directed(graph: MarkedGraph) -> np.ndarray:
    directed = (graph.marks == ARROWHEAD) & (graph.marks.T == TAIL)
    dropped = graph.n_edges - int(directed.sum())
    if dropped:
        edges = "edge that isn't" if dropped == 1 else "edges that aren't"
        warn(f"{dropped} {edges} --> of {graph.n_edges} left out of the directed graph")
    return directed


def to_causal_learn(graph: MarkedGraph) -> Any:
    """Do the work of `MarkedGraph.to_causal_learn`."""
    try:
        from causallearn.graph.GeneralGraph import GeneralGraph
        from causallearn.graph.GraphNode import GraphNode
    except ImportError:
        raise ParameterError("to_causal_learn needs causal-learn: pip install causal-learn") from None
    made = GeneralGraph([GraphNode(name) for name in graph.names])
    made.graph = to_causal_learn_matrix(graph.marks)  # its add_edge ignores some edges
    made.reconstitute_dpath(made.get_graph_edges())
    made.set_pag(graph.kind in ("pag", "mag"))
    made.set_pattern(graph.kind == "cpdag")
    return made
