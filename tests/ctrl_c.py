"""A Ctrl-C in the middle of what a test runs."""

from __future__ import annotations

import _thread
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_after(*seconds: float) -> Iterator[None]:
    """Press Ctrl-C after so many seconds, each; whoever leaves earlier waits for the last.

    Garbage isn't collected meanwhile: hypothesis hooks into that, and what is raised in such a hook is lost.
    """
    timers = [threading.Timer(delay, _thread.interrupt_main) for delay in seconds]
    gc.disable()
    try:
        for timer in timers:
            timer.start()
        yield
        for timer in timers:
            timer.join()
    finally:
        gc.enable()
