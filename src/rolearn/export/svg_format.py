"""SVG: a picture for people, with the right mark at each end of each edge; it isn't read back.

Plain shapes and text, no scripts, styles or references, so that every viewer and converter draws the same.
The background is white, which reads on light and dark pages alike.
"""

from __future__ import annotations

from html import escape

import numpy as np

from rolearn.export.format import Format
from rolearn.export.labels import FONT, label_width, visible
from rolearn.export.legend import LegendRow, legend_of
from rolearn.export.scene import RADIUS, EdgeShape, Scene, scene_of
from rolearn.graphs import MarkedGraph

__all__ = ["BORDER", "FILL", "FORMAT", "INK", "LINE"]

_FAMILY = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
INK, LINE, FILL, BORDER = "#1a1a1a", "#3f4a5a", "#eef2f8", "#7486a3"


def _text(name: str) -> str:
    """Make text that XML can hold and that ends no element: names are data."""
    return escape(visible(name))


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


def _label(at: np.ndarray, label: str, anchor: str) -> str:
    # textLength keeps the text within its box, whatever font the viewer has
    length = (
        f' textLength="{_number(label_width(label))}" lengthAdjust="spacingAndGlyphs"'
        if label.strip()
        else ""
    )
    place = f'x="{_number(at[0])}" y="{_number(at[1] + 0.34 * FONT)}" text-anchor="{anchor}"'
    return f'<text {place}{length} xml:space="preserve">{_text(label)}</text>'


def _node(name: str, label: str, center: np.ndarray, size: np.ndarray) -> str:
    corner = center - size / 2
    frame = {"x": corner[0], "y": corner[1], "width": size[0], "height": size[1]}
    box = _element("rect", **frame, rx=4.0, fill=FILL, stroke=BORDER)
    text = _label(center, label, "middle")
    return f'<g class="node"><title>{_text(name)}</title>{box}{text}</g>'


def _edge(title: str, shape: EdgeShape) -> str:
    a, middle, b = shape.line
    line = f'<path d="M{_points(a[None])} Q{_points(np.array([middle, b]))}" fill="none"/>'
    circles = [_element("circle", cx=at[0], cy=at[1], r=RADIUS, fill="white") for at in shape.circles]
    arrows = [
        _element("polygon", points=_points(triangle), fill=LINE, stroke="none") for triangle in shape.arrows
    ]
    group = f'<g class="edge" stroke="{LINE}" stroke-width="1.4">'
    return f"{group}<title>{_text(title)}</title>{line}{''.join(circles + arrows)}</g>"


def _legend_row(row: LegendRow) -> str:
    a, b = _label(row.a, "A", "middle"), _label(row.b, "B", "middle")
    words = _label(row.words_at, row.words, "start")
    return f'<g class="legend">{a}{b}{_edge(row.title, row.shape)}{words}</g>'


def _write(graph: MarkedGraph) -> str:
    return _drawn(scene_of(graph))


def _drawn(scene: Scene) -> str:
    edges = [_edge(scene.title(edge), scene.shape(edge)) for edge in scene.edges]
    placed = zip(scene.graph.names, scene.labels, scene.centers, scene.sizes, strict=True)
    nodes = [_node(*what) for what in placed]
    legend = legend_of(scene)
    rows = map(_legend_row, legend.rows)
    return _document(scene.graph, legend.low, legend.high, [*edges, *nodes, *rows])


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
            f' font-size="{_number(FONT)}" font-family="{_FAMILY}" fill="{INK}">',
            f"<title>{title}</title>",
            _element("rect", **frame, fill="white"),
            *body,
            "</svg>\n",
        ]
    )


FORMAT = Format("svg", (".svg",), _write, None)
