"""What any order would cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rolearn.estimators.inputs import read_input
from rolearn.estimators.settings import check_alpha, chosen_cost
from rolearn.orders.cost import NeighborCount, order_costs
from rolearn.runtime.errors import ParameterError

__all__ = ["order_cost"]


def order_cost(
    X: Any,
    order: Sequence[str],
    cost: str | NeighborCount = "auto",
    *,
    test: Any = "auto",
    alpha: float = 0.05,
    transform: str | None = None,
) -> float:
    """Give the cost of an order: the number of edges of its graph (algorithm 1).

    Parameters
    ----------
    X
        As `ROL.fit` takes it.
    order : sequence of str
        All variables, first removed first.
    cost, test, alpha, transform
        As for `ROL`; ``order_cost(X, model.order_, ...)`` with the model's own equals ``model.cost_``.

    Raises
    ------
    DataError, ParameterError
        As `ROL.fit`; also ParameterError when the order is not one of all variables.
    """
    chosen, level = chosen_cost(cost), check_alpha(alpha)
    statistics = read_input(X, test, transform).statistics
    positions = np.array(statistics.positions(order), np.int64)
    if sorted(positions) != list(range(len(statistics.names))):
        missing = [name for name in statistics.names if name not in set(order)]
        what = f"lacks {', '.join(missing)}" if missing else "names a variable twice"
        raise ParameterError(f"order {what}; give all {len(statistics.names)} variables once")
    return order_costs(statistics, chosen, level, np.zeros(1, np.uint8)).whole(positions)
