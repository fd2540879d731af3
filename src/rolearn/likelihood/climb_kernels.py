"""One round of the last search: the best move at each pair of vertices in turn."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.likelihood.move_kernels import change_of, complete, is_legal, make, set_row
from rolearn.runtime.compile import kernel

__all__ = ["visit_pairs"]


@kernel
def _set_single(move, i, j, kind):
    """Write the move that makes the edge of i and j one of four kinds: none, i --> j, i <-- j, i <-> j."""
    at_i = ARROWHEAD if kind >= 2 else (TAIL if kind == 1 else NO_EDGE)
    at_j = TAIL if kind == 2 else (NO_EDGE if kind == 0 else ARROWHEAD)
    set_row(move, 0, i, j, at_i, at_j)


@kernel
def _is_common(marks, i, j, z):
    return marks[i, z] != NO_EDGE and marks[j, z] != NO_EDGE


@kernel
def _add_collider(marks, move, count, i, j, z):
    """Let a move make z, joined to i and to j, a collider between them; gives its size."""
    if marks[i, z] != ARROWHEAD:
        set_row(move, count, i, z, marks[z, i], ARROWHEAD)
        count += 1
    if marks[j, z] != ARROWHEAD:
        set_row(move, count, j, z, marks[z, j], ARROWHEAD)
        count += 1
    return count


@kernel
def _try(objective, bench, marks, move, count, least, tolerance, best, size):
    """Keep a move as the best if it is; gives the size of the best move and the change it makes."""
    count = complete(bench, marks, move, count)
    change = change_of(objective, bench, marks, move, count)
    if change >= least - tolerance or not is_legal(bench, marks, move, count):
        return size, least
    for row in range(count):
        for k in range(4):
            best[row, k] = move[row, k]
    return count, change


@kernel
def _try_removals(objective, bench, marks, i, j, least, tolerance, move, best, size):
    """Try to take i and j apart with one or two of their common neighbors colliders between them."""
    for z in range(len(marks)):
        if not _is_common(marks, i, j, z):
            continue
        for w in range(z, len(marks)):
            if not _is_common(marks, i, j, w):
                continue
            set_row(move, 0, i, j, NO_EDGE, NO_EDGE)
            count = _add_collider(marks, move, 1, i, j, z)
            with_one = count
            if w != z:
                count = _add_collider(marks, move, count, i, j, w)
            if count > 1 and (w == z or count > with_one > 1):
                size, least = _try(objective, bench, marks, move, count, least, tolerance, best, size)
    return size, least


@kernel
def _best_move(objective, bench, marks, i, j, least, tolerance, move, best):
    """Fill `best` with the legal move at i and j that lowers the score most; gives its size and the change.

    The size is 0 where no move changes the score by less than `least`; what is within the tolerance counts as
    equal, or rounding would choose.
    """
    size = 0
    for kind in range(4):
        _set_single(move, i, j, kind)
        if move[0, 2] != marks[j, i] or move[0, 3] != marks[i, j]:
            count = len(move[:1])
            size, least = _try(objective, bench, marks, move, count, least, tolerance, best, size)
    if marks[i, j] != NO_EDGE:
        size, least = _try_removals(objective, bench, marks, i, j, least, tolerance, move, best, size)
    return size, least


@kernel
def _drift(objective, bench, marks, i, j, kind, tolerance, move):
    """Give the edge of i and j other marks if that leaves the score as it is."""
    _set_single(move, i, j, kind)
    if move[0, 2] == marks[j, i] and move[0, 3] == marks[i, j]:
        return
    if abs(change_of(objective, bench, marks, move, 1)) <= tolerance and is_legal(bench, marks, move, 1):
        make(bench, marks, move, 1)


@kernel
def visit_pairs(objective, bench, marks, pairs, drifts, margin, tolerance, signal):
    """Make the best move at each of the pairs (m, 2) where it lowers the score by more than the margin.

    Where none does and ``drifts`` (m) holds kind 1 or 2, the edge is directed so if the score stays within
    the tolerance: the same class has many MAGs, and a way down may open at another.

    Returns
    -------
    float
        By how much the score changed, drift apart.
    """
    move = np.zeros((len(bench.old), 4), np.int64)
    best = np.zeros((len(bench.old), 4), np.int64)
    gained = 0.0
    for k in range(len(pairs)):
        if signal[0] != 0:
            break
        i = pairs[k, 0]
        j = pairs[k, 1]
        size, change = _best_move(objective, bench, marks, i, j, -margin, tolerance, move, best)
        if size > 0:
            make(bench, marks, best, size)
            gained += change
        elif drifts[k] > 0 and marks[i, j] != NO_EDGE:
            _drift(objective, bench, marks, i, j, drifts[k], tolerance, move)
    return gained
