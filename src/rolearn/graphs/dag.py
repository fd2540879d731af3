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

    Parameters
    ----------
    marks : array_like of int, shape (n, n)
        ``marks[i, j]`` is the mark at j on the edge between i and j: 0 none, 1 circle, 2 arrowhead, 3 tail.
    names : sequence, optional
        n distinct names; X1, ..., Xn where not given.

    Raises
    ------
    ParameterError
        When marks or names aren't of that form, or there is a cycle, which it names.

    Examples
    --------
    >>> import rolearn
    >>> dag = rolearn.DAG.from_edges([("U", "A"), ("U", "B"), ("B", "C")])
    >>> dag.m_separated("A", "C", {"B"})
    True
    >>> print(dag.project(hidden=["U"]))
    A <-> B
    B --> C
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
