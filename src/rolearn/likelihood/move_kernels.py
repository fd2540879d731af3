"""Moves from one MAG to another, and by how much they change its score.

A move is a table of edges to set, a row each: two vertices and the marks at the one and at the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.graphs.traversal_kernels import fill_neighbor_lists
from rolearn.graphs.validity_kernels import NO_FLAW, find_flaw
from rolearn.likelihood.deviance_kernels import district_deviance
from rolearn.likelihood.district_kernels import district_of
from rolearn.neighbors.ledger_kernels import place
from rolearn.runtime.compile import kernel, part

__all__ = [
    "LARGEST_MOVE",
    "WORK",
    "Bench",
    "Demand",
    "Objective",
    "accept",
    "change_of",
    "complete",
    "edges_of",
    "is_legal",
    "is_mag",
    "make",
    "set_row",
    "undo",
]

# The most edges that a move sets.
LARGEST_MOVE = 16

# How much above a limit a bound has to be.
_SURE = 1e-2

# What `counts` of a bench counts: deviances in the table, and work done, a unit about a nanosecond.
KNOWN, WORK = 0, 1

_WORK_OF_LIKELIHOOD = 1000  # times the cube of a district's size


class Objective(NamedTuple):
    """What a score is made of: -2 log likelihood of n rows plus a penalty an edge.

    Districts of more than the `largest` number of vertices are not looked at: a likelihood takes milliseconds
    there.
    """

    correlation: np.ndarray
    n_samples: float
    penalty: float
    largest: int


class Demand(NamedTuple):
    """What is asked of a move.

    By how much it must lower the score is ``margins[0]`` if it takes edges away, ``margins[1]`` if it leaves
    their number and ``margins[2]`` if it adds some. Changes within the ``tolerance`` count as equal, or
    rounding would choose. It has to lead to a MAG if ``maximal``, else to a graph without directed cycles.
    Pairs that are ``kept`` (p, p) bool stay adjacent.
    """

    margins: np.ndarray
    tolerance: float
    maximal: bool
    kept: np.ndarray


class Bench(NamedTuple):
    """Room for moves in a graph of p vertices.

    ``head`` (p) has, where it isn't -1, the vertex of the same district at which ``local`` (p) has its
    deviance, in the graph as it is; where that changes by other than `accept`, all of it is to be -1.
    ``old`` holds what a move replaced; ``vertices`` to ``done`` are lists and masks for the kernels' own use.
    Deviances of districts are remembered in an open-addressing table, ``known`` keys with their
    ``deviances``, of which some are ``bounds`` alone, ``counts[KNOWN]`` of them; each is a function of the
    district alone, so that searches may share a bench in turn. A district's key is made of those of its
    members (p) and of their edges with an arrowhead at the member (2, p, p), directed and bidirected
    (Zobrist 1970).
    """

    member_keys: np.ndarray
    edge_keys: np.ndarray
    known: np.ndarray
    deviances: np.ndarray
    bounds: np.ndarray
    counts: np.ndarray
    head: np.ndarray
    local: np.ndarray
    old: np.ndarray
    vertices: np.ndarray
    touched: np.ndarray
    members: np.ndarray
    seen: np.ndarray
    done: np.ndarray


@part
def set_row(move, row, i, j, at_i, at_j):
    """Write one edge into a move."""
    move[row, 0] = i
    move[row, 1] = j
    move[row, 2] = at_i
    move[row, 3] = at_j


@part
def make(bench, marks, move, count):
    """Make a move and remember what it replaced."""
    for row in range(count):
        i = move[row, 0]
        j = move[row, 1]
        bench.old[row, 0] = marks[j, i]
        bench.old[row, 1] = marks[i, j]
        marks[j, i] = move[row, 2]
        marks[i, j] = move[row, 3]


@kernel
def undo(bench, marks, move, count):
    """Take the move back that was made last."""
    for row in range(count):
        i = move[row, 0]
        j = move[row, 1]
        marks[j, i] = bench.old[row, 0]
        marks[i, j] = bench.old[row, 1]


@kernel
def edges_of(marks, move, count):
    """Give how many more edges the graph has after a move."""
    edges = 0
    for row in range(count):
        edges += 1 if move[row, 2] != NO_EDGE else 0
        edges -= 1 if marks[move[row, 0], move[row, 1]] != NO_EDGE else 0
    return edges


@part
def _list_affected(bench, marks, move, count):
    """List the vertices that gain or lose an arrowhead; gives how many."""
    size = 0
    for row in range(count):
        i = move[row, 0]
        j = move[row, 1]
        if move[row, 2] == ARROWHEAD or marks[j, i] == ARROWHEAD:
            bench.vertices[size] = i
            size += 1
        if move[row, 3] == ARROWHEAD or marks[i, j] == ARROWHEAD:
            bench.vertices[size] = j
            size += 1
    return size


@part
def _key_of(bench, marks, members, size):
    """Give the key of a district."""
    key = 0
    for m in range(size):
        v = members[m]
        key ^= bench.member_keys[v]
        for w in range(len(marks)):  # along the row of v, which is quicker to read
            if marks[v, w] != NO_EDGE and marks[w, v] == ARROWHEAD:
                key ^= bench.edge_keys[0 if marks[v, w] == TAIL else 1, w, v]
    return key


@part
def _forget(bench):
    """Empty the table."""
    for k in range(len(bench.known)):
        bench.known[k] = 0
    bench.counts[KNOWN] = 0


@part
def _known_deviance(objective, bench, marks, members, size, exact):
    """Give the deviance of a district, from the table if it is there; infinite if too large.

    Unless `exact` it may be a lower bound; says whether it isn't.
    """
    bench.counts[WORK] += size * len(marks)
    if size > objective.largest:
        return np.inf, True
    key = _key_of(bench, marks, members, size)
    at = place(bench.known, key)
    there = bench.known[at] == key
    if there and not (exact and bench.bounds[at]):
        return bench.deviances[at], not bench.bounds[at]
    deviance, is_exact = district_deviance(
        objective.correlation, objective.n_samples, marks, members, size, exact
    )
    if not there:
        bench.counts[WORK] += _WORK_OF_LIKELIHOOD * size * size * size
        if 2 * bench.counts[KNOWN] > len(bench.known):
            _forget(bench)
            at = place(bench.known, key)
        bench.known[at] = key
        bench.counts[KNOWN] += 1
    bench.deviances[at] = deviance
    bench.bounds[at] = not is_exact
    return deviance, is_exact


@part
def _deviance_of(objective, bench, marks, count, stage):
    """Sum the deviances of the districts of the first `count` listed vertices; says whether it is exact.

    In the first `stage` in the graph as it is, whose districts have a head; in the second the sum may be a
    lower bound.
    """
    total = 0.0
    touched = 0
    all_exact = True
    for k in range(count):
        v = bench.vertices[k]
        if stage == 0 and bench.head[v] >= 0:
            v = bench.head[v]
        if bench.done[v]:
            continue
        if stage == 0 and bench.head[v] == v:
            bench.touched[touched] = v
            touched += 1
            bench.done[v] = True
            total += bench.local[v]
            continue
        size = district_of(marks, v, bench.members, bench.seen)
        deviance, is_exact = _known_deviance(objective, bench, marks, bench.members, size, stage != 1)
        total += deviance
        all_exact = all_exact and is_exact
        for m in range(size):
            w = bench.members[m]
            bench.touched[touched] = w
            touched += 1
            bench.done[w] = True
            if stage == 0:
                bench.head[w] = v
                bench.local[w] = deviance
    for k in range(touched):
        bench.done[bench.touched[k]] = False
    return total, all_exact


@kernel
def _descend(bench, marks, a, b):
    """Mark a and what directed paths lead to from there as seen, until b is; gives how many are listed."""
    p = len(marks)
    count = 1
    visited = 1
    bench.touched[0] = a
    bench.members[0] = a
    bench.seen[a] = True
    while count > 0:
        count -= 1
        v = bench.touched[count]
        for w in range(p):
            if marks[v, w] == ARROWHEAD and marks[w, v] == TAIL and not bench.seen[w]:
                bench.seen[w] = True
                bench.touched[count] = w
                bench.members[visited] = w
                count += 1
                visited += 1
                if w == b:
                    return visited
    return visited


@part
def _forget_seen(bench, visited):
    for k in range(visited):
        bench.seen[bench.members[k]] = False


@part
def _leads(bench, marks, a, b):
    """Whether a directed path leads from a to b."""
    visited = _descend(bench, marks, a, b)
    found = bench.seen[b]
    _forget_seen(bench, visited)
    return found


@part
def _closes_cycle(bench, marks, move, count):
    """Whether an edge of the move, as made, closes a directed or almost directed cycle."""
    for end in range(2 * count):
        row = end // 2
        a = move[row, end % 2]
        b = move[row, 1 - end % 2]
        if move[row, 2 + end % 2] == ARROWHEAD and _leads(bench, marks, a, b):
            return True
    return False


@part
def change_of(objective, bench, marks, move, count, limit):
    """Give by how much a move would change the score, whether or not it leads to a MAG.

    Where that is above the limit another number above it may come. Infinite where the move touches too large
    a district or makes one, or closes a cycle and its likelihood isn't known.
    """
    edges = edges_of(marks, move, count)
    # who is in a district that changes is in one of theirs, before and after
    affected = _list_affected(bench, marks, move, count)
    before = 0.0
    change = np.inf
    for stage in range(3):  # before; a bound after; if need be, after
        if stage == 1:
            make(bench, marks, move, count)
        if stage == 2 and _closes_cycle(bench, marks, move, count):
            change = np.inf
            break
        total, is_exact = _deviance_of(objective, bench, marks, affected, stage)
        change = objective.n_samples * (total - before) + objective.penalty * edges
        if stage == 0:
            before = total
        if total == np.inf or (stage > 0 and (is_exact or change > limit + _SURE)):
            break
    if before < np.inf:
        undo(bench, marks, move, count)
    return change


@part
def accept(bench, marks, move, count):
    """Make a move that stays made."""
    for k in range(_list_affected(bench, marks, move, count)):
        head = bench.head[bench.vertices[k]]
        if head >= 0:
            for v in range(len(marks)):
                if bench.head[v] == head:
                    bench.head[v] = -1
    make(bench, marks, move, count)


@part
def _sets(move, count, i, j):
    """Whether a move sets the edge of i and j."""
    for row in range(count):
        if (move[row, 0] == i and move[row, 1] == j) or (move[row, 0] == j and move[row, 1] == i):
            return True
    return False


@part
def _cut(bench, marks, move, count, a, b):
    """Add to a move that makes a <-> b what takes b off the directed paths from a; gives its size."""
    p = len(marks)
    visited = 0
    for w in range(p):
        if marks[b, w] != TAIL or marks[w, b] != ARROWHEAD or _sets(move, count, w, b):
            continue
        if visited == 0:
            visited = _descend(bench, marks, a, p)  # no vertex: to the end
        if count < len(move) and bench.seen[w]:
            set_row(move, count, w, b, ARROWHEAD, ARROWHEAD)
            count += 1
    _forget_seen(bench, visited)
    return count


@part
def complete(bench, marks, move, count):
    """Add to a move what keeps its bidirected edges from closing almost directed cycles; gives its size.

    Where a --> b becomes a <-> b, an edge w --> b at the end of a directed path from a has to become w <-> b.
    """
    given = count
    for end in range(2 * given):
        row = end // 2
        if move[row, 2] == ARROWHEAD and move[row, 3] == ARROWHEAD:
            count = _cut(bench, marks, move, count, move[row, end % 2], move[row, 1 - end % 2])
    return count


@kernel
def is_mag(marks):
    """Whether directed and bidirected edges without directed cycles make a MAG."""
    starts = np.empty(len(marks) + 1, np.int64)
    ends = 0
    for i in range(len(marks)):
        for j in range(len(marks)):
            ends += marks[i, j] != NO_EDGE
    neighbors = np.empty(ends, np.int64)
    fill_neighbor_lists(marks, starts, neighbors)
    return find_flaw(starts, neighbors, marks, ends >= 0, np.zeros(2, np.int64)) == NO_FLAW


@part
def is_legal(bench, marks, move, count, maximal):
    """Whether a move leads from an ancestral graph to one, and to a MAG if it is to be `maximal`."""
    make(bench, marks, move, count)
    # most of what isn't legal closes a cycle, which is quick to see
    legal = not _closes_cycle(bench, marks, move, count)
    if legal and maximal:
        bench.counts[WORK] += len(marks) * len(marks)
        legal = is_mag(marks)
    undo(bench, marks, move, count)
    return legal
