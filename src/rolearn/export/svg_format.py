"""SVG: a picture for people, with the right mark at each end of each edge; it isn't read back.

Plain shapes and text, no scripts, styles or references, so that every viewer and converter draws the same.
The background is white, which reads on light and dark pages alike. Vertices are placed by name: the picture
doesn't depend on the order of the columns.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape

import numpy as np

from rolearn.export.format import Format
from rolearn.export.layout import bezier, lay_out, outside_at, part
from rolearn.graphs import MarkedGraph
from rolearn.graphs.marks import CIRCLE, TAIL, picture

__all__ = ["FORMAT"]

_FONT = 13.0
_CELL = 0.6 * _FONT  # the width of a character in fixed-width fonts
_HEIGHT = 28.0
_ARROW, _RADIUS = 10.0, 4.0  # the length of an arrowhead, the radius of a circle
_MARGIN = 18.0
_LONGEST = 27  # longer names are shortened in the box; the whole name is its tooltip
_FAMILY = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
_INK, _LINE, _FILL, _BORDER = "#1a1a1a", "#3f4a5a", "#eef2f8", "#7486a3"

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

_UNPRINTABLE = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x20:
        return " "
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def _text(name: str) -> str:
    """Make text that XML can hold and that ends no element: names are data."""
    return escape(_UNPRINTABLE.sub(_visible, name))


def _width(label: str) -> float:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in label)
    return _CELL * (len(label) + wide)


def _labels(names: list[str]) -> list[str]:
    """Shorten long names in the middle, unless two would read the same."""
    side = (_LONGEST - 1) // 2
    short = [name if len(name) <= _LONGEST else f"{name[:side]}…{name[-side:]}" for name in names]
    return short if len(set(short)) == len(names) else names


def _element(name: str, **attributes: str | float) -> str:
    written = (
        f'{key.replace("_", "-")}="{value if isinstance(value, str) else _number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name} {' '.join(written)}/>"


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _points(points: np.ndarray) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _label(x: float, y: float, label: str, anchor: str) -> str:
    # textLength keeps the text within its box, whatever font the viewer has
    length = (
        f' textLength="{_number(_width(label))}" lengthAdjust="spacingAndGlyphs"' if label.strip() else ""
    )
    place = f'x="{_number(x)}" y="{_number(y + 0.34 * _FONT)}" text-anchor="{anchor}"'
    return f'<text {place}{length} xml:space="preserve">{_text(label)}</text>'


def _node(name: str, label: str, center: np.ndarray, size: np.ndarray) -> str:
    corner = center - size / 2
    frame = {"x": corner[0], "y": corner[1], "width": size[0], "height": size[1]}
    box = _element("rect", **frame, rx=4.0, fill=_FILL, stroke=_BORDER)
    text = _label(center[0], center[1], label, "middle")
    return f'<g class="node"><title>{_text(name)}</title>{box}{text}</g>'


def _end(mark: int, curve: np.ndarray, center: np.ndarray, half: np.ndarray) -> tuple[float, str]:
    """Draw the mark where a curve leaves the box it starts in; give the t from which the line is seen."""
    border = outside_at(curve, center, half)
    if mark == TAIL:
        return border, ""
    if mark == CIRCLE:
        middle = outside_at(curve, center, half, _RADIUS)
        at = bezier(curve, middle)
        circle = _element("circle", cx=at[0], cy=at[1], r=_RADIUS, fill="white")
        return _away(curve, middle, _RADIUS), circle
    tip, base = bezier(curve, border), _away(curve, border, _ARROW)
    back = bezier(curve, base)
    side = np.array([tip[1] - back[1], back[0] - tip[0]]) * 0.45
    points = _points(np.array([tip, back + side, back - side]))
    return base, _element("polygon", points=points, fill=_LINE, stroke="none")


def _away(curve: np.ndarray, start: float, distance: float) -> float:
    """Give the t after `start` at which a curve is a distance away from where it was."""
    at = bezier(curve, start)
    low, high = start, 1.0
    for _ in range(20):
        t = (low + high) / 2
        low, high = (t, high) if np.hypot(*(bezier(curve, t) - at)) < distance else (low, t)
    return high


def _edge(title: str, marks: tuple[int, int], curve: np.ndarray, boxes: np.ndarray) -> str:
    """Draw an edge along a curve, with the marks at its two ends; boxes are [[center, half size]] of both."""
    start, first = _end(marks[0], curve, *boxes[0])
    stop, last = _end(marks[1], curve[::-1], *boxes[1])
    a, middle, b = part(curve, start, 1 - stop)
    line = f'<path d="M{_points(a[None])} Q{_points(np.array([middle, b]))}" fill="none"/>'
    group = f'<g class="edge" stroke="{_LINE}" stroke-width="1.4">'
    return f"{group}<title>{_text(title)}</title>{line}{first}{last}</g>"


def _legend(graph: MarkedGraph, left: float, top: float) -> tuple[list[str], float, float]:
    """Draw what the edges that occur mean; give the lines, and the legend's width and height."""
    meaning = _MEANING_OF_CPDAG if graph.kind == "cpdag" else _MEANING
    seen = {edge.picture: (int(edge.mark_source), int(edge.mark_target)) for edge in graph.edges()}
    lines, width = [], 0.0
    half = np.array([9.0, 9.0])  # of the boxes that A and B would have
    for row, shape in enumerate(shape for shape in meaning if shape in seen):
        y = top + 22.0 * row + 11.0
        a, b = np.array([left + 9.0, y]), np.array([left + 75.0, y])
        ends = [_label(x, y, name, "middle") for x, name in ((a[0], "A"), (b[0], "B"))]
        edge = _edge(
            f"A {shape} B", seen[shape], np.array([a, (a + b) / 2, b]), np.array([[a, half], [b, half]])
        )
        lines.append(
            f'<g class="legend">{ends[0]}{ends[1]}{edge}{_label(b[0] + 24, y, meaning[shape], "start")}</g>'
        )
        width = max(width, 99.0 + _width(meaning[shape]))
    return lines, width, 22.0 * len(lines)


