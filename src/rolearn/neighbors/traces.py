"""Arrays in which the sets of variables grow."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.grow_shrink_kernels import GrowShrink, Room, Traces

__all__ = ["new_room", "new_traces"]


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


def new_room(score: GrowShrink) -> Room:
    """Give the room in which one set at a time grows."""
    p = len(score.correlation)
    return Room(
        factor=np.empty((score.cap, p)),
        shared=np.empty(p),
        variance=np.empty(p),
        gain=np.empty(p),
        parents=np.empty(score.cap, np.int64),
    )
