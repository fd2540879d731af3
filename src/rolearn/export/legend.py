"""What the kinds of edge in a picture mean, below it, and how large the picture is with that."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.export.labels import label_width
from rolearn.export.scene import EdgeShape, Scene, edge_shape
from rolearn.graphs import MarkedGraph

__all__ = ["Legend", "LegendRow", "legend_lines", "legend_of"]

_MARGIN = 18.0
_ROW, _BOX, _LENGTH, _SPACE = 22.0, 9.0, 66.0, 24.0  # a row; half a box of A or B; from A to B; to the words

# What is said of an edge A - B, by kind of graph and picture; a valid PAG has the first four.
_MEANING = {
    "-->": "A is a cause of B",
    "o->": "B is not a cause of A",
    "<->": "neither causes the other: a common cause is hidden",
    "o-o": "either may cause the other, or a hidden cause both",
    "---": "selection: each causes the other or being in the sample",
    "--o": "A is a cause of B or of being in the sample",
}
_MEANING_OF_CPDAG = {**_MEANING, "---": "one causes the other; data don't tell which"}


class LegendRow(NamedTuple):
    """A kind of edge: it as text, where A, B and the words stand (2,), and what is seen of the edge."""

    title: str
    a: np.ndarray
    b: np.ndarray
    words_at: np.ndarray
    words: str
    shape: EdgeShape


class Legend(NamedTuple):
    """The rows below a scene, and the least and greatest x and y (2,) of both with margins."""

    rows: list[LegendRow]
    low: np.ndarray
    high: np.ndarray


def legend_lines(graph: MarkedGraph) -> list[tuple[str, tuple[int, int], str]]:
    """List the kinds of edge that occur: picture, its two marks, and what it says of A and B."""
    meaning = _MEANING_OF_CPDAG if graph.kind == "cpdag" else _MEANING
    seen = {edge.picture: (int(edge.mark_source), int(edge.mark_target)) for edge in graph.edges()}
    return [(shape, seen[shape], words) for shape, words in meaning.items() if shape in seen]


def legend_of(scene: Scene) -> Legend:
    """Lay the legend of a scene out."""
    low, high = scene.corners()
    left, top = low[0], high[1] + 2 * _MARGIN
    rows = []
    for number, (drawn, marks, words) in enumerate(legend_lines(scene.graph)):
        y = top + _ROW * number + _ROW / 2
        rows.append(_row(f"A {drawn} B", marks, words, np.array([left + _BOX, y])))
        reached = [left + _BOX + _LENGTH + _SPACE + label_width(words), top + _ROW * (number + 1)]
        high = np.maximum(high, reached)
    return Legend(rows, low - _MARGIN, high + _MARGIN)


def _row(title: str, marks: tuple[int, int], words: str, a: np.ndarray) -> LegendRow:
    b = a + np.array([_LENGTH, 0.0])
    half = np.array([_BOX, _BOX])
    shape = edge_shape(marks, np.array([a, (a + b) / 2, b]), np.array([[a, half], [b, half]]))
    return LegendRow(title, a, b, b + np.array([_SPACE, 0.0]), words, shape)
