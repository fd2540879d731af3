"""A graph laid out: what every kind of picture draws, whether SVG, PNG or a page.

Vertices are placed by name, so a picture doesn't depend on the order of the columns. Lengths are pixels, x to
the right and y down.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.export.labels import box_sizes, short_labels
from rolearn.export.layout import bezier, lay_out, outside_at, part
from rolearn.graphs import MarkedGraph
from rolearn.graphs.marks import CIRCLE, TAIL, picture

__all__ = [
    "ARROW",
    "RADIUS",
    "DrawnEdge",
    "EdgeShape",
    "Scene",
    "edge_shape",
    "scene_of",
]

ARROW, RADIUS = 10.0, 4.0  # the length of an arrowhead, the radius of a circle


class DrawnEdge(NamedTuple):
    """An edge between the vertices i < j of a scene: its marks at i and at j, and its whole curve (3, 2)."""

    i: int
    j: int
    marks: tuple[int, int]
    curve: np.ndarray


class Scene(NamedTuple):
    """A graph with its vertices in order of their names, and where everything goes.

    Attributes
    ----------
    graph : MarkedGraph
    labels : list of str
        What is written in each box.
    sizes, centers : float arrays, shape (n, 2)
    edges : list of DrawnEdge
    """

    graph: MarkedGraph
    labels: list[str]
    sizes: np.ndarray
    centers: np.ndarray
    edges: list[DrawnEdge]

    def title(self, edge: DrawnEdge) -> str:
        """Write an edge out, as in ``A o-> B``."""
        names = self.graph.names
        return f"{names[edge.i]} {picture(*edge.marks)} {names[edge.j]}"

    def shape(self, edge: DrawnEdge) -> EdgeShape:
        """Give what is seen of an edge."""
        boxes = np.stack([self.centers, self.sizes / 2], axis=1)[[edge.i, edge.j]]
        return edge_shape(edge.marks, edge.curve, boxes)

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Give the least and the greatest x and y that boxes and edges reach."""
        curves = [bezier(edge.curve, np.linspace(0.0, 1.0, 20)) for edge in self.edges]
        reached = np.concatenate(
            [self.centers - self.sizes / 2, self.centers + self.sizes / 2, np.zeros((1, 2)), *curves]
        )
        return reached.min(axis=0), reached.max(axis=0)


def scene_of(graph: MarkedGraph) -> Scene:
    """Lay a graph out."""
    graph = graph.reorder(sorted(graph.names))
    labels = short_labels(list(graph.names))
    sizes = box_sizes(labels)
    centers, curves = lay_out(graph.skeleton, sizes)
    edges = [
        DrawnEdge(i, j, (int(graph.marks[j, i]), int(graph.marks[i, j])), curve)
        for (i, j), curve in curves.items()
    ]
    return Scene(graph, labels, sizes, centers, edges)


class EdgeShape(NamedTuple):
    """What is seen of an edge: its line (3, 2), arrowheads as triangles (3, 2), middles of circles (2,)."""

    line: np.ndarray
    arrows: list[np.ndarray]
    circles: list[np.ndarray]


def edge_shape(marks: tuple[int, int], curve: np.ndarray, boxes: np.ndarray) -> EdgeShape:
    """Give what is seen of an edge along a curve, between boxes [[center, half size]] (2, 2, 2)."""
    shape = EdgeShape(curve, [], [])
    start = _end(marks[0], curve, boxes[0], shape)
    stop = _end(marks[1], curve[::-1], boxes[1], shape)
    return shape._replace(line=part(curve, start, 1 - stop))


def _end(mark: int, curve: np.ndarray, box: np.ndarray, shape: EdgeShape) -> float:
    """Add the mark where a curve leaves the box it starts in; give the t from which the line is seen."""
    center, half = box
    border = outside_at(curve, center, half)
    if mark == TAIL:
        return border
    if mark == CIRCLE:
        middle = outside_at(curve, center, half, RADIUS)
        shape.circles.append(bezier(curve, middle))
        return _away(curve, middle, RADIUS)
    tip, base = bezier(curve, border), _away(curve, border, ARROW)
    back = bezier(curve, base)
    side = np.array([tip[1] - back[1], back[0] - tip[0]]) * 0.45
    shape.arrows.append(np.array([tip, back + side, back - side]))
    return base


def _away(curve: np.ndarray, start: float, distance: float) -> float:
    """Give the t after `start` at which a curve is a distance away from where it was."""
    at = bezier(curve, start)
    low, high = start, 1.0
    for _ in range(20):
        t = (low + high) / 2
        low, high = (t, high) if np.hypot(*(bezier(curve, t) - at)) < distance else (low, t)
    return high
