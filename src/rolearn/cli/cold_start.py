"""The first start on a machine, when kernels have to be compiled."""

from __future__ import annotations

import os
import subprocess
import sys

from rolearn.cli.streams import say

__all__ = ["prepare_kernels", "spare_small_table"]


def prepare_kernels(quiet: bool) -> None:
    """Say that this start compiles, if it does, and let a second process compile its share meanwhile.

    The kernels of graphs and of the last search over them are more than half of all; by the time those of
    the search over orders are compiled and done most of them are in the cache on disk. If that process
    fails, this one compiles them too.
    """
    from rolearn.cli.warm_up import LAST_SEARCH_FIRST
    from rolearn.runtime.cache_notes import all_compiled, claim_compiling
    from rolearn.runtime.compile import cache_is_cold, collect_rarely

    if all_compiled():
        return
    collect_rarely()
    if not quiet and cache_is_cold():
        say("compiling once for this machine; later starts are quick")
    if (os.cpu_count() or 1) > 1 and claim_compiling():
        _compile_beside(LAST_SEARCH_FIRST)


def spare_small_table(quiet: bool) -> None:
    """Let Python run the kernels of this process if they aren't compiled yet, while another compiles them.

    A fit to a dozen numeric variables takes a second more without a compiler, and compiling a minute of a
    processor. To be called in a process that runs one command, before a kernel is imported.
    """
    from rolearn.cli.warm_up import IN_BACKGROUND, LAST_SEARCH_FIRST
    from rolearn.runtime.cache_notes import all_compiled, claim_compiling
    from rolearn.runtime.compile import stop_compiling

    if all_compiled():
        return
    stop_compiling()
    if not quiet:
        say("compiling once for this machine, in the background; this small table doesn't wait for it")
    if claim_compiling():
        _compile_beside(IN_BACKGROUND)
        if (os.cpu_count() or 1) > 2:
            _compile_beside(IN_BACKGROUND, LAST_SEARCH_FIRST)


def _compile_beside(*how: str) -> None:
    """Start a process that compiles, and that goes on when this one has ended."""
    subprocess.Popen(
        [sys.executable, "-m", "rolearn.cli.warm_up", *how],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
