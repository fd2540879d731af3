"""One BLAS thread where the last bit of a sum matters, for the same answer however many there are."""

from __future__ import annotations

from contextlib import AbstractContextManager

__all__ = ["single_blas_thread"]


def single_blas_thread() -> AbstractContextManager:
    """Limit BLAS to one thread inside a with-block, so that sums don't depend on how many there are."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")
