"""Is a marks array the PAG of some MAG, the CPDAG of some DAG; and what keeps it from being so."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rolearn.graphs.orientation import MagEvidence, draw_cpdag, draw_pag
from rolearn.graphs.traversal import neighbor_lists, writable_marks
from rolearn.graphs.validity_kernels import (
    NO_FLAW,
    direct_open_edges,
    find_flaw,
    take_cpdag_member,
    take_pag_member,
)

__all__ = ["Check", "check_cpdag", "check_pag", "flaw_of", "is_valid_cpdag", "is_valid_pag"]


class Check(NamedTuple):
    """How far a validity check came, and what it made on the way.

    ``failed`` is None for a valid graph, else the first of ``"marks"`` (an edge no graph of this kind has),
    ``"chordal"`` (the open edges in ``left_open`` (n, n) bool can't be directed without a collider),
    ``"member"`` (the ``member`` (n, n) int8 taken from the class isn't a MAG, or a DAG) and ``"class"`` (the
    graph ``drawn`` (n, n) int8 of the member's class is another).
    """

    failed: str | None
    member: np.ndarray
    left_open: np.ndarray
    drawn: np.ndarray


def flaw_of(marks: np.ndarray) -> tuple[int, tuple[int, int]]:
    """Tell what keeps arrowhead and tail marks from being a MAG's, and at which two vertices."""
    found = np.zeros(2, dtype=np.int64)
    flaw = find_flaw(*neighbor_lists(marks), marks, found)
    return int(flaw), (int(found[0]), int(found[1]))


def check_pag(marks: ArrayLike) -> Check:
    """Check a PAG by theorem 2 of Zhang (2008): its member must be a MAG, and that MAG's PAG the input."""
    return _check(marks, take_pag_member, draw_pag)


def check_cpdag(marks: ArrayLike) -> Check:
    """Check a CPDAG: its member must be acyclic, and that DAG's CPDAG the input."""
    return _check(marks, take_cpdag_member, draw_cpdag)


def is_valid_pag(marks: ArrayLike) -> bool:
    """Tell whether ``marks`` (n, n) are the PAG of some MAG without selection bias."""
    return check_pag(marks).failed is None


def is_valid_cpdag(marks: ArrayLike) -> bool:
    """Tell whether ``marks`` (n, n), undetermined edges tail-tail, are the CPDAG of some DAG."""
    return check_cpdag(marks).failed is None


def _check(marks: ArrayLike, take_member, draw) -> Check:
    marks = writable_marks(marks)
    member = np.zeros_like(marks)
    left_open = np.zeros(marks.shape, dtype=np.bool_)
    failed = None
    drawn = marks
    if not take_member(marks, member, left_open):
        failed = "marks"
    elif not direct_open_edges(*neighbor_lists(marks), left_open, member):
        failed = "chordal"
    elif flaw_of(member)[0] != NO_FLAW:
        failed = "member"
    else:
        drawn = draw(marks != 0, MagEvidence(member))
        if not np.array_equal(drawn, marks):
            failed = "class"
    return Check(failed, member, left_open, drawn)
