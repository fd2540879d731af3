"""What any order would cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rolearn.estimators.rol import ROL
from rolearn.estimators.settings import check_alpha, chosen_cost, chosen_search, suited_cost
from rolearn.orders.bic import BIC
from rolearn.orders.collider_sets import ColliderSets
from rolearn.orders.cost import NeighborCount, order_costs
from rolearn.runtime.errors import ParameterError

__all__ = ["order_cost"]


def order_cost(
    X: Any, order: Iterable[str], cost: str | NeighborCount | BIC = "auto", **parameters: Any
) -> float:
    """Give the cost of an order: the sum of its local costs (algorithm 1).

    Parameters
    ----------
    X
        As `ROL.fit` takes it.
    order : iterable of str
        All variables, first removed first.
    cost
        As for `ROL`.
    **parameters
        Those of `ROL`, of which those about tests and columns and (for the bic cost by name) search matter:
        with the model's own, ``order_cost(X, model.order_, **model.get_params())`` equals ``model.cost_``.

    Raises
    ------
    DataError, ParameterError
        As `ROL.fit`; also ParameterError when the order is not one of all variables, and for `ColliderSets`,
        which has none.

    Examples
    --------
    >>> import rolearn
    >>> oracle = rolearn.Oracle(rolearn.DAG.from_edges(["A --> C", "B --> C"]))
    >>> rolearn.order_cost(oracle, ["C", "A", "B"]), rolearn.order_cost(oracle, ["A", "B", "C"])
    (2.0, 2.0)
    """
    model = ROL(cost=cost).set_params(**parameters)
    search = chosen_search(model.search)
    if isinstance(search, ColliderSets):
        raise ParameterError(
            "search=ColliderSets() finds no order, so that none has a cost; leave search out"
        )
    chosen, level = chosen_cost(model.cost), check_alpha(model.alpha)
    given = model._read(X)
    listed = [str(name) for name in order]
    apart = set(given.isolated)  # they cost nothing
    positions = np.array(given.statistics.positions(name for name in listed if name not in apart), np.int64)
    if len(listed) > len(set(listed)) or set(listed) < set(given.names):
        missing = [name for name in given.names if name not in set(listed)]
        what = f"lacks {', '.join(missing)}" if missing else "names a variable twice"
        raise ParameterError(f"order {what}; give all {len(given.names)} variables once")
    cost_here = suited_cost(chosen, given.statistics, search)
    return order_costs(given.statistics, cost_here, level, np.zeros(1, np.uint8)).whole(positions)
