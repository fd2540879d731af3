"""Compiles the kernels of a default fit, in a process of its own: ``python -m rolearn.cli.warm_up``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["IN_BACKGROUND", "LAST_SEARCH_FIRST", "main"]

LAST_SEARCH_FIRST = "--last-search-first"  # what a fit needs last, first: for another process at the rest
IN_BACKGROUND = "--in-background"  # nobody waits for it


def main(arguments: Sequence[str]) -> None:
    """Fit the table of the demo, which puts all kernels in the cache on disk, and note there that it did."""
    if IN_BACKGROUND in arguments and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(10)
    from rolearn.runtime.compile import collect_rarely

    collect_rarely()
    if LAST_SEARCH_FIRST in arguments:
        from rolearn.graphs.warm_up import compile_orientation
        from rolearn.likelihood.warm_up import compile_last_search

        compile_last_search()
        compile_orientation()

    from rolearn.data.networks import load_sachs
    from rolearn.estimators import learn
    from rolearn.runtime.cache_notes import note_all_compiled

    learn(load_sachs(), transform="rank", n_jobs=1)
    note_all_compiled()


if __name__ == "__main__":
    main(sys.argv[1:])
