"""What a search tells while it runs, what it may use, and what it gives in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rolearn.neighbors.ledger import Asked
from rolearn.orders.cost import Removal
from rolearn.runtime.budget import Budget, StopReason

__all__ = ["Progress", "ProgressCallback", "SearchResult", "Trace"]


@dataclass(frozen=True)
class Progress:
    """One report: the stage in words, the part done if it can be known, the cost so far if there is one.

    A search over policies also tells what the orders of its last round cost in the mean, what the order of
    the likeliest choices costs, and the mean entropy of a choice, in nats.
    """

    stage: str
    fraction: float | None = None
    cost: float | None = None
    mean_cost: float | None = None
    likeliest_cost: float | None = None
    entropy: float | None = None


ProgressCallback = Callable[[Progress], object]


class Trace:
    """The costs of a search over time, told on as they come.

    Parameters
    ----------
    budget : Budget
        Its clock starts with the fit.
    report : callable or None
        Receives a `Progress` each time.
    stage : str
    threads : int
        How many the search may use.
    """

    def __init__(self, budget: Budget, report: ProgressCallback | None, stage: str, threads: int = 1) -> None:
        self.budget, self.report, self.stage, self.threads = budget, report, stage, threads
        self.points: list[tuple[float, float]] = []

    def add(
        self,
        cost: float,
        fraction: float | None = None,
        **round_: float,
    ) -> None:
        """Note the cost from now on; what a policy tells of its round goes into the report alone."""
        self.points.append((self.budget.elapsed(), cost))
        if self.report is not None:
            self.report(Progress(self.stage, fraction, cost, **round_))

    def tell(self, fraction: float | None) -> None:
        """Report how far the search is, at the cost there was."""
        if self.report is not None:
            self.report(Progress(self.stage, fraction, self.points[-1][1] if self.points else None))


@dataclass(frozen=True)
class SearchResult:
    """The best order of a search.

    Attributes
    ----------
    order : int64 array, shape (p,)
        First removed first.
    cost : float
        The sum of its local costs.
    trace : tuple of (float, float)
        Seconds since the fit began, and the cost from then on.
    stop_reason : StopReason
    asked : tuple of Asked
        The tests asked, in parts that may overlap.
    parents_capped : bool
        Whether a variable took as many parents as the rows carry.
    others : tuple of int64 array, shape (p,)
        More orders worth a graph: as cheap, or the cheapest seen besides.
    lower_bound : float or None
        What every order is proved to cost at least.
    removals : tuple of Removal
        What was found of each variable, where that doesn't follow from the order.
    """

    order: np.ndarray
    cost: float
    trace: tuple[tuple[float, float], ...]
    stop_reason: StopReason
    asked: tuple[Asked, ...]
    parents_capped: bool = False
    others: tuple[np.ndarray, ...] = ()
    lower_bound: float | None = None
    removals: tuple[Removal, ...] = ()
