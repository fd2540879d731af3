"""Maximal ancestral graphs."""

from __future__ import annotations

from typing import ClassVar

from rolearn.graphs.ancestral_graph import AncestralGraph
from rolearn.graphs.problems import flaw_sentence
from rolearn.runtime.errors import ParameterError

__all__ = ["MAG"]


class MAG(AncestralGraph):
    """A maximal ancestral graph with directed and bidirected edges, that is, without selection bias.

    No vertex is an ancestor of one it is joined to by ``<->``, there is no directed cycle, and some set
    m-separates every pair that isn't adjacent.

    Parameters
    ----------
    marks : array_like of int, shape (n, n)
        ``marks[i, j]`` is the mark at j on the edge between i and j: 0 none, 1 circle, 2 arrowhead, 3 tail.
    names : sequence, optional
        n distinct names; X1, ..., Xn where not given.

    Raises
    ------
    ParameterError
        When marks or names aren't of that form, or the graph is no MAG; says where it fails.

    Examples
    --------
    >>> import rolearn
    >>> mag = rolearn.MAG.from_edges(["A --> B", "B <-> C", "D --> C"])
    >>> print(mag.pag())
    A o-> B
    B <-> C
    D o-> C
    """

    __slots__ = ()

    kind: ClassVar[str] = "mag"

    def _check(self) -> None:
        for edge in self.edges():
            if edge.picture not in ("-->", "<->"):
                raise ParameterError(f"a MAG without selection bias has edges --> and <-> only, not {edge}")
        if sentence := flaw_sentence(self.marks.copy(), self.names):
            raise ParameterError(f"this is no MAG: {sentence}")
