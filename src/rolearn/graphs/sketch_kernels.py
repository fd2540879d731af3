"""A graph being oriented in rounds: rules read its marks and draft new ones, which are applied together.

Since no rule sees what another drafts in the same round, the outcome depends neither on the order of the
columns nor on the order of the rules within a round, whatever the evidence says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, CIRCLE, TAIL
from rolearn.runtime.compile import kernel

__all__ = ["Sketch", "apply_drafts", "draft_arrowhead", "draft_tail"]

_DRAFTED_ARROWHEAD = 1
_DRAFTED_TAIL = 2


class Sketch(NamedTuple):
    """A partly oriented graph with n vertices and m edges.

    ``starts`` and ``neighbors`` are its neighbor lists, ``marks`` (n, n) int8. ``drafts`` (n, n) int8 says
    which marks are drafted where, ``cells`` (2m, 2) int64 lists these places, and ``counts`` int64 holds the
    number of drafted places and of clashes. ``clashes`` (2m, 2) int64 lists the places where an arrowhead
    and a tail were drafted in the same round.
    """

    starts: np.ndarray
    neighbors: np.ndarray
    marks: np.ndarray
    drafts: np.ndarray
    cells: np.ndarray
    clashes: np.ndarray
    counts: np.ndarray


@kernel
def _list_cell(sketch, i, j):
    k = sketch.counts[0]
    sketch.cells[k, 0] = i
    sketch.cells[k, 1] = j
    sketch.counts[0] = k + 1


@kernel
def draft_arrowhead(sketch, i, j):
    """Draft an arrowhead at j on the edge between i and j if a circle is there; 1 if that is news, else 0."""
    known = sketch.drafts[i, j]
    if sketch.marks[i, j] != CIRCLE or known & _DRAFTED_ARROWHEAD:
        return 0
    if known == 0:
        _list_cell(sketch, i, j)
    sketch.drafts[i, j] = known | _DRAFTED_ARROWHEAD
    return 1


@kernel
def draft_tail(sketch, i, j):
    """Draft a tail at j on the edge between i and j if a circle is there; 1 if that is news, else 0."""
    known = sketch.drafts[i, j]
    if sketch.marks[i, j] != CIRCLE or known & _DRAFTED_TAIL:
        return 0
    if known == 0:
        _list_cell(sketch, i, j)
    sketch.drafts[i, j] = known | _DRAFTED_TAIL
    return 1


@kernel
def apply_drafts(sketch):
    """Write what was drafted; of an arrowhead and a tail the arrowhead stays, and the clash is noted."""
    count = sketch.counts[0]
    for k in range(count):
        i = sketch.cells[k, 0]
        j = sketch.cells[k, 1]
        bits = sketch.drafts[i, j]
        sketch.marks[i, j] = TAIL if bits == _DRAFTED_TAIL else ARROWHEAD
        if bits == _DRAFTED_TAIL | _DRAFTED_ARROWHEAD:
            clash = sketch.counts[1]
            sketch.clashes[clash, 0] = i
            sketch.clashes[clash, 1] = j
            sketch.counts[1] = clash + 1
        sketch.drafts[i, j] = 0
    sketch.counts[0] = 0
    return count
