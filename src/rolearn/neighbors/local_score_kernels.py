"""Grow-shrink by a penalized likelihood that is worked out set by set, and remembered.

For statistics that register `independence.local_likelihood_kernels`. A score is a function of the
variable and the set, to the last bit, so that one table serves all searches, and all threads at once: a place
holds the value's bits and the key combined with them, and what two threads wrote together fits no key
(Hyatt's lockless hashing).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rolearn.independence.local_likelihood_kernels import gain_of, penalized_deviance
from rolearn.neighbors.grow_shrink_kernels import grow, shrink, would_take
from rolearn.runtime.compile import kernel

__all__ = ["LocalScore"]


class LocalScore(NamedTuple):
    """What growing and shrinking go by.

    A free parameter costs ``threshold``; at most ``cap`` variables are taken. ``keys`` (2, p) are random: of
    a variable among the members, and as the one whose score it is. ``checks`` and ``bits`` are the table.
    """

    statistics: Any
    keys: np.ndarray
    checks: np.ndarray
    bits: np.ndarray
    n_samples: float
    threshold: float
    cap: int


@kernel
def _key_of(score, x, members, size):
    key = score.keys[1, x]
    for k in range(size):
        key ^= score.keys[0, members[k]]
    return key


@kernel
def _ascending(members, size, extra):
    """Give the members, and `extra` if it isn't negative, in ascending order."""
    sorted_members = np.empty(size + 1, np.int64)
    count = 0
    for k in range(size + 1):
        member = members[k] if k < size else extra
        if member >= 0:
            at = count
            while at > 0 and sorted_members[at - 1] > member:
                sorted_members[at] = sorted_members[at - 1]
                at -= 1
            sorted_members[at] = member
            count += 1
    return sorted_members, count


@kernel
def _score_of(score, x, members, size, extra, key):
    """Give the score of x given the members and `extra` (-1: none), from the table if it is there."""
    at = key & (len(score.checks) - 1)
    bits = score.bits[at]
    if score.checks[at] ^ bits == key:
        return np.int64(bits).view(np.float64)
    given, count = _ascending(members, size, extra)
    value = penalized_deviance(score.statistics, score.threshold, x, given, count)
    if value != value:  # the signal went up: nothing is taken any more, and nothing remembered
        return value
    bits = np.float64(value).view(np.int64)
    score.checks[at] = key ^ bits
    score.bits[at] = bits
    return value


@kernel
def _gain(score, x, y, members, size, key, before):
    """Give by how much the score of x given the members, which is `before`, gets better with y."""
    after = _score_of(score, x, members, size, y, key ^ score.keys[0, y])
    return gain_of(score.statistics, score.threshold, x, y, members, size, before, after)


@grow.register(LocalScore)
def grow_local(score, x, remaining, room, traces, row):
    """Take the variable that betters the score most, while one does."""
    members = traces.members[row]
    key = score.keys[1, x]
    left = _score_of(score, x, members, 0, -1, key)
    size = 0
    traces.blocked[row] = False
    while size < score.cap:
        best = -1
        largest = 0.0
        for y in range(len(remaining)):
            room.gain[y] = 0.0 if remaining[y] and y != x else -np.inf
        for k in range(size):
            room.gain[members[k]] = -np.inf
        for y in range(len(remaining)):
            if room.gain[y] == 0.0:
                gain = _gain(score, x, y, members, size, key, left)
                if gain > largest:
                    largest = gain
                    best = y
        if best < 0:
            break
        if size == traces.members.shape[1]:
            traces.full[0] = 1
            break
        traces.gain[row, size] = largest
        traces.left[row, size] = left
        members[size] = best
        size += 1
        key ^= score.keys[0, best]
        left = _score_of(score, x, members, size, -1, key)
    traces.size[row] = size
    traces.left[row, size] = left


@would_take.register(LocalScore)
def would_take_local(score, traces, row, x, y):
    """Compare the gain of y with that of what was taken, step by step."""
    size = traces.size[row]
    members = traces.members[row]
    key = score.keys[1, x]
    for k in range(size):
        gain = _gain(score, x, y, members, k, key, traces.left[row, k])
        if gain > traces.gain[row, k] or (gain == traces.gain[row, k] and y < members[k]):
            return True
        key ^= score.keys[0, members[k]]
    if size >= score.cap:
        return False
    return _gain(score, x, y, members, size, key, traces.left[row, size]) > 0.0


@shrink.register(LocalScore)
def shrink_local(score, x, out, size, traces, row):
    """Drop the member without which the score is best while it gets no worse."""
    return _shrunk(score, x, out, size)


@kernel
def _shrunk(score, x, out, size):
    """Give the size and the score."""
    others = np.empty(size, np.int64)
    while True:
        key = _key_of(score, x, out, size)
        left = _score_of(score, x, out, size, -1, key)
        least = -1
        smallest = 0.0
        for i in range(size):
            count = 0
            for k in range(size):
                if k != i:
                    others[count] = out[k]
                    count += 1
            without = key ^ score.keys[0, out[i]]
            before = _score_of(score, x, others, count, -1, without)
            worth = gain_of(score.statistics, score.threshold, x, out[i], others, count, before, left)
            if worth <= smallest:
                least = i
                smallest = worth
        if least < 0:
            break
        size -= 1
        out[least] = out[size]
    return size, left
