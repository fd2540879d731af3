"""Arrays in which the sets of variables grow."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import GrowShrink, Room, Traces
from rolearn.neighbors.local_score_kernels import LocalScore

__all__ = ["Score", "new_room", "new_traces", "variables_of"]

# What growing and shrinking go by.
Score = GrowShrink | LocalScore


def variables_of(score: Score) -> int:
    """Give the number of variables that a score is over."""
    return score.keys.shape[1] if isinstance(score, LocalScore) else len(score.correlation)


def new_traces(rows: int, depth: int) -> Traces:
    """Give traces of empty sets, `rows` of them, that may grow to `depth` members each."""
    return Traces(
        size=np.zeros(rows, np.int64),
        members=np.zeros((rows, depth), np.int64),
        factor=np.zeros((rows, depth * (depth + 1) // 2)),
        own=np.zeros((rows, depth)),
        gain=np.zeros((rows, depth)),
        left=np.ones((rows, depth + 1)),
        blocked=np.zeros(rows, np.bool_),
        scratch=np.zeros(depth),
        full=np.zeros(1, np.int64),
    )


def new_room(score: Score) -> Room:
    """Give the room in which one set at a time grows."""
    p = variables_of(score)
    return Room(
        factor=np.empty((score.cap, p)),
        shared=np.empty(p),
        variance=np.empty(p),
        gain=np.empty(p),
        parents=np.empty(score.cap, np.int64),
    )
