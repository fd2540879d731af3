"""Partial ancestral graphs."""

from __future__ import annotations

from typing import ClassVar

from rolearn.graphs.mag import MAG
from rolearn.graphs.marked_graph import MarkedGraph
from rolearn.graphs.problems import no_member_sentence, pag_problems
from rolearn.graphs.validity import check_pag, is_valid_pag
from rolearn.runtime.errors import ParameterError

__all__ = ["PAG"]


class PAG(MarkedGraph):
    """A partial ancestral graph: what all MAGs of a Markov class share, circles where they differ.

    Any marks are taken, since other programs' invalid graphs must load; `problems` judges.

    Parameters
    ----------
    marks : array_like of int, shape (n, n)
        ``marks[i, j]`` is the mark at j on the edge between i and j: 0 none, 1 circle, 2 arrowhead, 3 tail.
    names : sequence, optional
        n distinct names; X1, ..., Xn where not given.

    Raises
    ------
    ParameterError
        When marks or names aren't of that form.

    Examples
    --------
    >>> import rolearn
    >>> pag = rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
    >>> pag.is_valid()
    True
    >>> print(pag.mag())
    A --> C
    C --> D
    B --> C
    """

    __slots__ = ()

    kind: ClassVar[str] = "pag"

    def is_valid(self) -> bool:
        """Tell whether this is the PAG of some MAG without selection bias."""
        return is_valid_pag(self.marks)

    def problems(self) -> list[str]:
        """Say why this is not the PAG of a MAG without selection bias; empty exactly if it is.

        Judged by a member of the class (theorem 2 of Zhang 2008): it must be a MAG whose PAG this is.

        Examples
        --------
        >>> import rolearn
        >>> rolearn.PAG.from_edges(["A o-> C", "B o-> C"]).problems()
        []
        >>> len(rolearn.PAG.from_edges(["A --> B", "B --> C", "C --> A"]).problems()) > 0
        True
        """
        return pag_problems(self, check_pag(self.marks))

    def mag(self) -> MAG:
        """Give one MAG of the class: each o-> becomes -->, the o-o edges a DAG without unshielded colliders.

        Raises
        ------
        ParameterError
            If the PAG isn't valid and so stands for no class.

        Examples
        --------
        >>> import rolearn
        >>> print(rolearn.PAG.from_edges(["A o-> C", "B o-> C", "C --> D"]).mag())
        A --> C
        C --> D
        B --> C
        """
        check = check_pag(self.marks)
        if check.failed is not None:
            raise ParameterError(no_member_sentence(self, pag_problems(self, check)))
        return MAG.unchecked(check.member, self.names)
