"""Moves from one MAG to another, and by how much they change its score.

A move is a table of edges to set, a row each: two vertices and the marks at the one and at the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolearn.graphs.marks import ARROWHEAD, NO_EDGE, TAIL
from rolearn.graphs.traversal_kernels import fill_neighbor_lists
from rolearn.graphs.validity_kernels import NO_FLAW, find_flaw
from rolearn.likelihood.deviance_kernels import call_deviance
from rolearn.likelihood.district_kernels import district_of
from rolearn.likelihood.near_kernels import Near, drop, join
from rolearn.neighbors.ledger_kernels import place
from rolearn.runtime.compile import kernel, lean_kernel, part

__all__ = [
    "ASKED",
    "LARGEST_MOVE",
    "WORK",
    "Bench",
    "Demand",
    "Objective",
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

# What `counts` of a bench counts: deviances in the table; work done, a unit about a nanosecond; and the work
# of all bounds asked for, as if none had been known: the same whatever is in the table.
KNOWN, WORK, ASKED = 0, 1, 2

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
    rounding would choose. It has to lead to a MAG if ``maximal``, else to an ancestral graph. Pairs that are
    ``kept`` (p, p) bool stay adjacent.
    """

    margins: np.ndarray
    tolerance: float
    maximal: bool
    kept: np.ndarray


class Bench(NamedTuple):
    """Room for moves in a graph of p vertices.

    ``near`` has the neighbors in the graph, to be filled when one comes. ``old`` holds what a move replaced;
    what follows it is for the kernels' own use. Deviances of districts are remembered in an open-addressing
    table, ``known`` keys with their ``deviances``, of which some are ``bounds`` alone, ``counts[KNOWN]`` of
    them; each is a function of the district alone, so that searches may share a bench in turn. A district's
    key is made of those of its members (p) and of their edges with an arrowhead at the member (2, p, p),
    directed and bidirected (Zobrist 1970). ``district_deviance`` is the address of the kernel.
    """

    district_deviance: int
    near: Near
    member_keys: np.ndarray
    edge_keys: np.ndarray
    known: np.ndarray
    deviances: np.ndarray
    bounds: np.ndarray
    counts: np.ndarray
    old: np.ndarray
    move: np.ndarray
    best: np.ndarray
    state: np.ndarray
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
        if move[row, 2] != NO_EDGE and bench.old[row, 0] == NO_EDGE:
            join(bench.near, i, j)
            join(bench.near, j, i)


@lean_kernel
def undo(bench, marks, move, count):
    """Take the move back that was made last."""
    for row in range(count):
        i = move[row, 0]
        j = move[row, 1]
        marks[j, i] = bench.old[row, 0]
        marks[i, j] = bench.old[row, 1]
        if move[row, 2] != NO_EDGE and bench.old[row, 0] == NO_EDGE:
            drop(bench.near, i, j)
            drop(bench.near, j, i)


@lean_kernel
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
        for k in range(bench.near.sizes[v]):
            w = bench.near.lists[v, k]
            if marks[w, v] == ARROWHEAD:
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
    work = _WORK_OF_LIKELIHOOD * size * size * size
    bench.counts[ASKED] += 0 if exact else work  # whether what is exact is asked for depends on the table
    key = _key_of(bench, marks, members, size)
    at = place(bench.known, key)
    there = bench.known[at] == key
    if there and not (exact and bench.bounds[at]):
        return bench.deviances[at], not bench.bounds[at]
    deviance, is_exact = call_deviance(
        bench.district_deviance,
        (objective.correlation, objective.n_samples, marks, members, size, exact),
    )
    if not there:
        bench.counts[WORK] += work
        if 2 * bench.counts[KNOWN] > len(bench.known):
            _forget(bench)
            at = place(bench.known, key)
        bench.known[at] = key
        bench.counts[KNOWN] += 1
    bench.deviances[at] = deviance
    bench.bounds[at] = not is_exact
    return deviance, is_exact


@part
def _deviance_of(objective, bench, marks, count, exact):
    """Sum the deviances of the districts of the first `count` listed vertices; lists all their members.

    Unless `exact` the sum may be a lower bound; says whether it isn't.
    """
    total = 0.0
    touched = 0
    all_exact = True
    for k in range(count):
        v = bench.vertices[k]
        if not bench.done[v]:
            size = district_of(marks, bench.near, v, bench.members, bench.seen)
            for m in range(size):
                bench.done[bench.members[m]] = True
                bench.touched[touched] = bench.members[m]
                touched += 1
            deviance, is_exact = _known_deviance(objective, bench, marks, bench.members, size, exact)
            total += deviance
            all_exact = all_exact and is_exact
    for k in range(touched):
        bench.done[bench.touched[k]] = False
        bench.vertices[k] = bench.touched[k]
    return total, touched, all_exact


