"""One thread for torch and BLAS while policies learn, so that sums don't depend on the machine's cores."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch

from rolearn.runtime.threads import single_blas_thread

__all__ = ["one_thread"]

_lock = threading.Lock()
_within = 0
_before = ExitStack()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit both inside a with-block, which costs no time: the networks are small.

    The limits are those of the whole process; the last of several searches at a time takes them away.
    """
    global _within
    with _lock:
        if not _within:
            _before.callback(torch.set_num_threads, torch.get_num_threads())
            _before.enter_context(single_blas_thread())
        _within += 1
        torch.set_num_threads(1)  # in part a setting of each thread
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                _before.close()
