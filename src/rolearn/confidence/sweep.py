"""Fits of one table over levels and penalties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from rolearn.confidence.repeats import Clock, Repeats, settings_of_each
from rolearn.confidence.sweep_result import Point, Sweep
from rolearn.estimators.inputs import Input
from rolearn.estimators.rol import ROL
from rolearn.estimators.settings import check_alpha, suited_cost
from rolearn.orders.bic import BIC
from rolearn.orders.cost import NeighborCount
from rolearn.runtime.budget import Budget
from rolearn.runtime.errors import ParameterError, collected_warnings, warn
from rolearn.runtime.numbers import is_number

__all__ = ["sweep"]


def sweep(
    X: Any,
    alpha: Iterable[float] | float = 0.05,
    penalty: Iterable[float] | float | None = None,
    **parameters: Any,
) -> Sweep:
    """Learn from one table at several levels and penalties, and show what changes between them.

    The table is read, checked and summed up once; each combination of a level and a penalty is a fit of its
    own from there.

    Parameters
    ----------
    X
        Rows or statistics, as `ROL.fit` takes them.
    alpha : float or iterable of float
        Levels of the separation tests.
    penalty : float or iterable of float, optional
        What an edge costs, in units of log n: of the bic cost. Where not given, that of `cost`.
    **parameters
        The others of `ROL`. ``time_limit`` is for all of it; ``n_jobs`` is the number of fits at once, all
        cores where it isn't given, or what `joblib.parallel_config` says. ``progress`` is told the share of
        fits that are done.

    Returns
    -------
    Sweep

    Raises
    ------
    DataError
        As `ROL.fit`.
    ParameterError
        As `ROL.fit`; also when there is no level or penalty, one comes twice, or a penalty is given for a
        cost that has none.

    Examples
    --------
    >>> import rolearn
    >>> from rolearn.data.networks import load_sachs
    >>> found = rolearn.sweep(load_sachs(), penalty=[1, 2], transform="rank")
    >>> [setting.n_edges for setting in found.table()]
    [7, 5]
    """
    levels = [check_alpha(value) for value in _listed("alpha", alpha)]
    model = ROL().set_params(**parameters)
    plan = model._plan()
    penalties = None if penalty is None else [_checked_penalty(v) for v in _listed("penalty", penalty)]
    budget = Budget(model.time_limit)
    with collected_warnings() as notes:
        given = model._read(X)
    cost = suited_cost(plan.cost, given.statistics, plan.search)
    settings = settings_of_each(model, plan.seed)
    costs = [cost] if penalties is None else _with_penalties(cost, penalties)
    items = list(product(levels, costs))
    repeats = Repeats(model.n_jobs, given.statistics.compiled, "settings", model.progress)
    points: list[Point | None] = repeats.run(_fit_point, items, (given, settings), budget)
    for sentence in dict.fromkeys([*notes, *(note for point in points if point for note in point.notes)]):
        warn(sentence)
    used = [c.penalty_for(given.statistics) if isinstance(c, BIC) else None for c in costs]
    return Sweep(levels, used, points, given.names, budget.reason)


def _fit_point(
    item: tuple[float, NeighborCount | BIC], clock: Clock, given: Input, settings: Mapping[str, Any]
) -> Point | None:
    alpha, cost = item
    model = ROL(**{**settings, "alpha": alpha, "cost": cost})
    budget = clock.share()
    with collected_warnings() as notes:
        model._learn(model._plan(), given, budget)
    if budget.signal[0] or budget.reason is not None:
        return None
    return Point(model.graph_, model.cost_, tuple(notes))


def _listed(parameter: str, values: Any) -> list[Any]:
    listed = [values] if is_number(values) else None
    if listed is None and isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
        listed = np.asarray(values).ravel().tolist() if isinstance(values, np.ndarray) else list(values)
    if not listed:
        raise ParameterError(f"{parameter} is {values!r}; give one or more numbers")
    if len(set(map(repr, listed))) < len(listed):
        raise ParameterError(f"{parameter} has a number twice: {values!r}; give each once")
    return listed


def _checked_penalty(value: Any) -> float:
    BIC(penalty=value)  # says what is wrong with it
    return float(value)


def _with_penalties(cost: NeighborCount | BIC, penalties: list[float]) -> list[NeighborCount | BIC]:
    if not isinstance(cost, BIC):
        raise ParameterError(
            "penalty is for the bic cost, and this counts neighbors; leave penalty out or give cost='bic'"
        )
    return [replace(cost, penalty=value) for value in penalties]
