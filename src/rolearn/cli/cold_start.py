"""The first start on a machine, when kernels have to be compiled."""

from __future__ import annotations

import os
import subprocess
import sys

from rolearn.cli.streams import say

__all__ = ["prepare_kernels"]


def prepare_kernels(quiet: bool) -> None:
    """Say that this start compiles, if it does, and let a second process compile its share meanwhile.

    The kernels of graphs and of the last search over them are more than half of all; by the time those of
    the search over orders are compiled and done most of them are in the cache on disk. If that process
    fails, this one compiles them too.
    """
    from rolearn.runtime.compile import cache_is_cold, collect_rarely

    if not cache_is_cold():
        return
    collect_rarely()
    if not quiet:
        say("compiling once for this machine; later starts are quick")
    if (os.cpu_count() or 1) > 1:
        subprocess.Popen(
            [sys.executable, "-m", "rolearn.likelihood.warm_up"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
