"""Many fits of one kind, wherever joblib takes them: threads here, processes, or a cluster."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.orders.progress import Progress, ProgressCallback
from rolearn.runtime.budget import Budget, Share, StopReason
from rolearn.runtime.threads import single_blas_thread

if TYPE_CHECKING:
    from rolearn.estimators.rol import ROL

__all__ = ["Clock", "Repeats", "settings_of_each"]


def settings_of_each(model: ROL, seed: int) -> dict[str, Any]:
    """Give the parameters of each repeat's `ROL`: the model's, without what is for all of them together."""
    whole = {"progress": None, "n_jobs": None, "time_limit": None}
    return {**model.get_params(), **whole, "random_state": seed}


@dataclass(frozen=True)
class Clock:
    """When a repeat has to end, in a form that travels to other processes.

    Attributes
    ----------
    signal : uint8 array, shape (1,)
        That of the budget where the repeat runs in a thread of its process, else a copy that stays 0.
    until : float
        Seconds since the epoch, infinite without a limit.
    """

    signal: np.ndarray
    until: float

    @classmethod
    def of(cls, budget: Budget) -> Clock:
        """Give that of a budget which has begun."""
        left = budget.limit - budget.elapsed()
        return cls(budget.signal, time.time() + left if math.isfinite(left) else math.inf)

    def share(self) -> Share:
        """Give a repeat its budget: what is left."""
        return Share(max(self.until - time.time(), 0.0), self.signal)

    @property
    def is_up(self) -> bool:
        """Whether there is no time left."""
        return bool(self.signal[0]) or time.time() >= self.until


@dataclass(frozen=True)
class Repeats:
    """How repeats are run.

    Attributes
    ----------
    n_jobs : int or None
        At once; -1 for all cores. None is what `joblib.parallel_config` says, and all cores where it says
        nothing: results don't depend on it.
    threads : bool
        Whether threads are the better choice, as for kernels; processes are for Python functions. What
        `joblib.parallel_config` says goes before.
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
        import joblib

        results: list[Any] = [None] * len(items)
        clock = Clock.of(budget)

        def calls() -> Iterator[Any]:
            for number, item in enumerate(items):
                if clock.is_up:
                    return
                yield joblib.delayed(_numbered)(work, number, item, clock, *shared)

        try:
            with single_blas_thread():
                parallel = joblib.Parallel(
                    n_jobs=self._workers(),
                    prefer="threads" if self.threads else "processes",
                    return_as="generator_unordered",
                )
                with _closing(parallel(calls())) as coming:
                    for done, (number, result) in enumerate(coming, 1):
                        results[number] = result
                        self._tell(done / len(items))
        except KeyboardInterrupt:
            if budget.interrupted:
                raise
            budget.interrupted = True
            budget.raise_signal(StopReason.INTERRUPTED)
        except BaseException:
            budget.raise_signal(StopReason.INTERRUPTED)
            raise
        if clock.is_up and budget.reason is None:
            on_time = budget.elapsed() < budget.limit
            budget.interrupted = on_time  # then it was a Ctrl-C that a repeat in this very thread took
            budget.raise_signal(StopReason.INTERRUPTED if on_time else StopReason.TIME_LIMIT)
        return results

    def _workers(self) -> int:
        from joblib.parallel import get_active_backend

        if self.n_jobs is not None:
            return self.n_jobs
        configured = get_active_backend()[1]
        return -1 if configured is None else int(configured)

    def _tell(self, fraction: float) -> None:
        if self.progress is not None:
            self.progress(Progress(self.stage, fraction))


@contextmanager
def _closing(coming: Generator[Any, None, None]) -> Iterator[Any]:
    """Give up what hasn't come when left early; joblib would warn that work was lost."""
    try:
        yield coming
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            coming.close()


def _numbered(
    work: Callable[..., Any], number: int, item: Any, clock: Clock, *shared: Any
) -> tuple[int, Any]:
    """Do one; in a process of its own the limit on BLAS is to be set again."""
    if clock.is_up:
        return number, None
    with single_blas_thread():
        result = work(item, clock, *shared)
    return number, None if clock.signal[0] else result
