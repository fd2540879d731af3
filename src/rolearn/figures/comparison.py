"""Where two graphs differ, edge beside edge."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rolearn.export.labels import label_width, short_labels, visible
from rolearn.export.matplotlib_picture import PIXELS, add_edge, add_text, fit
from rolearn.export.scene import edge_shape
from rolearn.figures.rows import axes_for
from rolearn.graphs.edge import parse_edge
from rolearn.metrics import Difference
from rolearn.metrics import compare as differences
from rolearn.metrics.scores import MarkedGraphLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compare"]

_NONE = "..."  # no edge
_TINT = "#FFD28A"  # behind marks that differ
# lengths in pixels, as in pictures of graphs
_ROW, _EDGE, _GAP, _SPACE, _MARGIN, _PATCH = 22.0, 60.0, 34.0, 10.0, 14.0, 8.0
_WIDTH = 2 * _EDGE + _GAP  # of both edges of a row
_TALLEST = 35  # rows of a column


def compare(
    graph: MarkedGraphLike,
    other: MarkedGraphLike,
    axes: Axes | None = None,
    most: int = 140,
    labels: tuple[str, str] = ("first", "second"),
) -> Axes:
    """Draw the pairs whose marks differ: one row a pair, its edge in each graph.

    The left ends of both edges are at the vertex named on the left; marks that differ have a patch behind
    them. Edges that only one graph has come first. Many rows stand in several columns.

    Parameters
    ----------
    graph, other : DAG, CPDAG, MAG or PAG
        Over the same variables, as for `rolearn.compare`.
    axes : matplotlib Axes, optional
        Fonts and lines are made to fit them; a figure of the right size is made where not given.
    most : int
        Pairs to show.
    labels : (str, str)
        What the graphs are called, such as "learned" and "truth".

    Returns
    -------
    matplotlib Axes
        Their data are pixels, y down.

    Raises
    ------
    ParameterError
        When one is no graph, they are over different variables, or matplotlib isn't installed.
    """
    found = sorted(differences(graph, other), key=_place_in_list)
    names = list(graph.names)
    short = dict(zip(names, map(visible, short_labels(names)), strict=True))
    blocks = _blocks(found[:most])
    title, more = _title(found, len(names), labels), len(found) - most
    lefts, width = _lefts(blocks, short)
    lines = 2 + (len(blocks[0]) if blocks else 0) + (more > 0)
    size = np.array([max(width, label_width(title)) + 2 * _MARGIN, lines * _ROW + 2 * _MARGIN])
    axes = axes_for(axes, tuple(size / PIXELS))
    scale = fit(axes, np.zeros(2), size)
    add_text(axes, (_MARGIN, _line(0)), title, "left", scale)
    for left, block in zip(lefts, blocks, strict=True):
        _draw_block(axes, block, labels, short, left, scale)
    if more > 0:
        add_text(axes, (_MARGIN, _line(lines - 1)), f"and {more} more", "left", scale)
    return axes


def _place_in_list(difference: Difference) -> int:
    """Put edges of the first graph alone before those of the second alone, and those before other marks."""
    if difference.edge_in_second == _NONE:
        return 0
    return 1 if difference.edge_in_first == _NONE else 2


def _title(found: list[Difference], n: int, labels: tuple[str, str]) -> str:
    if not found:
        return "no marks differ"
    counts = np.bincount([_place_in_list(difference) for difference in found], minlength=3)
    said = (f"only in {labels[0]}", f"only in {labels[1]}", "with other marks")
    parts = ", ".join(f"{count} {words}" for count, words in zip(counts, said, strict=True) if count)
    return f"{len(found)} of {n * (n - 1) // 2} pairs differ: {parts}"


def _line(number: int) -> float:
    return _MARGIN + (number + 0.5) * _ROW


def _blocks(shown: list[Difference]) -> list[list[Difference]]:
    """Split the rows into columns of one height, give or take one."""
    height = math.ceil(len(shown) / max(math.ceil(len(shown) / _TALLEST), 1))
    return [shown[start : start + height] for start in range(0, len(shown), max(height, 1))]


def _lefts(blocks: list[list[Difference]], short: dict[str, str]) -> tuple[list[float], float]:
    """Give where the first edges of each block begin, and the width of all blocks."""
    lefts, at = [], 0.0
    for block in blocks:
        before, after = (max(label_width(short[pair[end]]) for pair in block) for end in (0, 1))
        lefts.append(_MARGIN + at + before + _SPACE)
        at += before + _WIDTH + after + 2 * _SPACE + _GAP
    return lefts, max(at - _GAP, 0.0)


def _draw_block(
    axes: Axes,
    block: list[Difference],
    labels: tuple[str, str],
    short: dict[str, str],
    left: float,
    scale: float,
) -> None:
    starts = (left, left + _EDGE + _GAP)
    for start, label in zip(starts, labels, strict=True):
        add_text(axes, (start + _EDGE / 2, _line(1)), label, "center", scale)
    for row, difference in enumerate(block, 2):
        y = _line(row)
        edges = (difference.edge_in_first, difference.edge_in_second)
        add_text(axes, (left - _SPACE, y), short[difference.a], "right", scale)
        add_text(axes, (left + _WIDTH + _SPACE, y), short[difference.b], "left", scale)
        differs = [edges[0][end] != edges[1][end] or _NONE in edges for end in (0, -1)]
        for start, edge in zip(starts, edges, strict=True):
            _draw_edge(axes, edge, differs, (start, y), scale)


def _draw_edge(axes: Axes, edge: str, differs: list[bool], at: tuple[float, float], scale: float) -> None:
    from matplotlib.patches import Ellipse

    if edge == _NONE:
        add_text(axes, (at[0] + _EDGE / 2, at[1]), "no edge", "center", scale)
        return
    ends = np.array([at, (at[0] + _EDGE, at[1])])
    for (x, y), inward, marked in zip(ends, (_PATCH, -_PATCH), differs, strict=True):
        if marked:
            patch = Ellipse((x + inward / 2, y), 2.4 * _PATCH, 2 * _PATCH, facecolor=_TINT, edgecolor="none")
            axes.add_patch(patch)
    read = parse_edge(("a", edge, "b"))
    curve = np.array([ends[0], ends.mean(axis=0), ends[1]])
    boxes = np.stack([ends, np.full((2, 2), 0.5)], axis=1)
    add_edge(axes, edge_shape((read.mark_source, read.mark_target), curve, boxes), scale)
