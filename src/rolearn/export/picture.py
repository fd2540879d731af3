"""A picture of a graph that notebooks show and files keep."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from rolearn.export.registry import graph_text, write_graph
from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import ParameterError

__all__ = ["Picture", "repr_svg"]

_SUFFIXES = (".svg", ".png", ".pdf")
_MOST = 150  # vertices of a graph that a notebook draws without being asked: beyond that it takes a while


class Picture:
    """A picture: notebooks show it, `save` keeps it.

    Attributes
    ----------
    svg : str
        The picture as SVG, laid out when first asked for.
    """

    def __init__(self, graph: MarkedGraph) -> None:
        self._graph = graph

    @cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        return graph_text(self._graph, "svg")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: .svg, or .png and .pdf with matplotlib (``rolearn[plot]``).

        Raises
        ------
        ParameterError
            When the suffix is none of these, matplotlib is needed and missing, or the path can't be written.
        """
        if Path(path).suffix.lower() not in _SUFFIXES:
            raise ParameterError(f"a picture can't be {str(path)!r}; it is {', '.join(_SUFFIXES)}")
        write_graph(self._graph, path)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture of {self._graph!r}>"


def repr_svg(graph: MarkedGraph) -> str | None:
    """Give what a notebook shows of a graph; None, for text instead, where laying it out takes long."""
    return graph_text(graph, "svg") if 0 < len(graph.names) <= _MOST else None