def _write(graph: MarkedGraph) -> str:
    graph = graph.reorder(sorted(graph.names))
    labels = _labels(list(graph.names))
    sizes = np.array([[max(_width(label), 2 * _CELL) + 18.0, _HEIGHT] for label in labels]).reshape(-1, 2)
    centers, curves = lay_out(graph.skeleton, sizes)
    edges, reached = [], [centers - sizes / 2, centers + sizes / 2, np.zeros((1, 2))]
    boxes = np.stack([centers, sizes / 2], axis=1)
    for (i, j), curve in curves.items():
        marks = int(graph.marks[j, i]), int(graph.marks[i, j])
        title = f"{graph.names[i]} {picture(*marks)} {graph.names[j]}"
        edges.append(_edge(title, marks, curve, boxes[[i, j]]))
        reached.append(bezier(curve, np.linspace(0.0, 1.0, 20)))
    nodes = [_node(*what) for what in zip(graph.names, labels, centers, sizes, strict=True)]
    low, high = np.concatenate(reached).min(axis=0), np.concatenate(reached).max(axis=0)
    legend, width, height = _legend(graph, low[0], high[1] + 2 * _MARGIN)
    if legend:
        high = np.maximum(high, [low[0] + width, high[1] + 2 * _MARGIN + height])
    return _document(graph, low - _MARGIN, high + _MARGIN, [*edges, *nodes, *legend])


def _document(graph: MarkedGraph, low: np.ndarray, high: np.ndarray, body: list[str]) -> str:
    x, y = low
    width, height = high - low
    title = f"{graph.kind.upper()} with {len(graph.names)} vertices and {graph.n_edges} edges"
    frame = {"x": x, "y": y, "width": width, "height": height}
    view = " ".join(_number(value) for value in frame.values())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{_number(width)}"'
            f' height="{_number(height)}" role="img"'
            f' font-size="{_number(_FONT)}" font-family="{_FAMILY}" fill="{_INK}">',
            f"<title>{title}</title>",
            _element("rect", **frame, fill="white"),
            *body,
            "</svg>\n",
        ]
    )


FORMAT = Format("svg", (".svg",), _write, None)
