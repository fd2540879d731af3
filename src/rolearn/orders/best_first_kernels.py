"""Best-first search over subsets of what may remain, and lower bounds on what these will cost.

With a bound h(R) on the cost of every order of R, the *reduced* cost of removing x from R is
c(x, R) + h(R without x) - h(R). Where h is consistent, that is, where no reduced cost is negative, the
cheapest path by reduced costs is the cheapest order (A*, Hart, Nilsson and Raphael 1968): along an order they
add up to its cost less h of all variables, as h of nothing is 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rolearn.independence.gaussian_kernels import cholesky, invert_factored
from rolearn.independence.oracle_kernels import joined_within
from rolearn.neighbors.boundary_kernels import load_rows
from rolearn.neighbors.ledger_kernels import halted
from rolearn.orders.frontier_kernels import QUEUED, has_room, place_of, pop, push
from rolearn.orders.lattice_kernels import members_of
from rolearn.orders.window_kernels import local_cost, subset_node
from rolearn.runtime.compile import kernel, open_kernel, part

__all__ = [
    "EXHAUSTED",
    "FOUND",
    "FULL",
    "HALTED",
    "LikelihoodBound",
    "SkeletonBound",
    "count_edges",
    "fill_table",
    "go_on",
    "relaxed_between_blocks",
]

# Why `go_on` comes back.
FOUND, EXHAUSTED, FULL, HALTED = 0, 1, 2, 3


class LikelihoodBound(NamedTuple):
    """Bounds for costs n log var(x | S) + penalty |S| with the best S, of which the highest counts.

    *Saturated*: n log det C(R), C(R) the correlations of R. Since log det C(R) is log var(x | R without x) +
    log det C(R without x), the reduced cost of removing x is n log var(x | S) - n log var(x | R without x) +
    penalty |S|, S within R. Fewer others explain x no better, so this is not negative: the bound is
    consistent, and as it is 0 for nothing, admissible. Along an order reduced costs add up to what its DAG
    leaves unexplained of the dependences in R, and its penalty.

    *Relaxed*: each of R has its best parents among all the others of R. In an order it has no more to choose
    from, so it costs no less.

    *Relaxed between blocks* of a partition: for each block the least cost of its members in R, in the best
    order of these, where each may have all variables of other blocks as parents, too. Take any order of R.
    The members of a block leave in some sequence, and each has no more to choose from than in that sequence
    here; so no block costs less in it than here. Consistent, too: if x leaves, the other blocks' bounds stay,
    and that of its own falls by no more than x costs with all of the other blocks to choose from, so by no
    more than c(x, R). Where not all orders are allowed, none of those that have to leave before x is its
    parent, here as there. ``tables`` holds the costs of all subsets of the blocks, those of block b from
    ``start[b]`` on; x is bit ``bit[x]`` of block ``block[x]``.

    Paths go by the saturated bound, so that reduced costs are read off one matrix. By the others, subsets are
    left out through which no path is cheaper than the best order known. These are the higher ones where
    dependences are few or blocks hold them, the saturated one where blocks cut strong ones: an edge between
    two blocks explains both of its ends.
    """

    n_samples: float
    tables: np.ndarray
    start: np.ndarray
    block: np.ndarray
    bit: np.ndarray


class SkeletonBound(NamedTuple):
    """h(R) = the number of edges of the true MAG over R, for an oracle that counts neighbors.

    *Consistent.* A finder takes a pair for separated only if a set within R separates it, so x has no fewer
    neighbors than in the MAG over R. A pair joined there is joined in the MAG over any part of R that holds
    it: fewer sets could separate it. So the neighbors of x and the edges of the MAG without x are together
    no fewer than the edges over R.

    *Commitment.* With a ``complete`` finder x has exactly its neighbors. If the MAG without x gains no edge
    (x is removable, theorem 1 of the paper), removing x costs what the bound falls by; the MAG without x has
    an r-order, on which that goes on to the end. So no order of R is cheaper than one from x on, and no
    other variable has to be tried. This takes that any order is allowed: else ``complete`` is false.
    """

    complete: bool


@open_kernel
def survey(bound, costs, statistics, ledger, members, size, remaining, steps):
    """Fill the reduced cost of removing each member; infinite for one that needn't be tried.

    Gives what an order of the members costs at least beyond the bound of them.
    """


@kernel
def _set_all(remaining, mask, value):
    for y in range(len(remaining)):
        if (mask >> y) & 1 == 1:
            remaining[y] = value


@part
def _spread(block, mask, remaining):
    """Let those of a block remain that are in the mask; gives the mask of these among all variables."""
    present = 0
    for i in range(len(block)):
        remaining[block[i]] = (mask >> i) & 1 == 1
        if remaining[block[i]]:
            present |= 1 << block[i]
    return present


@part
def _left_too_early(block, before, present):
    """Whether one of a block is gone though others that are there have to leave before it."""
    early = 0
    for x in block:
        if (present >> x) & 1 == 0:
            early |= before[x] & present
    return early != 0


@kernel
def fill_table(costs, ledger, block, remaining, before, table, done):
    """Fill the table of a block from place `done` on; gives how far. All others remain.

    Those of the mask ``before`` (p) leave before a variable, and so are none of its parents; subsets that
    are never left are infinite.
    """
    whole = 0
    for x in block:
        whole |= 1 << x
    for mask in range(done, len(table)):
        present = _spread(block, mask, remaining)
        table[mask] = 0.0 if mask == 0 else np.inf
        if _left_too_early(block, before, present):
            continue
        for i in range(len(block)):
            x = block[i]
            if remaining[x] and before[x] & present == 0:
                others = before[x] & ~whole
                if others != 0:
                    _set_all(remaining, others, False)
                row = subset_node(costs, ledger, x, remaining)
                if others != 0:
                    _set_all(remaining, others, True)
                if row < 0:
                    return mask
                table[mask] = min(table[mask], costs.known.cost[row] + table[mask & ~(1 << i)])
    return len(table)


@kernel
def relaxed_between_blocks(bound, members, size):
    """Give the bound that relaxes what members of different blocks do to each other."""
    place = bound.start.copy()
    for i in range(size):
        place[bound.block[members[i]]] += 1 << bound.bit[members[i]]
    total = 0.0
    for at in place:
        total += bound.tables[at]
    return total


@survey.register(LikelihoodBound)
def survey_likelihood(bound, costs, statistics, ledger, members, size, remaining, steps):
    """Compare the best parents with all."""
    factor = np.empty((size, size))
    precision = np.empty((size, size))
    for i in range(size):
        for j in range(i + 1):
            factor[i, j] = statistics.correlation[members[i], members[j]]
    cholesky(factor, size)
    saturated = 0.0
    relaxed = 0.0
    for i in range(size):
        saturated += 2.0 * bound.n_samples * math.log(factor[i, i])
    invert_factored(factor, size, precision)
    rows = np.empty((0, 0))
    diagonal = np.empty(0)
    for i in range(size):
        cost = local_cost(costs, statistics, ledger, i, members[i], remaining, rows, diagonal)
        relaxed += cost
        steps[i] = max(0.0, cost + bound.n_samples * math.log(precision[i, i]))
    return max(0.0, max(relaxed, relaxed_between_blocks(bound, members, size)) - saturated)


@kernel
def count_edges(statistics, members, size, without, joined):
    """Count the edges of the MAG over all members but one, -1: all; `joined` (size) counts each one's."""
    rest = np.empty(size, np.int64)
    count = 0
    for i in range(size):
        joined[i] = 0
        if members[i] != without:
            rest[count] = members[i]
            count += 1
    edges = 0
    for i in range(count):
        for j in range(i):
            if joined_within(statistics, rest[i], rest[j], rest, count):
                edges += 1
                joined[i] += 1
                joined[j] += 1
    return edges


