"""The starts of a fit: threads here, or where `joblib.parallel_config` sends them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.estimators.conclusion import Benches, Conclusion, by_score
from rolearn.orders.cost import OrderCosts, Removal
from rolearn.orders.progress import ProgressCallback, SearchResult, Trace
from rolearn.runtime.budget import Budget, Share
from rolearn.runtime.parallel import Calls, Clock, is_moved

if TYPE_CHECKING:
    from rolearn.estimators.learned import Plan
    from rolearn.estimators.settings import Search

__all__ = ["Finish", "Starts"]

_GRAPHS = 1 << 20  # keeps the seeds of searches over graphs apart from those of searches over orders


@dataclass(frozen=True)
class Finish:
    """What the searches over graphs have in common, besides the costs.

    Attributes
    ----------
    alpha : float
    seed : int
    kept : bool array, shape (p, p)
    benches : Benches
    brief : bool
        Whether they go no further than a little work. What is known from others saves work, so that they
        then have to come in turn.
    """

    alpha: float
    seed: int
    kept: np.ndarray
    benches: Benches
    brief: bool

    def generator(self, *number: int) -> np.random.Generator:
        """Give the randomness of the search of a number; without one, of that which follows all."""
        return np.random.default_rng([self.seed, _GRAPHS, *number])


@dataclass(frozen=True)
class _Course:
    """What the searches over orders have in common, besides the costs."""

    seed: int
    more: bool  # whether they are to hand on more orders
    threads: int
    progress: ProgressCallback | None


class Starts:
    """Runs the searches of a fit, several at a time, each on a copy of what it writes to.

    By default in threads. Elsewhere a search has what is left of the time limit and comes back with its best
    by then; a Ctrl-C doesn't reach it, so that what hasn't come by then is given up.
    """

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.plan, self.budget = plan, budget

    def orders(self, searches: Sequence[Search], costs: OrderCosts, first: int = 0) -> list[SearchResult]:
        """Search orders, one search a start; the number of the first tells them from others of the fit."""
        plan = self.plan
        here = _Course(plan.seed, plan.searches_graphs, plan.threads, plan.progress)
        elsewhere = replace(here, progress=None)
        return self._each(_order, list(enumerate(searches, first)), (costs, here), (costs, elsewhere))

    def graphs(
        self, removals: Sequence[list[Removal]], costs: OrderCosts, finish: Finish
    ) -> list[Conclusion]:
        """Search graphs, each from the removals of one order."""
        items = list(enumerate(removals))
        if finish.brief:
            return self.budget.watch([partial(_graph, item, self.budget, costs, finish) for item in items])
        return self._each(_graph, items, (costs, finish), (costs, finish))

    def _each(
        self,
        work: Callable[..., Any],
        items: Sequence[Any],
        here: tuple[Any, ...],
        elsewhere: tuple[Any, ...],
    ) -> list[Any]:
        """Call ``work(item, budget, *here)`` for each item; without those that were given up elsewhere."""
        tasks: list[Callable[[], Any]] = [partial(work, item, self.budget, *here) for item in items]
        alone = len(items) == 1 or isinstance(self.budget, Share)  # repeats were sent away as a whole
        if alone or self.budget.signal[0] or not is_moved():
            return self.budget.watch(tasks, self.plan.threads)
        calls = Calls(self.plan.n_jobs, threads=True, tell=_nobody, whole=False, mapped=False)
        results = calls.run(_elsewhere, items, (work, elsewhere), self.budget)
        came = [result for result in results if result is not None]
        # if none came, the signal is up, and the first ends as soon as it has something to show
        return came or self.budget.watch(tasks[:1])


def _nobody(fraction: float) -> None:
    """Tell nobody: a search reports its cost where it can be heard."""


def _elsewhere(item: Any, clock: Clock, work: Callable[..., Any], shared: tuple[Any, ...]) -> Any:
    """Do one under a watch of its own."""
    share = clock.share()
    [result] = share.watch([partial(work, item, share, *shared)])
    return result


def _order(item: tuple[int, Search], budget: Budget, costs: OrderCosts, course: _Course) -> SearchResult:
    number, search = item
    trace = Trace(budget, course.progress, "search", course.threads)
    generator = np.random.default_rng([course.seed, number])
    return search.run(costs.under(budget.signal), trace, generator, course.more)


def _graph(item: tuple[int, list[Removal]], budget: Budget, costs: OrderCosts, finish: Finish) -> Conclusion:
    number, removals = item
    costs, signal = costs.under(budget.signal), budget.signal
    by = (finish.alpha, finish.benches, finish.generator(number), signal, finish.kept, finish.brief)
    return by_score(costs, removals, *by)
