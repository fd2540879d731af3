"""The subsets that a best-first search has reached: what reached them, and which comes next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.runtime.compile import kernel, part

__all__ = ["QUEUED", "STATES", "Frontier", "has_room", "place_of", "pop", "push", "transfer"]

# What `counts` of a frontier counts.
STATES, QUEUED = 0, 1


class Frontier(NamedTuple):
    """The subsets reached: a hash table of masks plus 1, and a heap of those to look at.

    ``cost`` (places) is the least reduced cost a mask was reached at, ``left`` (places) who left last then.
    """

    masks: np.ndarray
    cost: np.ndarray
    left: np.ndarray
    heap_cost: np.ndarray
    heap_mask: np.ndarray
    counts: np.ndarray


@kernel
def place_of(masks, mask):
    """Give where the mask is in a table, or would go."""
    last = len(masks) - 1
    # two halves times odd numbers below 2^31: nothing wraps around
    at = ((mask & 0x7FFFFFFF) * 1640531527 + (mask >> 31) * 1013904223) >> 7 & last
    while masks[at] != 0 and masks[at] != mask + 1:
        at = (at + 1) & last
    return at


@kernel
def transfer(old, new):
    """Fill a larger frontier with all of a smaller one."""
    for i in range(len(old.masks)):
        if old.masks[i] != 0:
            at = place_of(new.masks, old.masks[i] - 1)
            new.masks[at] = old.masks[i]
            new.cost[at] = old.cost[i]
            new.left[at] = old.left[i]
    for i in range(old.counts[QUEUED]):
        new.heap_cost[i] = old.heap_cost[i]
        new.heap_mask[i] = old.heap_mask[i]


@part
def _before(frontier, i, j):
    """Whether entry i of the heap comes before j: cheaper, or as cheap and with the lower mask."""
    first = frontier.heap_cost[i]
    second = frontier.heap_cost[j]
    return first < second or (first == second and frontier.heap_mask[i] < frontier.heap_mask[j])


@part
def _exchange(frontier, i, j):
    cost = frontier.heap_cost[i]
    mask = frontier.heap_mask[i]
    frontier.heap_cost[i] = frontier.heap_cost[j]
    frontier.heap_mask[i] = frontier.heap_mask[j]
    frontier.heap_cost[j] = cost
    frontier.heap_mask[j] = mask


@kernel
def push(frontier, mask, cost, left):
    """Note that a mask was reached at that cost, if it wasn't at a lower one."""
    at = place_of(frontier.masks, mask)
    if frontier.masks[at] != 0 and frontier.cost[at] <= cost:
        return
    if frontier.masks[at] == 0:
        frontier.masks[at] = mask + 1
        frontier.counts[STATES] += 1
    frontier.cost[at] = cost
    frontier.left[at] = left
    i = frontier.counts[QUEUED]
    frontier.counts[QUEUED] += 1
    frontier.heap_cost[i] = cost
    frontier.heap_mask[i] = mask
    while i > 0 and _before(frontier, i, (i - 1) // 2):
        _exchange(frontier, i, (i - 1) // 2)
        i = (i - 1) // 2


@part
def pop(frontier):
    """Take the first entry off the heap."""
    last = frontier.counts[QUEUED] - 1
    frontier.counts[QUEUED] = last
    _exchange(frontier, 0, last)
    i = 0
    while True:
        child = 2 * i + 1
        if child >= last:
            break
        if child + 1 < last and _before(frontier, child + 1, child):
            child += 1
        if not _before(frontier, child, i):
            break
        _exchange(frontier, i, child)
        i = child


@part
def has_room(frontier, p):
    """Whether all that one subset leads to will fit."""
    states = frontier.counts[STATES] + p
    return 4 * states <= 3 * len(frontier.masks) and frontier.counts[QUEUED] + p <= len(frontier.heap_mask)
