"""An edge with its two marks, and how edges are written."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import Mark, picture
from rolearn.runtime.errors import ParameterError

__all__ = ["Edge", "EdgeLike", "marks_from_edges", "parse_edge"]

EdgeLike = str | tuple[Hashable, Hashable] | tuple[Hashable, str, Hashable]

_LEFT = {"o": Mark.CIRCLE, "<": Mark.ARROWHEAD, "-": Mark.TAIL}
_RIGHT = {"o": Mark.CIRCLE, ">": Mark.ARROWHEAD, "-": Mark.TAIL}
_PICTURES = {f"{left}-{right}" for left in _LEFT for right in _RIGHT}
_SHORT = {"->": "-->", "<-": "<--", "--": "---"}
# The end drawn on the left is the one that comes first here.
_DRAWING_ORDER = {Mark.TAIL: 0, Mark.CIRCLE: 1, Mark.ARROWHEAD: 2}


class Edge(NamedTuple):
    """An edge: two names, and the mark at each; ``str(edge)`` draws it, as in ``A o-> B``."""

    source: str
    target: str
    mark_source: Mark
    mark_target: Mark

    def __str__(self) -> str:
        return f"{self.source} {self.picture} {self.target}"

    @property
    def picture(self) -> str:
        """The two marks alone, as in ``o->``."""
        return picture(self.mark_source, self.mark_target)

    def points_left(self) -> bool:
        """Tell whether the edge is better drawn the other way round, its arrowhead to the right."""
        return _DRAWING_ORDER[self.mark_source] > _DRAWING_ORDER[self.mark_target]

    def reversed(self) -> Edge:
        """Give the same edge seen from its other end."""
        return Edge(self.target, self.source, self.mark_target, self.mark_source)


def parse_edge(edge: EdgeLike) -> Edge:
    """Read an edge from a pair, a triple or text such as ``"A o-> B"``.

    Raises
    ------
    ParameterError
        When it isn't of such a form.
    """
    if isinstance(edge, str):
        parts: tuple = tuple(edge.split())
        if len(parts) != 3:
            raise ParameterError(
                f"the edge {edge!r} isn't of the form 'A o-> B'; "
                "where names contain spaces, write it as a tuple: ('A', 'o->', 'B')"
            )
    elif isinstance(edge, Iterable):
        parts = tuple(edge)
    else:
        parts = ()
    if len(parts) == 2:
        parts = (parts[0], "-->", parts[1])
    if len(parts) != 3:
        raise ParameterError(f"an edge has two names and a picture between them, not {edge!r}")
    source, drawn, target = parts
    shape = _SHORT.get(drawn, drawn)
    if shape not in _PICTURES:
        raise ParameterError(f"{drawn!r} is no edge; write one like -->, <->, o->, o-o or ---")
    return Edge(str(source), str(target), _LEFT[shape[0]], _RIGHT[shape[2]])


def marks_from_edges(
    edges: Iterable[EdgeLike], nodes: Iterable[Hashable] | None
) -> tuple[np.ndarray, list[Hashable]]:
    """Make marks (n, n) int8 and names from edges: pairs (A, B) meaning A --> B, strings, or triples.

    Names come from ``nodes``, or in the order in which the edges name them.

    Raises
    ------
    ParameterError
        For an edge that can't be read, joins a vertex to itself, is given twice or names no node.
    """
    parsed = [parse_edge(edge) for edge in edges]
    if nodes is None:
        names: list[Hashable] = list(dict.fromkeys(name for edge in parsed for name in edge[:2]))
    else:
        names = list(nodes)
    place = {str(name): index for index, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    for edge in parsed:
        for name in edge[:2]:
            if name not in place:
                raise ParameterError(f"the edge {edge} names {name!r}, which is not among the nodes")
        i, j = place[edge.source], place[edge.target]
        if i == j:
            raise ParameterError(f"the edge {edge} joins a node to itself")
        if marks[i, j]:
            raise ParameterError(f"there are two edges between {edge.source!r} and {edge.target!r}")
        marks[i, j], marks[j, i] = edge.mark_target, edge.mark_source
    return marks, names
