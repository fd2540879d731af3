"""Directed acyclic graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, ClassVar

from rolearn.graphs.ancestral_graph import AncestralGraph
from rolearn.graphs.orientation import MagEvidence, draw_cpdag
from rolearn.graphs.problems import flaw_sentence
from rolearn.graphs.removal import violates_c_order
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from rolearn.graphs.cpdag import CPDAG
    from rolearn.graphs.mag import MAG

__all__ = ["DAG"]


class DAG(AncestralGraph):
    """A directed acyclic graph.

    ``DAG.from_edges([("A", "B")])`` is A -> B. A ParameterError names the cycle where there is one.
    """

    __slots__ = ()

    kind: ClassVar[str] = "dag"

    def _check(self) -> None:
        for edge in self.edges():
            if edge.picture != "-->":
                raise ParameterError(f"a DAG has directed edges only, not {edge}")
        if sentence := flaw_sentence(self.marks.copy(), self.names):
            raise ParameterError(f"this is no DAG: {sentence}")

    def mag(self) -> MAG:
        """Give the same graph as a MAG (nothing hidden)."""
        from rolearn.graphs.mag import MAG

        return MAG.unchecked(self.marks, self.names)

    def cpdag(self) -> CPDAG:
        """Give the CPDAG: directed where all Markov equivalent DAGs agree, ``---`` elsewhere.

        Examples
        --------
        >>> import rolearn
        >>> print(rolearn.DAG.from_edges(["A --> B", "C --> B", "C --> D"]).cpdag())
        A --> B
        C --> B
        C --- D
        """
        from rolearn.graphs.cpdag import CPDAG

        return CPDAG.unchecked(draw_cpdag(self.skeleton, MagEvidence(self.marks)), self.names)

    def is_c_order(self, order: Iterable[Hashable]) -> bool:
        """Tell whether children leave before their parents (definition 2 of the paper).

        Examples
        --------
        >>> import rolearn
        >>> rolearn.DAG.from_edges(["A --> B"]).is_c_order(["B", "A"])
        True
        """
        places = [self.index(name) for name in self._permutation(order)]
        return violates_c_order(self.marks, places) is None
