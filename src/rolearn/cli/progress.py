"""A progress bar on stderr while a model is fitted, when stderr is a terminal."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["progress_bar"]

_SHOWN_AFTER = 0.7  # seconds: what is done by then needs no bar, nor the time that one takes to import


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[Any], None] | None]:
    """Show a bar once it takes a while, and yield the callable that moves it; None where nothing is shown.

    The events have a ``stage``, a ``fraction`` done, a ``cost`` and an ``entropy`` (each may be None).
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _LateBar()
    try:
        yield bar.move
    finally:
        bar.close()


class _LateBar:
    """A bar that a timer's thread puts on the terminal, unless it is closed before."""

    def __init__(self) -> None:
        self._event: Any = None
        self._bar: Any = None
        self._closed = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(_SHOWN_AFTER, self._show)
        self._timer.daemon = True
        self._timer.start()

    def move(self, event: Any) -> None:
        with self._lock:
            self._event = event
            if self._bar is not None:
                self._update()

    def close(self) -> None:
        """Wipe it."""
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._closed:
                return
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("starting", total=None)
            self._bar.start()
            if self._event is not None:
                self._update()

    def _update(self) -> None:
        event = self._event
        known = event.cost is not None and math.isfinite(event.cost)
        cost = f", cost {event.cost:g}" if known else ""
        if event.entropy is not None:
            cost += f", entropy {event.entropy:.2f}"
        total = None if event.fraction is None else 1.0
        done = event.fraction or 0.0
        self._bar.update(self._task, description=f"{event.stage}{cost}", total=total, completed=done)
