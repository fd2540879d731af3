"""A graph drawn by matplotlib, with the marks, places and colors of the SVG; PNG and PDF come of it."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.export.format import Format
from rolearn.export.labels import FONT, visible
from rolearn.export.legend import Legend, legend_of
from rolearn.export.scene import RADIUS, EdgeShape, Scene, scene_of
from rolearn.export.svg_format import BORDER, FILL, INK, LINE
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "PDF",
    "PIXELS",
    "PNG",
    "add_edge",
    "add_text",
    "draw_scene",
    "fit",
    "require_matplotlib",
]

PIXELS = 96.0  # an inch
_DOTS = 192  # an inch of a PNG
_LARGEST = 12000.0  # pixels of a PNG in either direction
_POINT = 72.0 / PIXELS  # a pixel in points


def require_matplotlib() -> None:
    """Import matplotlib.

    Raises
    ------
    ParameterError
        When it isn't installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ParameterError(
            "this picture needs matplotlib; pip install 'rolearn[plot]' has it, and SVG needs nothing"
        ) from None


def fit(axes: Axes, low: np.ndarray, high: np.ndarray) -> float:
    """Make the pixels of a picture the data of axes; give the scale for which it fits them."""
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(high[1], low[1])
    axes.set_aspect("equal")
    axes.set_axis_off()
    box = axes.get_window_extent()
    width, height = (high - low) / PIXELS
    return float(min(box.width / width, box.height / height) / axes.figure.dpi)


def draw_scene(scene: Scene, legend: Legend, axes: Axes) -> None:
    """Draw a scene and its legend into axes whose data become its pixels; fonts and lines are made to fit."""
    scale = fit(axes, legend.low, legend.high)
    for edge in scene.edges:
        add_edge(axes, scene.shape(edge), scale)
    for label, center, size in zip(scene.labels, scene.centers, scene.sizes, strict=True):
        _add_box(axes, label, center, size, scale)
    for row in legend.rows:
        add_edge(axes, row.shape, scale)
        add_text(axes, row.a, "A", "center", scale)
        add_text(axes, row.b, "B", "center", scale)
        add_text(axes, row.words_at, row.words, "left", scale)


def add_edge(axes: Axes, shape: EdgeShape, scale: float) -> None:
    """Draw what is seen of an edge."""
    from matplotlib.patches import Circle, PathPatch, Polygon
    from matplotlib.path import Path

    width = 1.4 * scale * _POINT
    curve = Path(shape.line, [Path.MOVETO, Path.CURVE3, Path.CURVE3])
    axes.add_patch(PathPatch(curve, fill=False, edgecolor=LINE, linewidth=width, capstyle="butt"))
    for triangle in shape.arrows:
        axes.add_patch(Polygon(triangle, closed=True, facecolor=LINE, edgecolor="none"))
    for at in shape.circles:
        circle = Circle((at[0], at[1]), RADIUS, facecolor="white", edgecolor=LINE, linewidth=width)
        axes.add_patch(circle)


def _add_box(axes: Axes, label: str, center: np.ndarray, size: np.ndarray, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    style = "round,pad=0,rounding_size=4"
    corner = (center[0] - size[0] / 2, center[1] - size[1] / 2)
    width = scale * _POINT
    axes.add_patch(
        FancyBboxPatch(
            corner, size[0], size[1], boxstyle=style, facecolor=FILL, edgecolor=BORDER, linewidth=width
        )
    )
    add_text(axes, center, label, "center", scale)


def add_text(axes: Axes, at: Sequence[float] | np.ndarray, text: str, side: str, scale: float) -> None:
    """Write a name or words at a place (x, y) that is their left end, center or right end, as `side` says."""
    options: dict[str, Any] = {"family": "monospace", "fontsize": FONT * scale * _POINT, "color": INK}
    axes.text(at[0], at[1], visible(text), ha=side, va="center_baseline", parse_math=False, **options)


def _written(graph: MarkedGraph, format: str, metadata: dict[str, None]) -> bytes:
    require_matplotlib()
    from matplotlib.figure import Figure

    scene = scene_of(graph)
    legend = legend_of(scene)
    size = legend.high - legend.low
    figure = Figure(figsize=tuple(size / PIXELS), dpi=PIXELS, facecolor="white")
    draw_scene(scene, legend, figure.add_axes((0.0, 0.0, 1.0, 1.0)))
    dots = min(_DOTS, PIXELS * _LARGEST / float(size.max()))
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a box stands for it
        figure.savefig(out, format=format, dpi=dots, metadata=metadata)
    return out.getvalue()


# without the date and the version of the writer, so that the same graph gives the same file
def _png(graph: MarkedGraph) -> bytes:
    return _written(graph, "png", {"Software": None})


def _pdf(graph: MarkedGraph) -> bytes:
    return _written(graph, "pdf", {"CreationDate": None, "Creator": None, "Producer": None})


PNG = Format("png", (".png",), _png, None, library="matplotlib")
PDF = Format("pdf", (".pdf",), _pdf, None, library="matplotlib")
