"""Sentences about what keeps a graph from being what it says."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.marks import ARROWHEAD, TAIL, picture
from rolearn.graphs.validity import Check, flaw_of
from rolearn.graphs.validity_kernels import ALMOST_CYCLE, CYCLE, NO_FLAW

__all__ = ["cpdag_problems", "flaw_sentence", "no_member_sentence", "pag_problems"]

_MOST_EDGES = 5


def flaw_sentence(marks: np.ndarray, names: Sequence[str]) -> str | None:
    """Say what keeps arrowhead and tail marks from being a MAG's; None if nothing does."""
    flaw, (a, b) = flaw_of(marks)
    if flaw == NO_FLAW:
        return None
    if flaw == CYCLE:
        cycle = " -> ".join(names[v] for v in [a, *_directed_path(marks, b, a)])
        return f"there is a directed cycle: {cycle}"
    if flaw == ALMOST_CYCLE:
        path = " -> ".join(names[v] for v in _directed_path(marks, a, b))
        return f"there is an almost directed cycle: {names[a]} <-> {names[b]}, but {path}"
    return (
        f"it is not maximal: {names[a]} and {names[b]} are not adjacent, but an inducing path joins them, "
        "so that no set separates them"
    )


def _directed_path(marks: np.ndarray, source: int, target: int) -> list[int]:
    """Give a shortest directed path between two vertices of which the first is a proper ancestor."""
    came_from = {source: source}
    waiting = deque([source])
    while target not in came_from:
        v = waiting.popleft()
        for w in np.flatnonzero((marks[v] == ARROWHEAD) & (marks[:, v] == TAIL)).tolist():
            if w not in came_from:
                came_from[w] = v
                waiting.append(w)
    path = [target]
    while path[-1] != source:
        path.append(came_from[path[-1]])
    return path[::-1]


def pag_problems(graph: MarkedGraph, check: Check) -> list[str]:
    """Say why a graph is not the PAG of a MAG without selection bias; empty if it is."""
    if check.failed == "marks":
        return [
            f"{edge}: a tail without an arrowhead at the other end implies selection bias: out of scope"
            for edge in graph.edges()
            if edge.picture in ("---", "--o")
        ]
    return _problems(graph, check, "circle", "PAG")


def cpdag_problems(graph: MarkedGraph, check: Check) -> list[str]:
    """Say why a graph is not the CPDAG of a DAG; empty if it is."""
    if check.failed == "marks":
        return [
            f"{edge}: a CPDAG has edges --> and --- only"
            for edge in graph.edges()
            if edge.picture not in ("-->", "---")
        ]
    return _problems(graph, check, "undirected", "CPDAG")


def no_member_sentence(graph: MarkedGraph, problems: Sequence[str]) -> str:
    """Say that a PAG or CPDAG has no class, and why: where knowledge added marks, what to ask instead."""
    kind, member = graph.kind.upper(), "MAG" if graph.kind == "pag" else "DAG"
    if graph.restricted:
        return (
            f"this {kind} has marks from background knowledge and so stands for no class; "
            f"use the one that the data alone gave, model.{graph.kind}_"
        )
    return f"this {kind} stands for no {member}: {problems[0]}"


def _problems(graph: MarkedGraph, check: Check, open_word: str, kind: str) -> list[str]:
    if check.failed == "chordal":
        left = [graph.names[v] for v in np.flatnonzero(check.left_open.any(axis=0))]
        return [
            f"the {open_word} edges among {_listed(left)} are not chordal: "
            "they can't all be directed without a new collider"
        ]
    if check.failed == "member":
        sentence = flaw_sentence(check.member, graph.names)
        reading = "o-> read as -->" if kind == "PAG" else "--- directed"
        return [f"the graph it stands for ({reading}) is wrong: {sentence}"]
    if check.failed == "class":
        return _differences(graph, check.drawn, kind)
    return []


def _differences(graph: MarkedGraph, drawn: np.ndarray, kind: str) -> list[str]:
    places = np.argwhere(np.triu((graph.marks != drawn) | (graph.marks != drawn).T, 1)).tolist()
    pairs = []
    for i, j in places[:_MOST_EDGES]:
        mine = picture(graph.marks[j, i], graph.marks[i, j])
        theirs = picture(drawn[j, i], drawn[i, j])
        pairs.append(f"{graph.names[i]} {mine} {graph.names[j]} should be {theirs}")
    more = f", and {len(places) - _MOST_EDGES} more" if len(places) > _MOST_EDGES else ""
    return [f"its class has another {kind}: {'; '.join(pairs)}{more}"]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:10])
    return shown + (f" and {len(names) - 10} more" if len(names) > 10 else "")
