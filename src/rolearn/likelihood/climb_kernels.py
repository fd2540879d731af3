"""One round of the last search: the best move at each pair of vertices in turn."""

from __future__ import annotations

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.likelihood.move_kernels import change_of, complete, edges_of, is_legal, make, set_row
from rolearn.likelihood.near_kernels import fill_near
from rolearn.runtime.compile import lean_kernel, part

__all__ = ["NO_DRIFT", "costs_of_kinds", "set_kind", "visit_pairs"]

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


@lean_kernel
def visit_pairs(objective, bench, marks, pairs, kinds, first, demand, until, signal):
    """Make the best move at each of the pairs (m, 2) from `first` on, where there is one as demanded.

    Where there is none and ``kinds`` (m) holds one, the edge is set to it if the score stays within the
    tolerance: the same class has many MAGs, and a way down may open at another. It ends early where a place
    of the counts, ``until[0]``, is beyond ``until[1]``, and looks whether it is every ``until[2]`` pairs.

    Returns
    -------
    float
        By how much the score changed; drift isn't counted.
    int
        Where it ended: the number of pairs, or the first that wasn't visited.
    """
    move = bench.move
    best = bench.best
    state = bench.state
    fill_near(bench.near, marks)
    gained = 0.0
    for k in range(first, len(pairs)):
        looks = k > first and k % until[2] == 0
        if signal[0] != 0 or (looks and bench.counts[until[0]] > until[1]):
            return gained, k
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
                if (better or drifts) and is_legal(bench, marks, move, size, demand.maximal):
                    least = net if better else least
                    gain = change if better else gain
                    chosen = size
                    for row in range(size):
                        for column in range(4):
                            best[row, column] = move[row, column]
            kind += 1
        make(bench, marks, best, chosen)
        gained += gain
    return gained, len(pairs)


@part
def _cost_of_kind(objective, bench, marks, i, j, kind, most, move):
    """Write the move that sets an edge to a kind; gives its size and by how much it changes the score.

    Infinite where that is above `most`, the edge is of this kind, or the graph wouldn't be ancestral.
    """
    _set_single(move, i, j, kind)
    if move[0, 2] == marks[j, i] and move[0, 3] == marks[i, j]:
        return 0, np.inf
    one = len(move[:1])  # no literals: of those the compiler makes a copy each
    maximal = one == 0
    size = complete(bench, marks, move, one)
    change = change_of(objective, bench, marks, move, size, most)
    if change > most or change == np.inf or not is_legal(bench, marks, move, size, maximal):
        return 0, np.inf
    return size, change


@lean_kernel
def costs_of_kinds(objective, bench, marks, pairs, kept, most, limit, signal, costs):
    """Fill by how much the score would change (m, 4) were the edge of a pair (m, 2) of another kind.

    Infinite as in `set_kind`. Goes no further than a limit, a place of the counts and what it may come to.
    """
    move = bench.move
    fill_near(bench.near, marks)
    for k in range(len(pairs)):
        if signal[0] != 0 or bench.counts[limit[0]] > limit[1]:
            return
        i = pairs[k, 0]
        j = pairs[k, 1]
        for kind in range(4):
            if kind > 0 or not kept[i, j]:
                costs[k, kind] = _cost_of_kind(objective, bench, marks, i, j, kind, most, move)[1]


@lean_kernel
def set_kind(objective, bench, marks, pair, kind, kept):
    """Set the edge of a pair to a kind, whatever that costs, and give by how much the score changes.

    Infinite, and nothing is set, where it is of this kind, the graph wouldn't be ancestral or the pair is to
    stay adjacent, and where a district becomes too large to look at.
    """
    move = bench.move
    fill_near(bench.near, marks)
    i = pair[0]
    j = pair[1]
    if kind == 0 and kept[i, j]:
        return np.inf
    size, change = _cost_of_kind(objective, bench, marks, i, j, kind, np.inf, move)
    make(bench, marks, move, size)
    return change
