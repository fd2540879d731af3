"""The cheapest of all orders by value iteration (ROL_VI of the paper), over subsets of what may remain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts
from rolearn.orders.lattice_kernels import lower_layer
from rolearn.orders.precedence import successors
from rolearn.orders.progress import Trace
from rolearn.orders.window_kernels import BicCosts
from rolearn.runtime.errors import ParameterError

__all__ = ["ValueIteration", "bytes_needed", "check_memory", "most_variables"]

_MOST = 48  # beyond that nobody waits for it
_BLOCKS = 64  # parts of a layer that threads take in turn
_MEMO_SHARE = 0.25  # of the memory, for local costs that are remembered


def bytes_needed(n_variables: int) -> int:
    """Give what value iteration keeps: a byte a subset for who leaves first, and two layers of costs."""
    return 2**n_variables + 16 * math.comb(n_variables, n_variables // 2)


def most_variables(memory: float) -> int:
    """Give for how many variables that much memory, in bytes, is enough."""
    share = (1.0 - _MEMO_SHARE) * memory
    return max((n for n in range(1, _MOST + 1) if bytes_needed(n) <= share), default=0)


class ValueIteration:
    """The least cost of an order of each subset, by size: that of x and what is least without x.

    Of each subset the variable that leaves first is kept, a byte each; of the costs only two layers are, that
    of the subsets at hand and that of one variable less. Threads work on parts of a layer, with local costs
    remembered by variable and boundary for each thread. The result depends on neither.

    Parameters
    ----------
    costs : OrderCosts
    memory : float
        Bytes it may take; `check_memory` tells whether they are enough.
    trace : Trace
    """

    def __init__(self, costs: OrderCosts, memory: float, trace: Trace) -> None:
        self.p, self.memory, self.trace = costs.n_variables, memory, trace
        self.branches = [costs.branch() for _ in range(trace.threads if costs.statistics.compiled else 1)]
        self.binomial, self.after = _binomials(self.p), successors(costs.precedence)

    def run(self) -> np.ndarray | None:
        """Give the cheapest order (p); None where the budget ended it."""
        choices = np.zeros(1 << self.p, np.uint8)
        below = np.zeros(1)
        done = 0.0
        for size in range(1, self.p + 1):
            values = np.empty(math.comb(self.p, size))
            if not self._layer(size, below, values, choices):
                return None
            below = values
            done += len(values) * size
            self.trace.tell(done / (self.p << (self.p - 1)))
        return _followed(choices, self.p)

    def asked(self) -> tuple[Asked, ...]:
        """Give the tests asked, in parts that may overlap."""
        return tuple(branch.asked() for branch in self.branches)

    def _layer(self, size: int, below: np.ndarray, values: np.ndarray, choices: np.ndarray) -> bool:
        blocks = _blocks(len(values))

        def work(branch: OrderCosts) -> bool:
            for start, stop in blocks:
                while start < stop:
                    start, full = branch.attempt(
                        lower_layer,
                        COSTS,
                        STATISTICS,
                        LEDGER,
                        size,
                        start,
                        stop,
                        self.binomial,
                        self.after,
                        below,
                        values,
                        choices,
                    )
                    if not full and branch.stopped:
                        return False
                    if branch.remembered_bytes * len(self.branches) > _MEMO_SHARE * self.memory:
                        branch.forget()
            return True

        if len(self.branches) == 1 or len(values) < _BLOCKS:
            return work(self.branches[0])
        with ThreadPoolExecutor(len(self.branches)) as pool:
            return all(pool.map(work, self.branches))


def check_memory(costs: OrderCosts, memory: float) -> None:
    """Refuse what will not fit.

    Raises
    ------
    ParameterError
        Saying for how many variables the memory is enough.
    """
    p, most = costs.n_variables, most_variables(memory)
    if p > most:
        needed = bytes_needed(p) / (1.0 - _MEMO_SHARE)
        grow_shrink = isinstance(costs.arrays, BicCosts)
        other = (
            "BIC(parents='exact'), which allows best-first search" if grow_shrink else "search='hill-climb'"
        )
        raise ParameterError(
            f"value iteration over {p} variables needs {_gigabytes(needed)} of memory, and may take "
            f"{_gigabytes(memory)}, enough for {most} variables; leave columns out, raise memory, or "
            f"use {other}"
        )


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.3g} GB" if size < 1e15 else f"{size / 1e9:.1e} GB"


def _binomials(p: int) -> np.ndarray:
    """Give C(n, k) in row n, column k, for both up to p."""
    table = np.zeros((p + 1, p + 1), np.int64)
    for n in range(p + 1):
        table[n, : n + 1] = [math.comb(n, k) for k in range(n + 1)]
    return table


def _blocks(count: int) -> Iterator[tuple[int, int]]:
    """Give parts of a layer; several threads may take from it, as each step is one of the interpreter's."""
    width = max(1, -(-count // _BLOCKS))
    return iter([(start, min(start + width, count)) for start in range(0, count, width)])


def _followed(choices: np.ndarray, p: int) -> np.ndarray:
    mask = (1 << p) - 1
    order = np.empty(p, np.int64)
    for t in range(p):
        order[t] = choices[mask]
        mask &= ~(1 << int(order[t]))
    return order
