"""Many calls of one function, wherever joblib takes them: threads here, processes, or a cluster."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rolearn.runtime.budget import Budget, Share, StopReason
from rolearn.runtime.threads import single_blas_thread

__all__ = ["Calls", "Clock", "is_moved"]


@dataclass(frozen=True)
class Clock:
    """When a call has to end, in a form that travels to other processes.

    Attributes
    ----------
    signal : uint8 array, shape (1,)
        That of the budget where the call runs in a thread of its process, else a copy that stays 0.
    began, until : float
        Seconds since the epoch; `until` is infinite without a limit.
    """

    signal: np.ndarray
    began: float
    until: float

    @classmethod
    def of(cls, budget: Budget) -> Clock:
        """Give that of a budget which has begun."""
        began = time.time() - budget.elapsed()
        return cls(budget.signal, began, began + budget.limit if math.isfinite(budget.limit) else math.inf)

    def share(self) -> Share:
        """Give a call its budget: what is left of the whole, whose clock it goes on reading."""
        return Share(max(self.until - self.began, 0.0), self.signal, max(time.time() - self.began, 0.0))

    @property
    def is_up(self) -> bool:
        """Whether there is no time left."""
        return bool(self.signal[0]) or time.time() >= self.until


@dataclass(frozen=True)
class Calls:
    """How calls are made.

    Attributes
    ----------
    n_jobs : int or None
        At once; -1 for all cores. None is what `joblib.parallel_config` says, and all cores where it says
        nothing: results don't depend on it.
    threads : bool
        Whether threads are the better choice, as for kernels; processes are for Python functions. What
        `joblib.parallel_config` says goes before.
    tell : callable
        Told the share that is done.
    whole : bool
        Whether what a call gives counts only if it wasn't stopped before its end.
    mapped : bool
        Whether large arrays among the arguments may come to processes as files, which can't be written to.
    """

    n_jobs: int | None
    threads: bool
    tell: Callable[[float], object]
    whole: bool = True
    mapped: bool = True

    def run(
        self, work: Callable[..., Any], items: Sequence[Any], shared: tuple[Any, ...], budget: Budget
    ) -> list[Any]:
        """Call ``work(item, clock, *shared)`` for each item; None stands where nothing came.

        A first Ctrl-C or the time limit ends it with the results there are; a second Ctrl-C is passed on.
        """
        import joblib

        results: list[Any] = [None] * len(items)
        clock = Clock.of(budget)

        def calls() -> Iterator[Any]:
            for number, item in enumerate(items):
                if clock.is_up:
                    return
                yield joblib.delayed(_numbered)(work, number, item, clock, self.whole, *shared)

        try:
            with single_blas_thread():
                parallel = joblib.Parallel(
                    n_jobs=self._workers(),
                    prefer="threads" if self.threads else "processes",
                    return_as="generator_unordered",
                    **({} if self.mapped else {"max_nbytes": None}),
                )
                with _closing(parallel(calls())) as coming:
                    for done, (number, result) in enumerate(coming, 1):
                        results[number] = result
                        self.tell(done / len(items))
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
            budget.interrupted = on_time  # then it was a Ctrl-C that a call in this very thread took
            budget.raise_signal(StopReason.INTERRUPTED if on_time else StopReason.TIME_LIMIT)
        return results

    def _workers(self) -> int:
        from joblib.parallel import get_active_backend

        if self.n_jobs is not None:
            return self.n_jobs
        configured = get_active_backend()[1]
        return -1 if configured is None else int(configured)


def is_moved() -> bool:
    """Whether `joblib.parallel_config` sends work away from this process; doesn't import joblib."""
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None:  # then nobody has said anything
        return False
    backend, _ = joblib.get_active_backend(prefer="threads")
    return not getattr(backend, "uses_threads", False)


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
    work: Callable[..., Any], number: int, item: Any, clock: Clock, whole: bool, *shared: Any
) -> tuple[int, Any]:
    """Make one; in a process of its own the limit on BLAS is to be set again."""
    if clock.is_up:
        return number, None
    with single_blas_thread():
        result = work(item, clock, *shared)
    return number, None if whole and clock.signal[0] else result
