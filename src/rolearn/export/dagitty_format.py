"""The language of dagitty: ``pag { A @-> B }`` with ``@`` for a circle."""

from __future__ import annotations

import re

from rolearn.export.dot_language import language, parse_dot
from rolearn.export.format import Format
from rolearn.export.kinds import graph_from_rows
from rolearn.graphs import CPDAG, DAG, MAG, PAG, MarkedGraph

__all__ = ["FORMAT"]

_TYPES = {DAG.kind: "dag", MAG.kind: "mag", CPDAG.kind: "pdag", PAG.kind: "pag"}
_KINDS = {**{word: kind for kind, word in _TYPES.items()}, "digraph": DAG.kind, "graph": PAG.kind}
_EDGES = {
    "->": ("tail", "arrow"),
    "<-": ("arrow", "tail"),
    "<->": ("arrow", "arrow"),
    "--": ("tail", "tail"),
    "@->": ("circle", "arrow"),
    "<-@": ("arrow", "circle"),
    "@-@": ("circle", "circle"),
    "@--": ("circle", "tail"),
    "--@": ("tail", "circle"),
}
_WRITTEN = {marks: token for token, marks in _EDGES.items()}

_BARE = re.compile(r"-?[0-9A-Za-z_.]+")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
# the parser compares these after it has taken the quotes off
_RESERVED = ("graph", "node", "edge", "subgraph", "strict", "__proto__")

_LANGUAGE = language(
    "dagitty's language",
    tuple(_EDGES),
    r'"(?:[^"\\]|\\"|\\(?!"))*"',
    lambda token: token[1:-1].replace('\\"', '"'),
)


def _carries(name: str) -> bool:
    plain = bool(name) and not _CONTROL.search(name) and not name.endswith("\\")
    return plain and name.lower() not in _RESERVED


def _quoted(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'


def _write(graph: MarkedGraph) -> str:
    lines = [_quoted(name) for name in graph.names]
    for edge in graph.edges():
        token = _WRITTEN[edge.mark_source.word, edge.mark_target.word]
        lines.append(f"{_quoted(edge.source)} {token} {_quoted(edge.target)}")
    return "\n".join([f"{_TYPES[graph.kind]} {{", *lines, "}", ""])


def _read(text: str, label: str) -> MarkedGraph:
    """Read a graph; positions, roles and other attributes are let be."""
    parsed = parse_dot(text, label, _LANGUAGE, tuple(_KINDS))
    rows = [(a, b, *_EDGES[edge.operator]) for edge in parsed.edges for a in edge.left for b in edge.right]
    return graph_from_rows(_KINDS[parsed.type], list(parsed.nodes), rows, label)


FORMAT = Format(
    "dagitty",
    (".dagitty", ".dagitty.txt"),
    _write,
    _read,
    _carries,
    "that are empty, hold line breaks, end with a backslash, or are its own words (graph, node, edge)",
)
