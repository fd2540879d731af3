"""Who has to leave before whom, and the orders that this allows.

``precedence`` (p, p) int8 holds 1 at [x, y] where x has to leave before y, -1 where after, 0 where either
may be first: all 0 where nothing is known. It needn't be transitive; an order that keeps to each pair keeps
to what follows.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

__all__ = ["allowed_order", "closure", "is_allowed", "may_leave", "predecessors", "successors"]


def is_allowed(order: np.ndarray, precedence: np.ndarray) -> bool:
    """Tell whether an order (p) lets all leave when they may."""
    arranged = precedence[np.ix_(order, order)]
    return not (np.triu(arranged) < 0).any()


def allowed_order(order: np.ndarray, precedence: np.ndarray) -> np.ndarray:
    """Give the order (p) itself if it is allowed, else with the first that may leave taken each time."""
    if is_allowed(order, precedence):
        return order
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    waiting_for = (precedence < 0).sum(axis=1)
    ready = [int(place[x]) for x in np.flatnonzero(waiting_for == 0)]
    heapify(ready)
    found = []
    while ready:
        x = order[heappop(ready)]
        found.append(x)
        for y in np.flatnonzero(precedence[x] > 0):
            waiting_for[y] -= 1
            if waiting_for[y] == 0:
                heappush(ready, int(place[y]))
    return np.array(found, order.dtype)


def may_leave(remaining: np.ndarray, precedence: np.ndarray) -> np.ndarray:
    """Give which of those that remain (..., p) bool may leave next."""
    if not precedence.any():
        return remaining
    held = remaining.astype(np.float32) @ (precedence > 0).astype(np.float32)
    return remaining & (held < 0.5)


def closure(precedence: np.ndarray) -> np.ndarray:
    """Give the precedence with all pairs that follow from it."""
    earlier = precedence > 0
    for x in range(len(precedence)):
        earlier |= np.outer(earlier[:, x], earlier[x])
    return earlier.astype(np.int8) - earlier.T.astype(np.int8)


def predecessors(precedence: np.ndarray) -> np.ndarray:
    """Give for each of p < 64 variables the bit mask of those that have to leave before it."""
    return _masks(precedence < 0)


def successors(precedence: np.ndarray) -> np.ndarray:
    """Give for each of p < 64 variables the bit mask of those that have to leave after it."""
    return _masks(precedence > 0)


def _masks(marked: np.ndarray) -> np.ndarray:
    return (marked.astype(np.int64) << np.arange(len(marked), dtype=np.int64)).sum(axis=1)
