"""Time limits, Ctrl-C and why a search stopped.

Long work runs in a worker thread whose kernels hold no interpreter lock and poll a one-byte `signal`;
the calling thread waits, sees Ctrl-C and the clock, and raises the signal. Whatever was best by then stands.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from enum import Enum
from typing import Any, TypeVar

import numpy as np

from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_number

__all__ = ["Budget", "Share", "StopReason", "check_time_limit"]

T = TypeVar("T")
_GLANCE = 0.05  # seconds between looks at the clock


class StopReason(Enum):
    """Why a search ended; the value is a sentence."""

    CONVERGED = "no move of the search lowers the cost"
    MOVE_LIMIT = "the limit on accepted moves (max_iter) was reached"
    COMPLETE = "the order is complete"
    PROVED = "no order is cheaper, which is proved"
    MEMORY_LIMIT = "the memory limit was reached; this is the best order so far"
    SOLVER = "the solver of linear programs gave up; this is the best order so far"
    PLATEAU = "the policy found no cheaper orders for a while (patience)"
    ROUND_LIMIT = "the limit on rounds of the policy (max_iter) was reached"
    TIME_LIMIT = "the time limit was reached; this is the best order so far"
    INTERRUPTED = "interrupted; this is the best order so far"

    @property
    def stopped_early(self) -> bool:
        """Whether the clock or the user ended it, rather than the search itself."""
        return self in (StopReason.TIME_LIMIT, StopReason.INTERRUPTED)

    def __str__(self) -> str:
        return self.value


def check_time_limit(seconds: float | None) -> float:
    """Give the limit in seconds, infinite for None.

    Raises
    ------
    ParameterError
        When it is not a number of seconds of at least 0.
    """
    if seconds is None:
        return math.inf
    if not is_number(seconds) or not seconds >= 0:
        raise ParameterError(f"time_limit is {seconds!r}; give a number of seconds of at least 0, or None")
    return float(seconds)


class Budget:
    """The time a fit may take, and the signal its kernels poll.

    Attributes
    ----------
    signal : uint8 array, shape (1,)
        Zero while work may go on.
    reason : StopReason or None
        Why the signal was raised.
    interrupted : bool
        Whether there was a Ctrl-C; the next one is passed on.
    """

    def __init__(self, time_limit: float | None = None) -> None:
        self.limit = check_time_limit(time_limit)
        self.started = time.monotonic()
        self.signal = np.zeros(1, np.uint8)
        self.reason: StopReason | None = None
        self.interrupted = False

    def extension(self) -> Budget:
        """Give what a stopped fit may still spend to finish: a tenth of the time so far, at least a second.

        A Ctrl-C in it is passed on at once if the fit was already interrupted.
        """
        more = Budget(max(1.0, 0.1 * self.elapsed()))
        more.interrupted = self.interrupted
        return more

    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    def raise_signal(self, reason: StopReason) -> None:
        """Ask all kernels under this budget to come back; the first reason stands."""
        self.reason = self.reason or reason
        self.signal[0] = 1

    def watch(self, tasks: list[Callable[[], T]], workers: int = 1) -> list[T]:
        """Run the tasks in worker threads and watch clock and keyboard meanwhile.

        A first Ctrl-C raises the signal and waits for the tasks to come back with what they have; a
        second one is passed on. A task's own exception is passed on.
        """
        pool = ThreadPoolExecutor(max_workers=workers)
        try:
            waiting: set[Any] = set()
            futures = [pool.submit(task) for task in tasks]
            waiting.update(futures)
            while waiting:
                waiting = self._glance(waiting)
            return [future.result() for future in futures]
        except BaseException:
            self.raise_signal(StopReason.INTERRUPTED)
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _glance(self, waiting: set[Any]) -> set[Any]:
        left = self.limit - self.elapsed()
        if left <= 0 and not self.signal[0]:
            self.raise_signal(StopReason.TIME_LIMIT)
        pause = _GLANCE if self.signal[0] else min(_GLANCE, max(left, 0.0))
        try:
            return set(wait(waiting, timeout=pause).not_done)
        except KeyboardInterrupt:
            if self.interrupted:
                raise
            self.interrupted = True
            self.raise_signal(StopReason.INTERRUPTED)
            return waiting


class Share(Budget):
    """The part of one of many repeats in a budget: it ends with the others, and isn't finished then.

    Parameters
    ----------
    time_limit : float
        Seconds for all of it.
    signal : uint8 array, shape (1,)
        That of the whole budget where the repeat runs in its process, else a copy that nobody raises.
    elapsed : float
        Seconds since all of it began.
    """

    def __init__(self, time_limit: float, signal: np.ndarray, elapsed: float = 0.0) -> None:
        super().__init__(time_limit)
        self.signal = signal
        self.started -= elapsed

    def extension(self) -> Budget:
        """Give no more time."""
        return self
