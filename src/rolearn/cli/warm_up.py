"""Compiles the kernels of a default fit, in a process of its own."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["IN_BACKGROUND", "LAST_SEARCH_FIRST", "main"]

LAST_SEARCH_FIRST = "--last-search-first"  # what a fit needs last, first: for another process at the rest
IN_BACKGROUND = "--in-background"  # nobody waits for it

_KEEP_SECONDS = 15.0


def main(arguments: Sequence[str]) -> None:
    """Fit the table of the demo, which puts all kernels in the cache on disk, and note there that it did."""
    from rolearn.runtime.cache_notes import give_up_claim, note_all_compiled

    if IN_BACKGROUND in arguments and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(10)
    done = threading.Event()
    threading.Thread(target=_keep_claim, args=(done,), daemon=True).start()
    try:
        _compile(last_search_first=LAST_SEARCH_FIRST in arguments)
        note_all_compiled()
    finally:
        done.set()
        give_up_claim()


def _compile(last_search_first: bool) -> None:
    from rolearn.runtime.compile import collect_rarely

    collect_rarely()
    if last_search_first:
        from rolearn.graphs.warm_up import compile_orientation
        from rolearn.likelihood.warm_up import compile_last_search

        compile_last_search()
        compile_orientation()

    from rolearn.data.networks import load_sachs
    from rolearn.estimators import learn

    learn(load_sachs(), transform="rank", n_jobs=1)


def _keep_claim(done: threading.Event) -> None:
    from rolearn.runtime.cache_notes import keep_claim

    while not done.wait(_KEEP_SECONDS):
        keep_claim()


if __name__ == "__main__":
    main(sys.argv[1:])
