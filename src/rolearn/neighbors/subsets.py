"""Arrays in which best sets of parents are looked for and kept."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import GrowShrink
from rolearn.neighbors.subset_kernels import UNKNOWN, BestSubsets, SubsetRoom
from rolearn.neighbors.traces import new_room, new_traces

__all__ = ["MOST_VARIABLES", "bytes_of", "grown_subsets", "new_best_subsets", "new_subset_room"]

# The room grows with the cube of the number of variables, and the time of a proof faster than that.
MOST_VARIABLES = 128

_FIRST_ROWS = 1024
_FIRST_WIDTH = 8


def new_best_subsets(n_variables: int) -> BestSubsets:
    """Give an empty tree for each of p variables."""
    return _empty(max(_FIRST_ROWS, 2 * n_variables), _FIRST_WIDTH, n_variables)


def grown_subsets(known: BestSubsets) -> BestSubsets:
    """Give the same trees with more room: twice the rows if they are used up, else twice the width."""
    rows, width = known.members.shape
    used = int(known.used[0])
    larger = _empty(2 * rows, width, used) if used == rows else _empty(rows, 2 * width, used)
    larger.members[:used, :width] = known.members[:used]
    larger.child[:used, :width] = known.child[:used]
    larger.size[:used], larger.cost[:used] = known.size[:used], known.cost[:used]
    return larger


def bytes_of(known: BestSubsets) -> int:
    """Give the memory that trees take."""
    return sum(array.nbytes for array in known)


def _empty(rows: int, width: int, used: int) -> BestSubsets:
    return BestSubsets(
        members=np.zeros((rows, width), np.int16),
        size=np.full(rows, UNKNOWN, np.int16),
        cost=np.zeros(rows),
        child=np.full((rows, width), UNKNOWN, np.int32),
        used=np.full(1, used, np.int64),
        full=np.zeros(1, np.int64),
    )


def new_subset_room(score: GrowShrink) -> SubsetRoom:
    """Give the room in which one best set at a time is looked for."""
    p = len(score.correlation)
    depths = min(score.cap, p) + 2
    return SubsetRoom(
        precision=np.empty((depths, p, p)),
        state=np.zeros((depths, p), np.int8),
        size=np.zeros(depths, np.int64),
        branch=np.zeros(depths, np.int64),
        candidates=np.zeros(p, np.int64),
        allowed=np.zeros(p, np.bool_),
        parents=np.zeros(p, np.int64),
        first=new_room(score),
        traces=new_traces(1, score.cap),
    )
