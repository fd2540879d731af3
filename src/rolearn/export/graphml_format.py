"""GraphML by NetworkX: two arcs an edge, the arc (u, v) with the mark at v as ``mark`` and ``code``."""

from __future__ import annotations

import re

from rolearn.export.format import Format
from rolearn.export.networkx_graphs import read_networkx
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _carries(name: str) -> bool:
    return bool(name) and not _NOT_XML.search(name)


def _write(graph: MarkedGraph) -> str:
    from networkx.readwrite.graphml import GraphMLWriter

    # generate_graphml of the same module writes otherwise where lxml is installed
    writer = GraphMLWriter(graph=graph.to_networkx(), encoding="utf-8", prettyprint=True)
    return f"{str(writer).strip()}\n"


def _read(text: str, label: str) -> MarkedGraph:
    from networkx.readwrite.graphml import GraphMLReader

    try:
        graphs = list(GraphMLReader(node_type=str)(string=text))
    except Exception as error:  # ElementTree, KeyError, NetworkXError and others, by what is wrong
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DataError(f"{label} is no GraphML that NetworkX can read: {reason}") from None
    if len(graphs) != 1:
        raise DataError(f"{label} holds {len(graphs)} graphs; give one a file")
    return read_networkx(graphs[0], label)


FORMAT = Format(
    "graphml",
    (".graphml",),
    _write,
    _read,
    _carries,
    "that are empty or hold characters that XML can't (control characters)",
)
