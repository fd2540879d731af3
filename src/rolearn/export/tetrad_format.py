"""Tetrad's text of a graph, which causal-learn writes and reads too.

The kind of graph, unless a PAG, follows under "Graph Attributes:", which Tetrad skips.
"""

from __future__ import annotations

import re

from rolearn.export.format import Format
from rolearn.export.kinds import KINDS, graph_from_rows
from rolearn.graphs import PAG, MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["FORMAT"]

_WORDS = {"o": "circle", "<": "arrow", ">": "arrow", "-": "tail"}
_PICTURE = re.compile("[<o-]-[>o-]")
_EDGE = re.compile(r"\s*\d+\.\s+(\S+)\s+(\S+)\s+(\S+)(?:\s.*)?")
# whitespace and separators split names, brackets around one mark it as latent or selected
_BAD = re.compile(r"[\s,;\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_BRACKETS = re.compile(r"\((.*)\)|\[(.*)\]")


def _carries(name: str) -> bool:
    return bool(name) and not _BAD.search(name) and name[0] not in "([" and name[-1] not in ")]"


def _write(graph: MarkedGraph) -> str:
    lines = ["Graph Nodes:", ";".join(graph.names), "", "Graph Edges:"]
    lines += [f"{number}. {edge}" for number, edge in enumerate(graph.edges(), 1)]
    if graph.kind != PAG.kind:
        lines += ["", "Graph Attributes:", f"kind: {graph.kind}"]
    return "\n".join([*lines, "", ""])


def _read(text: str, label: str) -> MarkedGraph:
    lines = text.splitlines()
    titles = [line.strip().lower() for line in lines]
    if "graph nodes:" not in titles or "graph edges:" not in titles:
        raise DataError(f'{label} is no Tetrad graph: it has no lines "Graph Nodes:" and "Graph Edges:"')
    first, second = titles.index("graph nodes:"), titles.index("graph edges:")
    listed = re.split("[;,]", "".join(lines[first + 1 : max(second, first + 1)]))
    nodes = [_measured(name.strip(), label) for name in listed if name.strip()]
    rows = []
    for number, line in enumerate(lines[second + 1 :], second + 2):
        if not line.strip():
            break
        row = _row(line, f"{label}, line {number}")
        if row is not None:
            rows.append(row)
    return graph_from_rows(_kind(titles[second:]), nodes, rows, label)


def _kind(titles: list[str]) -> str:
    if "graph attributes:" in titles:
        for line in titles[titles.index("graph attributes:") :]:
            key, _, value = line.partition(":")
            if key == "kind" and value.strip() in KINDS:
                return value.strip()
    return PAG.kind


def _measured(name: str, label: str) -> str:
    if _BRACKETS.fullmatch(name):
        what = "latent" if name[0] == "(" else "a selection variable"
        raise DataError(
            f"{label}: {name} is {what}, and graphs here are over measured variables; project it out"
        )
    return name


def _row(line: str, where: str) -> tuple[str, str, str, str] | None:
    found = _EDGE.fullmatch(line)
    if found is None:
        raise DataError(f"{where}: {line.strip()!r} is no edge of the form '1. A o-> B'")
    source, drawn, target = found.groups()
    if drawn == "...":
        return None
    if not _PICTURE.fullmatch(drawn):
        raise DataError(f"{where}: {drawn!r} is no edge; edges are like -->, <->, o->, o-o or ---")
    return source, target, _WORDS[drawn[0]], _WORDS[drawn[2]]


FORMAT = Format(
    "tetrad",
    (".tetrad", ".tetrad.txt"),
    _write,
    _read,
    _carries,
    "that are empty, hold spaces, commas or semicolons, or begin or end with a bracket",
)
