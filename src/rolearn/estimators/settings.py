"""What the keywords of a fit may be, checked before any work."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from rolearn.independence import Statistics
from rolearn.orders.bic import BIC
from rolearn.orders.collider_sets import ColliderSets
from rolearn.orders.cost import NeighborCount, default_cost
from rolearn.orders.exact import Exact
from rolearn.orders.hill_climb import HillClimb
from rolearn.orders.policy_gradient import PolicyGradient
from rolearn.orders.recursive import Recursive
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_integer, is_number

__all__ = [
    "ChosenCost",
    "Search",
    "check_alpha",
    "check_collider_sets",
    "check_progress",
    "chosen_cost",
    "chosen_search",
    "refuse_fit_parameters",
    "seed_of",
    "suited_cost",
    "thread_count",
]

# A search over orders.
Search = HillClimb | Exact | Recursive | PolicyGradient | ColliderSets

_SEARCHES = {
    "hill-climb": HillClimb,
    "exact": Exact,
    "recursive": Recursive,
    "policy-gradient": PolicyGradient,
}
_COSTS = {"bic": BIC, "neighbors": NeighborCount}

# A cost, or the name of one that the statistics decide on.
ChosenCost = NeighborCount | BIC | str


def _chosen(parameter: str, value: Any, named: Mapping[str, type], auto: tuple[str, ...] = ()) -> Any:
    if isinstance(value, str) and value in named:
        return named[value]()
    if isinstance(value, str) and value in auto:
        return value
    if isinstance(value, tuple(set(named.values()))):
        return value
    kinds = " or ".join(sorted({kind.__name__ for kind in named.values()}))
    allowed = ", ".join(map(repr, [*auto, *named]))
    raise ParameterError(f"{parameter} is {value!r}; allowed are {allowed} or a {kinds} object")


def chosen_search(value: Any) -> Search:
    """Give the search by name or as it is; refuse one that needs what isn't installed."""
    if isinstance(value, ColliderSets):  # has no name: with the defaults beside it, it can't be used
        return value
    search = _chosen("search", value, _SEARCHES)
    if isinstance(search, PolicyGradient):
        search.check_installed()
    return search


def check_collider_sets(search: Search, cost: ChosenCost, legal: bool) -> None:
    """Refuse settings beside which a search by collider sets makes no sense."""
    if not isinstance(search, ColliderSets):
        return
    if not isinstance(cost, NeighborCount) or cost.finder != "mbcs":
        raise ParameterError(f'cost is {cost!r}; search=ColliderSets() needs cost=NeighborCount("mbcs")')
    if legal:
        raise ParameterError(
            "legal=True needs an order to start from; search=ColliderSets() has none, so give legal=False"
        )


def chosen_cost(value: Any) -> ChosenCost:
    """Give the cost as it is or by name; "auto" and "bic" stay names, for `suited_cost`."""
    if isinstance(value, str) and value == "bic":
        return value
    return _chosen("cost", value, _COSTS, ("auto",))


def suited_cost(cost: ChosenCost, statistics: Statistics, search: Search) -> NeighborCount | BIC:
    """Give the cost that a name stands for; where parents can be the best ones, a proof is for those."""
    if not isinstance(cost, str):
        return cost
    default = default_cost(statistics, "exact" if isinstance(search, Exact) else "grow-shrink")
    return BIC() if cost == "bic" and not isinstance(default, BIC) else default


def check_alpha(alpha: Any) -> float:
    """Refuse levels outside (0, 1)."""
    if not is_number(alpha) or not 0.0 < alpha < 1.0:
        raise ParameterError(f"alpha is {alpha!r}; give a level between 0 and 1, such as 0.05")
    return float(alpha)


def check_progress(value: Any) -> Any:
    """Refuse what can't be called."""
    if value is not None and not callable(value):
        raise ParameterError(f"progress is {value!r}; give a callable that takes a Progress, or None")
    return value


def thread_count(n_jobs: Any) -> int:
    """Give the number of threads: 1 for None, all cores for -1."""
    if n_jobs is None:
        return 1
    if not is_integer(n_jobs) or n_jobs == 0 or n_jobs < -1:
        raise ParameterError(f"n_jobs is {n_jobs!r}; give a number of threads, -1 for all cores, or None")
    return os.cpu_count() or 1 if n_jobs == -1 else int(n_jobs)


def seed_of(random_state: Any) -> int:
    """Give the seed: the integer itself, one drawn from a generator, or a new one each time for None."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1 << 31))
    if is_integer(random_state) and random_state >= 0:
        return int(random_state)
    raise ParameterError(
        f"random_state is {random_state!r}; give an integer of at least 0, a numpy Generator, or None"
    )


def refuse_fit_parameters(given: Mapping[str, Any]) -> None:
    """Refuse what `fit` takes in other packages and would only seem to heed here."""
    for name, value in given.items():
        if value is None:
            continue
        if name in ("sample_weight", "weights", "weight"):
            raise ParameterError(
                f"{name} is not supported: each row counts once, and tests of weighted rows would need other "
                "degrees of freedom; draw rows in proportion to their weights, or leave weights out"
            )
        if name in ("groups", "group", "cluster", "clusters"):
            raise ParameterError(
                f"{name} is not supported: rows are taken to be independent, and rows of one cluster aren't; "
                "give one row a cluster, such as its means"
            )
        raise ParameterError(f"fit takes X alone, not {name}; settings are parameters of ROL")
