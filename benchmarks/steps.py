"""Parts of a fit that `speed.py steps` times by themselves.

A step is a function of raw rows that prepares what isn't to be timed and gives the function that is. "local
score", "boundary" and "window" are those of the bic cost, along the recursive order from its middle on; a
window is as wide as the paper's (10 apart).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rolearn import BIC, Gaussian
from rolearn.data.moments import correlation_matrix
from rolearn.neighbors.grow_shrink_kernels import boundary_of, evaluate
from rolearn.orders.cost import OrderCosts, order_costs
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.start import initial_order

Step = Callable[[np.ndarray], Callable[[], object]]

WINDOW = 11
QUIET = np.zeros(1, np.uint8)


def half_way(rows: np.ndarray) -> tuple[OrderCosts, np.ndarray, np.ndarray]:
    """Give the bic costs, the recursive order, and what remains when half of it has left."""
    names = [f"X{i + 1}" for i in range(rows.shape[1])]
    gaussian = Gaussian.of_checked(correlation_matrix(rows), len(rows), names)
    costs = order_costs(gaussian, BIC(), 0.05, QUIET)
    order = initial_order(costs.for_start(), "recursive", "auto", np.random.default_rng(0))
    remaining = np.zeros(len(order), np.bool_)
    remaining[order[len(order) // 2 :]] = True
    return costs.branch(), order, remaining


def local_score(rows: np.ndarray) -> Callable[[], object]:
    costs, order, remaining = half_way(rows)
    x, arrays = order[len(order) // 2], costs.arrays
    remaining[x] = False
    return lambda: evaluate(arrays.boundaries, x, remaining, arrays.room, arrays.traces, arrays.row)


def boundary(rows: np.ndarray) -> Callable[[], object]:
    costs, order, remaining = half_way(rows)
    x, arrays, found = order[len(order) // 2], costs.arrays, np.empty(len(order), np.int64)
    remaining[x] = False
    return lambda: boundary_of(arrays.boundaries, x, remaining, arrays.room, arrays.traces, arrays.row, found)


def window(rows: np.ndarray) -> Callable[[], object]:
    costs, order, remaining = half_way(rows)
    members = order[len(order) // 2 :][:WINDOW]
    return lambda: costs.window(0, members, remaining)


def descent(rows: np.ndarray) -> Callable[[], object]:
    costs, order, _ = half_way(rows)
    score = costs.arrays.boundaries
    return lambda: InsertionClimb(score, order, np.random.default_rng(0), QUIET).descend()


STEPS: dict[str, Step] = {
    "local score": local_score,
    "boundary": boundary,
    "window": window,
    "descent from the recursive order": descent,
}
