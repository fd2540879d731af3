"""Orders as episodes: which variable leaves, what that costs, and what was found out so far."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.orders.climb_kernels import rewind
from rolearn.orders.cost import COSTS, LEDGER, STATISTICS, OrderCosts
from rolearn.orders.episode_kernels import RememberedCosts, costs_of_orders
from rolearn.orders.window_kernels import let_leave

__all__ = ["Episodes"]

# The most local costs kept by (variable, remaining): 64 MB with the room that a hash table leaves.
_KEPT = 1 << 20


class Episodes:
    """Local costs of whole orders, and of one variable after the other, none worked out twice.

    Attributes
    ----------
    remaining : bool array, shape (p,)
        The variables not yet removed by `remove`.
    """

    def __init__(self, costs: OrderCosts) -> None:
        own = costs.branch(slots=2)  # the last keeps the start
        arrays = RememberedCosts(own.arrays, own.arrays.boundaries, _KEPT)
        self.costs = OrderCosts(own.statistics, arrays, own.ledger)  # type: ignore[arg-type]
        self.remaining = np.ones(costs.n_variables, np.bool_)
        self.reset()

    def reset(self) -> None:
        """Bring all variables back."""
        self.remaining[:] = True
        self.costs.attempt(rewind, COSTS, np.zeros(0, np.int64), 0, 1)

    def remove(self, x: int) -> float:
        """Remove a variable that remains; gives its local cost."""
        cost = float(self.costs.window(0, np.array([x], np.int64), self.remaining)[0])
        self.costs.attempt(let_leave, self.costs.arrays.boundaries, 0, 0, x, self.remaining)
        return cost

    def local_costs(self, orders: np.ndarray) -> np.ndarray:
        """Give the local cost of each removal of some orders.

        Parameters
        ----------
        orders : int64 array, shape (orders, p)

        Returns
        -------
        float array, shape (orders, p)
            NaN in the rows of orders that the budget's signal left out.
        """
        self.reset()
        found = np.zeros(orders.shape)
        done, again = 0, True
        while again:
            done, again = self.costs.attempt(
                costs_of_orders, COSTS, STATISTICS, LEDGER, orders, done, self.remaining, found
            )
        found[done:] = np.nan
        return found

    def asked(self) -> Asked:
        """Give the tests asked so far."""
        return self.costs.asked()
