"""Completed partially directed acyclic graphs."""

from __future__ import annotations

from typing import ClassVar

from rolearn.graphs.dag import DAG
from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.problems import cpdag_problems, no_member_sentence
from rolearn.graphs.validity import check_cpdag, is_valid_cpdag
from rolearn.runtime.errors import ParameterError

__all__ = ["CPDAG"]


class CPDAG(MarkedGraph):
    """What all DAGs of a Markov class share: ``-->`` where they agree, ``---`` (tail and tail) elsewhere.

    Parameters
    ----------
    marks : array_like of int, shape (n, n)
        ``marks[i, j]`` is the mark at j on the edge between i and j: 0 none, 1 circle, 2 arrowhead, 3 tail.
    names : sequence, optional
        n distinct names; X1, ..., Xn where not given.

    Raises
    ------
    ParameterError
        When marks or names aren't of that form, or the graph is no CPDAG; says why.

    Examples
    --------
    >>> import rolearn
    >>> print(rolearn.DAG.from_edges([("A", "B"), ("B", "C")]).cpdag())
    A --- B
    B --- C
    """

    __slots__ = ()

    kind: ClassVar[str] = "cpdag"

    def _check(self) -> None:
        if problems := self.problems():
            raise ParameterError(f"this is no CPDAG: {problems[0]}")

    def is_valid(self) -> bool:
        """Tell whether this is the CPDAG of some DAG; only an `unchecked` one may not be."""
        return is_valid_cpdag(self.marks)

    def problems(self) -> list[str]:
        """Say why this is not the CPDAG of a DAG; empty exactly if it is."""
        return cpdag_problems(self, check_cpdag(self.marks))

    def dag(self) -> DAG:
        """Give one DAG of the class.

        Raises
        ------
        ParameterError
            If the CPDAG isn't valid and so stands for no class.
        """
        check = check_cpdag(self.marks)
        if check.failed is not None:
            raise ParameterError(no_member_sentence(self, cpdag_problems(self, check)))
        return DAG.unchecked(check.member, self.names)
