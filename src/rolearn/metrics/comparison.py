"""Where two graphs differ, mark by mark."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import NO_EDGE, picture
from rolearn.metrics.scores import MarkedGraphLike, aligned_marks
from rolearn.runtime.records import Records

__all__ = ["Difference", "compare"]


class Difference(NamedTuple):
    """A pair of vertices whose edge isn't the same in two graphs.

    The edges are pictures read from `a` to `b`, such as ``o->``, or ``...`` for no edge.
    """

    a: str
    b: str
    edge_in_first: str
    edge_in_second: str

    def __str__(self) -> str:
        return f"{_read(self.a, self.edge_in_first, self.b)}  |  {_read(self.a, self.edge_in_second, self.b)}"


def compare(graph: MarkedGraphLike, other: MarkedGraphLike) -> Records[Difference]:
    """List the pairs whose marks differ, in the vertex order of the first graph.

    Returns
    -------
    Records of Difference
        A list; ``to_csv`` writes it, ``print`` aligns it, and any dataframe library takes it.

    Raises
    ------
    ParameterError
        When the graphs are over different variables.

    Examples
    --------
    >>> import rolearn
    >>> found = rolearn.PAG.from_edges(["A o-> B", "B --> C"])
    >>> print(rolearn.compare(found, rolearn.PAG.from_edges(["A o-> B", "B <-> C"])))
    a  b  edge_in_first  edge_in_second
    B  C  -->            <->
    """
    first, second = aligned_marks(graph, other)
    differs = np.triu((first != second) | (first != second).T, 1)
    return Records(
        Difference,
        (
            Difference(graph.names[i], graph.names[j], _edge(first, i, j), _edge(second, i, j))
            for i, j in np.argwhere(differs).tolist()
        ),
    )


def _edge(marks: np.ndarray, i: int, j: int) -> str:
    if marks[i, j] == NO_EDGE:
        return "..."
    return picture(int(marks[j, i]), int(marks[i, j]))


def _read(a: str, edge: str, b: str) -> str:
    return f"{a} {edge} {b}"
