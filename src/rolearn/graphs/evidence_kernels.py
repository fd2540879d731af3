"""What tells whether a vertex is a collider between two others: a MAG, its ancestors, or separating sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD
from rolearn.runtime.compile import kernel

__all__ = ["COLLIDER", "NONCOLLIDER", "UNKNOWN", "Evidence", "is_collider"]

COLLIDER = 1
NONCOLLIDER = 0
UNKNOWN = -1


class Evidence(NamedTuple):
    """A MAG's ``marks`` (n, n) int8; separating sets, with ``marks`` (0, 0); or a MAG's ancestors.

    ``number`` (n, n) int32, symmetric, holds the number s of a pair's separating set, -1 for none; the set
    is ``members[starts[s]:starts[s + 1]]`` (``starts`` int64, ``members`` int32). With a ``starts`` of length
    1 ``marks[i, j]`` says whether i is an ancestor of j: each pair's set then is its ancestors, which
    separate it if it isn't adjacent. One type for all, since every further type would be compiled through
    all rules again.
    """

    marks: np.ndarray
    number: np.ndarray
    starts: np.ndarray
    members: np.ndarray


@kernel
def is_collider(evidence, end, a, b, c):
    """Tell whether b is a collider between its neighbors a and c: COLLIDER, NONCOLLIDER or UNKNOWN.

    ``end`` isn't adjacent to c: it is a itself for an unshielded triple (R0), and the far end of the
    discriminating path for b that runs over a (R4).
    """
    if evidence.marks.shape[0] > 0:
        if evidence.starts.shape[0] == 1:
            return NONCOLLIDER if evidence.marks[b, end] != 0 or evidence.marks[b, c] != 0 else COLLIDER
        return (
            COLLIDER
            if evidence.marks[a, b] == ARROWHEAD and evidence.marks[c, b] == ARROWHEAD
            else NONCOLLIDER
        )
    s = evidence.number[end, c]
    if s < 0:
        return UNKNOWN
    for k in range(evidence.starts[s], evidence.starts[s + 1]):
        if evidence.members[k] == b:
            return NONCOLLIDER
    return COLLIDER
