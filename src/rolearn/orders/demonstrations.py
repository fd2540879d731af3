"""Orders for a policy to imitate: the recursive order, and those that climbing goes through from there."""

from __future__ import annotations

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import SAME_COST, OrderCosts
from rolearn.orders.descent import Descent
from rolearn.orders.insertion_climb import InsertionClimb, usual_kicks
from rolearn.orders.start import initial_order
from rolearn.orders.swap_climb import SwapClimb
from rolearn.orders.window_kernels import BicCosts

__all__ = ["Demonstrations", "demonstrated"]

_MAX_SWAPS = 20
_IDLE_ROUNDS = 4


class Demonstrations:
    """Orders (number, p) and their costs (number), each cheaper than the one before; tests asked for them."""

    def __init__(self) -> None:
        self.orders: list[np.ndarray] = []
        self.costs: list[float] = []
        self.asked: list[Asked] = []

    def add(self, order: np.ndarray, cost: float) -> bool:
        """Keep an order if it is cheaper than all so far; gives whether it is."""
        if np.isnan(cost) or (self.costs and cost >= self.costs[-1] - SAME_COST):
            return False
        self.orders.append(order.copy())
        self.costs.append(cost)
        return True


def demonstrated(
    costs: OrderCosts, removability: str, generator: np.random.Generator, signal: np.ndarray
) -> Demonstrations:
    """Climb from the recursive order as `HillClimb` does, and keep each order that is cheaper than before."""
    shown = Demonstrations()
    start = costs.for_start()
    order = initial_order(start, "recursive", removability, generator)
    shown.asked.append(start.asked())
    if isinstance(costs.arrays, BicCosts):
        climb = InsertionClimb(costs.arrays.boundaries, order, generator, signal, costs.precedence)
        _insert(shown, climb, signal)
    elif not costs.stopped:
        _swap(shown, SwapClimb(costs, order, Descent.max_swap))
    if not shown.orders:  # stopped before its cost was known
        shown.orders.append(order)
        shown.costs.append(np.nan)
    return shown


def _insert(shown: Demonstrations, climb: InsertionClimb, signal: np.ndarray) -> None:
    shown.add(climb.order, climb.cost)
    idle = 0
    while idle < _IDLE_ROUNDS and not signal[0]:
        idle = 0 if shown.add(climb.drift(1), climb.cost) else idle + 1
    for _ in climb.kicks(usual_kicks(len(climb.order))):
        shown.add(climb.order, climb.cost)


def _swap(shown: Demonstrations, climb: SwapClimb) -> None:
    moved: bool | None = True
    while not climb.costs.stopped and moved is not False and len(shown.orders) <= _MAX_SWAPS:
        if moved:
            shown.add(climb.order, climb.cost)
        moved = climb.step()  # None where it has to be asked again
    shown.asked.append(climb.costs.asked())
