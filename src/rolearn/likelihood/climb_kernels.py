"""One round of the last search: the best move at each pair of vertices in turn."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.likelihood.move_kernels import change_of, complete, edges_of, is_legal, make, set_row
from rolearn.runtime.compile import kernel, part

__all__ = ["NO_DRIFT", "visit_pairs"]

NO_DRIFT = -1


@part
def _set_single(move, i, j, kind):
    """Write the move that makes the edge of i and j one of four kinds: none, i --> j, i <-- j, i <-> j."""
    at_i = ARROWHEAD if kind >= 2 else (TAIL if kind == 1 else NO_EDGE)
    at_j = TAIL if kind == 2 else (NO_EDGE if kind == 0 else ARROWHEAD)
    set_row(move, 0, i, j, at_i, at_j)


@part
def _is_common(marks, i, j, z):
    return marks[i, z] != NO_EDGE and marks[j, z] != NO_EDGE


@part
def _add_collider(marks, move, count, i, j, z):
    """Let a move make z, joined to i and to j, a collider between them; gives its size."""
    if marks[i, z] != ARROWHEAD:
        set_row(move, count, i, z, marks[z, i], ARROWHEAD)
        count += 1
    if marks[j, z] != ARROWHEAD:
        set_row(move, count, j, z, marks[z, j], ARROWHEAD)
        count += 1
    return count


@part
def _next_removal(marks, i, j, state, move):
    """Write the next move that takes i and j apart; gives its size, -1 after the last.

    Each has one or two common neighbors colliders between the two, ``state[:2]``.
    """
    p = len(marks)
    while state[0] < p:
        z = state[0]
        w = state[1]
        state[1] += 1
        if state[1] >= p or not _is_common(marks, i, j, z):
            state[0] += 1
            state[1] = state[0]
        if not _is_common(marks, i, j, z) or not _is_common(marks, i, j, w):
            continue
        set_row(move, 0, i, j, NO_EDGE, NO_EDGE)
        with_one = _add_collider(marks, move, 1, i, j, z)
        size = _add_collider(marks, move, with_one, i, j, w) if w != z else with_one
        if size > 1 and (w == z or size > with_one > 1):
            return size
    return -1


@part
def _next_move(bench, marks, i, j, kind, kept, state, move):
    """Write the next move at i and j: the four kinds of edges, then removals, without these where kept.

    Gives its size, 0 if it changes nothing, -1 after the last.
    """
    if kind < 4:
        _set_single(move, i, j, kind)
        size = 1 if move[0, 2] != marks[j, i] or move[0, 3] != marks[i, j] else 0
        if kept and kind == 0:
            size = 0
    else:
        size = _next_removal(marks, i, j, state, move) if marks[i, j] != NO_EDGE and not kept else -1
    return complete(bench, marks, move, size)


@part
def _margin(demand, edges):
    return demand.margins[1 + (1 if edges > 0 else 0) - (1 if edges < 0 else 0)]


@kernel
def visit_pairs(objective, bench, marks, pairs, kinds, demand, signal):
    """Make the best move at each of the pairs (m, 2) where there is one that is as demanded.

    Where there is none and ``kinds`` (m) holds one, the edge is set to it if the score stays within the
    tolerance: the same class has many MAGs, and a way down may open at another.

    Returns
    -------
    float
        By how much the score changed; drift isn't counted unless the demand forces it.
    """
    move = np.zeros((len(bench.old), 4), np.int64)
    best = np.zeros((len(bench.old), 4), np.int64)
    state = np.zeros(2, np.int64)
    gained = 0.0
    for k in range(len(pairs)):
        if signal[0] != 0:
            break
        i = pairs[k, 0]
        j = pairs[k, 1]
        least = 0.0
        gain = 0.0
        chosen = 0
        kind = 0
        state[0] = 0
        state[1] = 0
        size = 0
        while size >= 0:
            size = _next_move(bench, marks, i, j, kind, demand.kept[i, j], state, move)
            if size > 0:
                margin = _margin(demand, edges_of(marks, move, size))
                may_drift = chosen == 0 and kind == kinds[k]
                limit = least - demand.tolerance - margin
                limit = max(limit, demand.tolerance) if may_drift else limit
                change = change_of(objective, bench, marks, move, size, limit)
                net = change + margin
                better = net < least - demand.tolerance
                drifts = may_drift and abs(change) <= demand.tolerance
                if (better or (drifts and change < np.inf)) and is_legal(
                    bench, marks, move, size, demand.maximal
                ):
                    least = net if better else least
                    gain = change if better or demand.forces else gain
                    chosen = size
                    for row in range(size):
                        for column in range(4):
                            best[row, column] = move[row, column]
            kind += 1
        make(bench, marks, best, chosen)
        gained += gain
    return gained
