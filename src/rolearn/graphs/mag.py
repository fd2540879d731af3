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
    m-separates every pair that isn't adjacent; a ParameterError says where this fails.
    """

    __slots__ = ()

    kind: ClassVar[str] = "mag"

    def _check(self) -> None:
        for edge in self.edges():
            if edge.picture not in ("-->", "<->"):
                raise ParameterError(f"a MAG without selection bias has edges --> and <-> only, not {edge}")
        if sentence := flaw_sentence(self.marks.copy(), self.names):
            raise ParameterError(f"this is no MAG: {sentence}")