@lean_kernel
def _see_descendants(bench, marks, a, b):
    """Mark a and its descendants as seen, all or until b is, and list them as touched; gives how many."""
    bench.touched[0] = a
    bench.seen[a] = True
    count = 1
    done = 0
    while done < count and (b == a or not bench.seen[b]):
        v = bench.touched[done]
        done += 1
        for k in range(bench.near.sizes[v]):
            w = bench.near.lists[v, k]
            if marks[v, w] == ARROWHEAD and marks[w, v] == TAIL and not bench.seen[w]:
                bench.seen[w] = True
                bench.touched[count] = w
                count += 1
    return count


@part
def _look_away(bench, count):
    for k in range(count):
        bench.seen[bench.touched[k]] = False


@lean_kernel
def _leads(bench, marks, a, b):
    """Whether a directed path leads from a to b, another vertex."""
    count = _see_descendants(bench, marks, a, b)
    found = bench.seen[b]
    _look_away(bench, count)
    return found


@part
def _closes_cycle(bench, marks, move, count):
    """Whether an edge of the move, as made, closes a directed or almost directed cycle."""
    for row in range(count):
        i = move[row, 0]
        j = move[row, 1]
        if move[row, 2] == ARROWHEAD and _leads(bench, marks, i, j):
            return True
        if move[row, 3] == ARROWHEAD and _leads(bench, marks, j, i):
            return True
    return False


@lean_kernel
def change_of(objective, bench, marks, move, count, limit):
    """Give by how much a move would change the score, whether or not it leads to a MAG.

    Infinite where that is above the limit or the move closes a cycle, and the likelihood needn't be worked
    out to tell; and where it touches too large a district or makes one.
    """
    edges = edges_of(marks, move, count)
    affected = _list_affected(bench, marks, move, count)
    before = 0.0
    change = np.inf
    for stage in range(3):  # as it is; a bound on what the move makes of it; that itself
        if stage == 1:
            make(bench, marks, move, count)
        if stage == 2 and _closes_cycle(bench, marks, move, count):
            change = np.inf
            break
        total, affected, is_exact = _deviance_of(objective, bench, marks, affected, stage != 1)
        if total == np.inf:
            change = np.inf
            break
        if stage == 0:
            before = total
            continue
        change = objective.n_samples * (total - before) + objective.penalty * edges
        if is_exact:
            break
        if change > limit + _SURE:
            change = np.inf
            break
    if stage > 0:
        undo(bench, marks, move, count)
    return change


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
    seen = 0
    for k in range(bench.near.sizes[b]):
        w = bench.near.lists[b, k]
        if marks[w, b] != ARROWHEAD or marks[b, w] != TAIL or _sets(move, count, w, b):
            continue
        if seen == 0:
            seen = _see_descendants(bench, marks, a, a)
        if count < len(move) and bench.seen[w]:
            set_row(move, count, w, b, ARROWHEAD, ARROWHEAD)
            count += 1
    _look_away(bench, seen)
    return count


@lean_kernel
def complete(bench, marks, move, count):
    """Add to a move what keeps its bidirected edges from closing almost directed cycles; gives its size.

    Where a --> b becomes a <-> b, an edge w --> b at the end of a directed path from a has to become w <-> b.
    """
    given = count
    for row in range(given):
        if move[row, 2] == ARROWHEAD and move[row, 3] == ARROWHEAD:
            count = _cut(bench, marks, move, count, move[row, 0], move[row, 1])
            count = _cut(bench, marks, move, count, move[row, 1], move[row, 0])
    return count


@kernel
def is_mag(marks):
    """Whether directed and bidirected edges make a MAG."""
    starts = np.empty(len(marks) + 1, np.int64)
    ends = 0
    for i in range(len(marks)):
        for j in range(len(marks)):
            ends += marks[i, j] != NO_EDGE
    neighbors = np.empty(ends, np.int64)
    fill_neighbor_lists(marks, starts, neighbors)
    return find_flaw(starts, neighbors, marks, np.zeros(2, np.int64)) == NO_FLAW


@lean_kernel
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
