"""The stages of one fit: costs, search, separations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.graphs.orientation import Orientation
from rolearn.independence import Statistics
from rolearn.neighbors.ledger import distinct
from rolearn.orders.cost import NeighborCount, OrderCosts, Removal, order_costs
from rolearn.orders.hill_climb import HillClimb
from rolearn.orders.progress import Progress, ProgressCallback, SearchResult, Trace
from rolearn.orders.recursive import Recursive
from rolearn.runtime.budget import Budget, StopReason
from rolearn.separations.evidence import PairEvidence
from rolearn.separations.legal import accept_all, accept_legal, target_graph

__all__ = ["Learned", "Plan", "carry_out"]


@dataclass(frozen=True)
class Plan:
    """The settings of a fit, checked."""

    search: HillClimb | Recursive
    cost: NeighborCount
    alpha: float
    legal: bool
    latents: bool
    n_starts: int
    threads: int
    seed: int
    progress: ProgressCallback | None

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


def carry_out(plan: Plan, statistics: Statistics, budget: Budget) -> Learned:
    """Search an order, take the variables away by it, and orient what that leaves."""
    plan.tell("boundaries")
    costs = order_costs(statistics, plan.cost, plan.alpha, budget.signal)
    results = _search(plan, costs, budget)
    best = min(results, key=lambda result: (np.isnan(result.cost), result.cost))
    ending = budget.extension() if budget.reason else budget
    plan.tell("separations", None, best.cost)
    final = costs.branch(signal=ending.signal)
    [(removals, evidence, orientation)] = ending.watch([lambda: _conclude(plan, final, best.order, ending)])
    asked = [final.asked(), *(part for result in results for part in result.asked)]
    plan.tell("done", 1.0, best.cost)
    return Learned(
        order=best.order,
        cost=float(sum(len(removal.neighbors) for removal in removals)),
        trace=_merged([result.trace for result in results]),
        stop_reason=budget.reason or best.stop_reason,
        n_tests=distinct(asked),
        evidence=evidence,
        orientation=orientation,
    )


def _search(plan: Plan, costs: OrderCosts, budget: Budget) -> list[SearchResult]:
    def task(number: int, search: HillClimb | Recursive):
        generator = np.random.default_rng([plan.seed, number])
        return lambda: search.run(costs, Trace(budget, plan.progress, "search"), generator)

    searches: Sequence[HillClimb | Recursive] = plan.search.starts(plan.n_starts)
    return budget.watch([task(i, search) for i, search in enumerate(searches)], plan.threads)


def _conclude(
    plan: Plan, costs: OrderCosts, order: np.ndarray, budget: Budget
) -> tuple[list[Removal], PairEvidence, Orientation]:
    removals = list(costs.removals(order))
    evidence = PairEvidence(removals)
    target = target_graph(plan.latents)
    if not plan.legal:
        return removals, evidence, accept_all(evidence, target)
    return removals, evidence, accept_legal(evidence, target, lambda: bool(budget.signal[0]))


def _merged(traces: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Give the lowest cost over time of several searches."""
    merged: list[tuple[float, float]] = []
    for seconds, cost in sorted(point for trace in traces for point in trace):
        if not np.isnan(cost) and (not merged or cost < merged[-1][1]):
            merged.append((seconds, cost))
    return merged
