"""The stages of one fit: costs, search, separations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from rolearn.estimators.conclusion import Benches, Conclusion, by_tests, distinct_graphs, searched
from rolearn.estimators.settings import ChosenCost, Search, suited_cost
from rolearn.estimators.starts import Finish, Starts
from rolearn.graphs.orientation import Orientation
from rolearn.graphs.restriction import Restriction, restrict_cpdag, restrict_pag
from rolearn.independence import Gaussian, Statistics
from rolearn.knowledge import Constraints, Knowledge, constraints_of
from rolearn.likelihood.last_search import SAME_SCORE
from rolearn.neighbors.ledger import distinct
from rolearn.orders.bic import BIC
from rolearn.orders.cost import SAME_COST, OrderCosts, order_costs
from rolearn.orders.hill_climb import HillClimb
from rolearn.orders.progress import Progress, ProgressCallback, SearchResult
from rolearn.runtime.budget import Budget, StopReason
from rolearn.runtime.errors import warn
from rolearn.separations.evidence import PairEvidence

__all__ = ["Learned", "Plan", "carry_out"]

T = TypeVar("T")

_FIRST_STARTS = 2


@dataclass(frozen=True)
class Plan:
    """The settings of a fit, checked; the name of a cost stands for the one that suits the statistics."""

    search: Search
    cost: ChosenCost
    alpha: float
    legal: bool
    latents: bool
    n_starts: int | None
    threads: int  # here; elsewhere what n_jobs or joblib's configuration says
    seed: int
    progress: ProgressCallback | None
    scores_graphs: bool = True  # whether the statistics have a likelihood of graphs with latent causes
    knowledge: Knowledge | None = None
    n_jobs: int | None = None  # as it was given
    brief: bool = False  # one of many fits: less search where that hardly changes the graph

    @property
    def searches_graphs(self) -> bool:
        """Whether a search over graphs follows that over orders."""
        return isinstance(self.cost, BIC) and self.legal and self.latents and self.scores_graphs

    def tell(self, stage: str, fraction: float | None = None, cost: float | None = None) -> None:
        """Report a stage."""
        if self.progress is not None:
            self.progress(Progress(stage, fraction, cost))


@dataclass(frozen=True)
class Learned:
    """What a fit found, by positions in the statistics."""

    order: np.ndarray
    cost: float
    trace: list[tuple[float, float]]
    stop_reason: StopReason
    n_tests: int
    evidence: PairEvidence
    orientation: Orientation
    optimal: bool = False
    lower_bound: float | None = None
    restriction: Restriction | None = None


def carry_out(plan: Plan, statistics: Statistics, budget: Budget) -> Learned:
    """Search an order, take the variables away by it, and orient what that leaves."""
    constraints = constraints_of(plan.knowledge, statistics.names)
    cost = suited_cost(plan.cost, statistics, plan.search)
    plan = replace(plan, cost=cost, scores_graphs=isinstance(statistics, Gaussian))
    plan.tell("boundaries")
    if isinstance(plan.cost, BIC):
        _warn_of_few_rows(statistics)
    costs = order_costs(statistics, cost, plan.alpha, budget.signal, constraints.precedence)
    results = _search(plan, costs, budget)
    best = _first_least(results, lambda result: result.cost, SAME_COST)
    ending = budget.extension() if budget.reason else budget
    plan.tell("separations", None, best.cost)
    shorter = plan if ending is budget else replace(plan, brief=True)
    chosen = _conclude(shorter, costs, best, results, ending, constraints.adjacent)
    if best.parents_capped:
        _warn_of_cap(statistics, costs)
    restriction = None
    if plan.knowledge is not None:
        settle = partial(_restricted, chosen, constraints, plan.latents, ending.signal)
        [restriction] = ending.watch([settle])
    plan.tell("done", 1.0, best.cost)
    return Learned(
        order=best.order,
        cost=_cost_of(plan, costs, best, chosen, ending),
        trace=_merged([result.trace for result in results], best.cost),
        stop_reason=budget.reason or best.stop_reason,
        n_tests=distinct([*(part for result in results for part in result.asked), *chosen.asked]),
        evidence=chosen.evidence,
        orientation=chosen.orientation,
        optimal=best.stop_reason is StopReason.PROVED,
        lower_bound=best.lower_bound,
        restriction=restriction,
    )


def _search(plan: Plan, costs: OrderCosts, budget: Budget) -> list[SearchResult]:
    """Search orders; where graphs are searched next, and it is left open from how many, first from two.

    If these two cost the same there is little to be had from more.
    """
    n_starts = plan.n_starts or _most_starts(plan, costs.n_variables)
    searches: Sequence[Search] = plan.search.starts(n_starts)
    few = n_starts if plan.n_starts or not plan.searches_graphs else _FIRST_STARTS
    starts = Starts(plan, budget)
    results = starts.orders(searches[:few], costs)
    found = [result.cost for result in results]
    if len(searches) <= few or budget.reason or max(found) - min(found) <= SAME_SCORE:
        return results
    return results + starts.orders(searches[few:], costs, few)


def _most_starts(plan: Plan, n_variables: int) -> int:
    """Give ten for climbs by likelihood, five where a search over graphs follows each.

    Fewer of many variables; one else, or if brief.
    """
    by_likelihood = isinstance(plan.cost, BIC) and plan.scores_graphs and isinstance(plan.search, HillClimb)
    if not by_likelihood or plan.brief or (plan.latents and not plan.searches_graphs):
        return 1
    return max(1, min(5 if plan.searches_graphs else 10, 500 // n_variables))


def _conclude(
    plan: Plan,
    costs: OrderCosts,
    best: SearchResult,
    results: Sequence[SearchResult],
    budget: Budget,
    kept: np.ndarray,
) -> Conclusion:
    """Draw the graph of the best order, or where graphs are searched those of all orders found.

    After a Ctrl-C no graphs are searched: whoever pressed it waits.
    """
    branch = costs.branch(signal=budget.signal)
    if not plan.searches_graphs or budget.interrupted:
        [removals] = budget.watch([lambda: list(best.removals or branch.removals(best.order))])
        hasty = branch.stopped or (best.removals and best.stop_reason.stopped_early)
        if hasty and costs.statistics.has_local_likelihood:
            _warn_of_haste(costs.statistics)
        judge = partial(by_tests, branch, removals, plan.alpha, plan.legal, plan.latents, budget.signal, kept)
        return budget.watch([judge])[0]
    more = [order for result in results for order in (result.order, *result.others)]
    orders = [best.order, *([] if best.stop_reason.stopped_early else more)]
    [graphs] = budget.watch([partial(distinct_graphs, branch, orders)])
    finish = Finish(plan.alpha, plan.seed, kept, Benches(costs.n_variables), plan.brief)
    found = Starts(plan, budget).graphs(graphs, costs, finish)
    best_graph = _first_least(found, lambda graph: graph.score, SAME_SCORE)
    chosen = best_graph
    if not plan.brief:
        task = partial(searched, costs, best_graph, finish.generator(), budget.signal, kept)
        [chosen] = budget.watch([task])
    return replace(chosen, asked=tuple(part for graph in found for part in graph.asked))


def _restricted(chosen: Conclusion, known: Constraints, latents: bool, signal: np.ndarray) -> Restriction:
    """Add what knowledge forces."""
    restrict = restrict_pag if latents else restrict_cpdag
    marks, separations = chosen.orientation.marks, chosen.evidence.arrays()
    return restrict(marks, known.not_cause, known.required, separations, lambda: bool(signal[0]))


def _first_least(found: Sequence[T], value: Callable[[T], float], same: float) -> T:
    """Give the first whose value is the least but for rounding; those without one come last."""
    values = [value(one) for one in found]
    known = [v for v in values if not np.isnan(v)]
    bound = min(known, default=np.inf) + same
    return next((one for one, v in zip(found, values, strict=True) if v <= bound), found[0])


def _cost_of(plan: Plan, costs: OrderCosts, best: SearchResult, chosen: Conclusion, budget: Budget) -> float:
    if isinstance(plan.cost, BIC):
        if not np.isnan(best.cost):
            return best.cost
        if costs.statistics.has_local_likelihood:  # each local cost goes through all rows
            branch = costs.branch(signal=budget.signal)
            return budget.watch([partial(branch.whole, best.order)])[0]
        return costs.branch(signal=np.zeros(1, np.uint8)).whole(best.order)
    return float(sum(len(removal.neighbors) for removal in chosen.removals))


def _warn_of_few_rows(statistics: Statistics) -> None:
    n, p = statistics.n_samples, len(statistics.names)
    if n is not None and n < p:
        warn(
            f"{n:.0f} rows are few for {p} columns: an edge has to gain more than it otherwise would, "
            "and weak causes will be missed"
        )


def _warn_of_haste(statistics: Statistics) -> None:
    warn(
        f"the search was stopped before all boundaries were found in {statistics.n_samples:.0f} rows: edges "
        "may be missing; give it more time, or fewer rows"
    )


def _warn_of_cap(statistics: Statistics, costs: OrderCosts) -> None:
    warn(
        f"{statistics.n_samples:.0f} rows are few for {len(statistics.names)} columns: a variable was given "
        f"{costs.arrays.boundaries.cap} parents, the most that these rows carry, and may have more"
    )


def _merged(traces: Sequence[Sequence[tuple[float, float]]], least: float) -> list[tuple[float, float]]:
    """Give the lowest cost over time of several searches; what differs from the least by rounding is that."""
    merged: list[tuple[float, float]] = []
    for seconds, found in sorted(point for trace in traces for point in trace):
        cost = least if abs(found - least) <= SAME_COST else found
        if not np.isnan(cost) and (not merged or cost < merged[-1][1]):
            merged.append((seconds, cost))
    return merged
