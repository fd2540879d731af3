"""Blocks of variables within which a lower bound is exact."""

from __future__ import annotations

import numpy as np

from rolearn.orders.best_first_kernels import LikelihoodBound, fill_table
from rolearn.orders.cost import COSTS, LEDGER, OrderCosts

__all__ = ["block_bound"]

_LARGEST = 14  # members of a block, all of whose subsets are gone through


def block_bound(costs: OrderCosts) -> LikelihoodBound | None:
    """Give the lower bounds of best-first search for costs with exact parents; None where stopped before."""
    p = costs.n_variables
    pull = _pull(costs)
    if pull is None:
        return None
    blocks = _blocks(pull)
    start = np.cumsum([0, *(1 << len(block) for block in blocks)])
    tables = np.zeros(start[-1])
    of, bit = np.empty(p, np.int64), np.empty(p, np.int64)
    for number, block in enumerate(blocks):
        of[block], bit[block] = number, np.arange(len(block))
        if not _fill(costs, block, tables[start[number] : start[number + 1]]):
            return None
    return LikelihoodBound(costs.statistics.arrays.n_samples, tables, start[:-1].copy(), of, bit)


def _fill(costs: OrderCosts, block: np.ndarray, table: np.ndarray) -> bool:
    done, remaining = 0, np.ones(costs.n_variables, np.bool_)
    while done < len(table):
        done, full = costs.attempt(fill_table, COSTS, LEDGER, block, remaining, table, done)
        if not full and costs.stopped:
            return False
    return True


def _pull(costs: OrderCosts) -> np.ndarray | None:
    """Give what each y among the best parents of x, of all others, explains beyond the others: [x, y]."""
    p, arrays = costs.n_variables, costs.statistics.arrays
    pull = np.zeros((p, p))
    for x in range(p):
        first = np.array([x, *(y for y in range(p) if y != x)])
        removal = next(costs.removals(first))
        if costs.stopped:
            return None
        members = [*removal.boundary, x]
        precision = np.linalg.inv(arrays.correlation[np.ix_(members, members)])
        share = precision[-1, :-1] ** 2 / (precision[-1, -1] * np.diag(precision)[:-1])
        pull[x, members[:-1]] = -arrays.n_samples * np.log1p(-np.minimum(share, 1.0 - 1e-12))
    return pull


def _blocks(pull: np.ndarray) -> list[np.ndarray]:
    """Join the two blocks with the most between them, while any two are small enough for one.

    Only what pulls both ways, on a way of any length, counts: without a cycle nothing is lost by relaxing.
    """
    from scipy.sparse.csgraph import connected_components

    _, component = connected_components(pull > 0.0, directed=True, connection="strong")
    between = np.where(component[:, None] == component, pull + pull.T, 0.0)
    blocks: dict[int, list[int]] = {x: [x] for x in range(len(pull))}
    while True:
        fitting = [
            (-between[a, b], a, b)
            for a in blocks
            for b in blocks
            if a < b and between[a, b] > 0.0 and len(blocks[a]) + len(blocks[b]) <= _LARGEST
        ]
        if not fitting:
            return [np.array(sorted(block), np.int64) for block in blocks.values()]
        _, a, b = min(fitting)
        blocks[a] += blocks.pop(b)
        between[a] += between[b]
        between[:, a] += between[:, b]
