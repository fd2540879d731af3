"""PAGs and CPDAGs with marks from background knowledge."""

from __future__ import annotations

from typing import ClassVar

from rolearn.graphs.cpdag import CPDAG
from rolearn.graphs.pag import PAG

__all__ = ["RestrictedCPDAG", "RestrictedPAG"]

_LABEL = "with background knowledge: these marks need not be those of a {kind}"


class RestrictedPAG(PAG):
    """A PAG with marks that background knowledge adds: what the MAGs of its class that agree with it share.

    It need not be the PAG of any Markov class, so that `is_valid` may be False; the last line of its text
    says so. It equals a `PAG` with the same marks.
    """

    __slots__ = ()

    restricted: ClassVar[bool] = True

    def __str__(self) -> str:
        return _labeled(super().__str__(), "PAG")


class RestrictedCPDAG(CPDAG):
    """A CPDAG with directions that background knowledge adds (a maximally oriented PDAG, Meek 1995)."""

    __slots__ = ()

    restricted: ClassVar[bool] = True

    def _check(self) -> None:
        """Take any marks: it need not be the CPDAG of a class."""

    def __str__(self) -> str:
        return _labeled(super().__str__(), "CPDAG")


def _labeled(text: str, kind: str) -> str:
    label = _LABEL.format(kind=kind)
    return f"{text}\n{label}" if text else label
