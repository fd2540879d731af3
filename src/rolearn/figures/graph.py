"""A graph as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolearn.export.legend import legend_of
from rolearn.export.matplotlib_picture import PIXELS, draw_scene
from rolearn.export.scene import scene_of
from rolearn.figures.rows import axes_for
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["graph"]


def graph(graph: MarkedGraph, axes: Axes | None = None) -> Axes:
    """Draw a graph with its marks and legend, as `DAG.draw` does.

    Parameters
    ----------
    graph : DAG, CPDAG, MAG or PAG
    axes : matplotlib Axes, optional
        Fonts and lines are made to fit them; a figure of the right size is made where not given.

    Returns
    -------
    matplotlib Axes
        Their data are pixels, y down.

    Raises
    ------
    ParameterError
        When it is no graph, or matplotlib isn't installed.
    """
    if not isinstance(graph, MarkedGraph):
        raise ParameterError(
            f"graph is a {type(graph).__name__}; give a DAG, CPDAG, MAG or PAG, as model.pag_"
        )
    scene = scene_of(graph)
    legend = legend_of(scene)
    axes = axes_for(axes, tuple((legend.high - legend.low) / PIXELS))
    draw_scene(scene, legend, axes)
    return axes
