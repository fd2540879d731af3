"""Many fits of one kind, wherever joblib takes them: threads here, processes, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rolearn.orders.progress import Progress, ProgressCallback
from rolearn.runtime.budget import Budget
from rolearn.runtime.parallel import Calls, Clock

if TYPE_CHECKING:
    from rolearn.estimators.rol import ROL

__all__ = ["Clock", "Repeats", "settings_of_each"]


def settings_of_each(model: ROL, seed: int) -> dict[str, Any]:
    """Give the parameters of each repeat's `ROL`: the model's, without what is for all of them together."""
    whole = {"progress": None, "n_jobs": None, "time_limit": None}
    return {**model.get_params(), **whole, "random_state": seed}


@dataclass(frozen=True)
class Repeats:
    """How repeats are run.

    Attributes
    ----------
    n_jobs, threads
        As those of `Calls`.
    stage : str
        What a progress report calls them.
    progress : callable or None
    """

    n_jobs: int | None
    threads: bool
    stage: str
    progress: ProgressCallback | None

    def run(
        self, work: Callable[..., Any], items: Sequence[Any], shared: tuple[Any, ...], budget: Budget
    ) -> list[Any]:
        """Call ``work(item, clock, *shared)`` for each item; None stands where it was stopped before its end.

        A first Ctrl-C or the time limit ends it with the results there are; a second Ctrl-C is passed on.
        Arrays among `shared` travel to processes once, not with each item.
        """
        return Calls(self.n_jobs, self.threads, self._tell).run(work, items, shared, budget)

    def _tell(self, fraction: float) -> None:
        if self.progress is not None:
            self.progress(Progress(self.stage, fraction))
