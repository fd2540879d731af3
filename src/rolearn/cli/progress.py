"""A progress bar on stderr while a model is fitted, when stderr is a terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[Any], None] | None]:
    """Show a bar, and yield the callable that moves it; None where nothing is to be shown.

    The events have a ``stage``, a ``fraction`` done, a ``cost`` and an ``entropy`` (each may be None).
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def move(event: Any) -> None:
            known = event.cost is not None and math.isfinite(event.cost)
            cost = f", cost {event.cost:g}" if known else ""
            if event.entropy is not None:
                cost += f", entropy {event.entropy:.2f}"
            total = None if event.fraction is None else 1.0
            bar.update(task, description=f"{event.stage}{cost}", total=total, completed=event.fraction or 0.0)

        yield move