@survey.register(SkeletonBound)
def survey_skeleton(bound, costs, statistics, ledger, members, size, remaining, steps):
    """Look for one to commit to, those of the fewest neighbors first; where there is none, at all."""
    joined = np.empty(size, np.int64)
    ignored = np.empty(size, np.int64)
    edges = count_edges(statistics, members, size, -1, joined)
    rows = np.empty((size, len(remaining)))
    diagonal = np.empty(len(remaining))
    load_rows(costs.boundaries, 0, members, size, rows, diagonal)
    for i in range(size):
        steps[i] = np.inf
    for neighbors in range(size):
        for i in range(size):
            if bound.complete and joined[i] == neighbors and not halted(ledger):
                x = members[i]
                if count_edges(statistics, members, size, x, ignored) + neighbors == edges:
                    cost = local_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal)
                    if cost == neighbors:
                        steps[i] = 0.0
                        return 0.0
    for i in range(size):
        if not halted(ledger):
            x = members[i]
            gained = count_edges(statistics, members, size, x, ignored) - edges
            cost = local_cost(costs, statistics, ledger, i, x, remaining, rows, diagonal)
            steps[i] = cost + gained
    return 0.0


@kernel
def go_on(bound, costs, statistics, ledger, frontier, before, limit, p):
    """Look at subsets, cheapest first, up to nothing remaining; says why it came back.

    A variable doesn't leave before those of the mask ``before`` (p). What costs `limit` or more is not kept.
    The subset at the top of the heap has not been looked at.
    """
    members = np.empty(p, np.int64)
    remaining = np.zeros(p, np.bool_)
    steps = np.empty(p)
    while frontier.counts[QUEUED] > 0:
        if not has_room(frontier, p):
            return FULL
        if halted(ledger):
            return HALTED
        mask = frontier.heap_mask[0]
        cost = frontier.heap_cost[0]
        if cost >= limit:
            return EXHAUSTED
        if mask == 0:
            return FOUND
        if cost > frontier.cost[place_of(frontier.masks, mask)]:
            pop(frontier)
            continue
        size = members_of(mask, p, members, remaining)
        beyond = survey(bound, costs, statistics, ledger, members, size, remaining, steps)
        if halted(ledger):
            return HALTED
        pop(frontier)
        for i in range(size):
            if before[members[i]] & mask == 0 and cost + max(beyond, steps[i]) < limit:
                push(frontier, mask & ~(1 << members[i]), cost + steps[i], members[i])
    return EXHAUSTED
