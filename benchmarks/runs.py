"""Runs of a benchmark, several at a time: processes here, or where `joblib.parallel_config` says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import joblib

from rolearn.runtime.threads import single_blas_thread

__all__ = ["as_they_come"]

_ready: set[str] = set()  # what this process has done


def as_they_come(
    work: Callable[..., Any], tasks: Sequence[tuple], jobs: int, get_ready: Callable[[], object]
) -> Iterator[Any]:
    """Give ``work(*task)`` of each task as it comes.

    Each process gets ready before its first, so that this takes no longer than others, and has one BLAS
    thread. With one job that process is this one.
    """
    parallel = joblib.Parallel(n_jobs=jobs, prefer="processes", return_as="generator_unordered")
    yield from parallel(joblib.delayed(_run)(work, task, get_ready) for task in tasks)


def _run(work: Callable[..., Any], task: tuple, get_ready: Callable[[], object]) -> Any:
    with single_blas_thread():
        if get_ready.__qualname__ not in _ready:
            get_ready()
            _ready.add(get_ready.__qualname__)
        return work(*task)
