"""One BLAS thread where the last bit of a sum matters, for the same answer however many there are."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from threading import Lock
from types import TracebackType
from typing import Any

__all__ = ["single_blas_thread"]


class _SingleThread(AbstractContextManager):
    """Counts who is inside: the limit is the process's, and many fits may run in its threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limits: Any = None
        self._libraries: Any = None
        self._modules = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limits = self._found().limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limits.restore_original_limits()

    def _found(self) -> Any:
        """Look for libraries again only after an import: that takes milliseconds, some times a fit."""
        from threadpoolctl import ThreadpoolController

        if self._libraries is None or self._modules != len(sys.modules):
            self._libraries, self._modules = ThreadpoolController(), len(sys.modules)
        return self._libraries


_single_thread = _SingleThread()


def single_blas_thread() -> AbstractContextManager:
    """Limit BLAS to one thread inside a with-block, so that sums don't depend on how many there are.

    Blocks in several threads may overlap: the limit goes when the last of them ends.
    """
    return _single_thread
