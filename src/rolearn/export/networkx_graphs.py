"""From NetworkX graphs, as `MarkedGraph.to_networkx` makes them and as others do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rolearn.export.kinds import KINDS, graph_from_rows
from rolearn.graphs import DAG, PAG, MarkedGraph
from rolearn.graphs.marks import NO_EDGE, Mark
from rolearn.runtime.errors import DataError
from rolearn.runtime.names import string_names

if TYPE_CHECKING:
    import networkx

__all__ = ["from_networkx"]


def from_networkx(graph: networkx.DiGraph, kind: str | None = None) -> MarkedGraph:
    """Make a graph from a NetworkX digraph.

    Parameters
    ----------
    graph : networkx.DiGraph
        Two arcs an edge, the arc (u, v) with the mark at v as ``mark`` (circle, arrow or tail) or ``code``
        (1, 2 or 3), as `MarkedGraph.to_networkx` gives it. Or arcs without either, one an edge: a DAG.
    kind : str, optional
        dag, cpdag, mag or pag; else what the graph's attribute ``kind`` says, else a DAG for arcs without
        marks and a PAG for others.

    Returns
    -------
    DAG, CPDAG, MAG or PAG
        Labels become ``str(label)``.

    Raises
    ------
    DataError
        For an undirected graph, marks at one end only or unknown, and what isn't of its kind.

    Examples
    --------
    >>> import networkx, rolearn
    >>> print(rolearn.from_networkx(networkx.DiGraph([("rain", "wet")])))
    rain --> wet
    >>> pag = rolearn.PAG.from_edges(["A o-> B", "B <-> C"])
    >>> rolearn.from_networkx(pag.to_networkx()) == pag
    True
    """
    return read_networkx(graph, "the NetworkX graph", kind)


def read_networkx(graph: Any, label: str, kind: str | None = None) -> MarkedGraph:
    """Do the work of `from_networkx`, with the label of a file in errors."""
    if not hasattr(graph, "is_directed"):
        raise DataError(f"{label} is a {type(graph).__name__}; give a networkx.DiGraph")
    if not graph.is_directed():
        raise DataError(f"{label} is undirected, so it has no marks; make it a DiGraph with two arcs an edge")
    names = dict(zip(graph.nodes, string_names(list(graph.nodes), DataError, "vertex"), strict=True))
    arcs = [(u, v, _mark(data, f"{u} -> {v}", label)) for u, v, data in graph.edges(data=True)]
    marked = any(word is not None for _, _, word in arcs)
    rows = (
        _marked_rows(arcs, names, label)
        if marked
        else [(names[u], names[v], "tail", "arrow") for u, v, _ in arcs]
    )
    if kind is None:
        known = graph.graph.get("kind")  # others may use the word otherwise
        kind = known if isinstance(known, str) and known in KINDS else (PAG.kind if marked else DAG.kind)
    return graph_from_rows(kind, list(names.values()), rows, label)


def _mark(data: dict[str, Any], arc: str, label: str) -> str | None:
    if data.get("mark") is not None:
        return str(data["mark"])
    code = data.get("code")
    if code is None:
        return None
    try:
        mark = Mark(int(code))
    except (TypeError, ValueError):
        mark = Mark.NO_EDGE
    if mark == NO_EDGE:
        raise DataError(f"{label}: the arc {arc} has code {code!r}; codes are 1 circle, 2 arrow, 3 tail")
    return mark.word


def _marked_rows(arcs: list, names: dict[Any, str], label: str) -> list[tuple[str, str, str, str]]:
    words: dict[tuple[Any, Any], str] = {}
    for u, v, word in arcs:
        if (u, v) in words:
            raise DataError(f"{label}: there are two arcs {u} -> {v}; give one, with the mark at {v}")
        if word is None:
            raise DataError(
                f"{label}: the arc {u} -> {v} has no mark, and others have; give it the mark at {v}"
            )
        words[u, v] = word
    rows, done = [], set()
    for (u, v), word in words.items():
        if (v, u) not in words:
            raise DataError(
                f"{label}: the arc {u} -> {v} has a mark and there is no arc back with the mark at {u}"
            )
        if (v, u) not in done:
            done.add((u, v))
            rows.append((names[u], names[v], words[v, u], word))
    return rows
