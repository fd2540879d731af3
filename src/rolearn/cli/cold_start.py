"""The first start on a machine, when kernels have to be compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from rolearn.cli.streams import say
from rolearn.cli.warm_up import IN_BACKGROUND, LAST_SEARCH_FIRST

__all__ = ["compile_for_later", "prepare_kernels"]

# where -m would let a file of the user's folder pass for a module of ours
_WARM_UP = (
    "import sys; sys.path[:1] == [''] and sys.path.pop(0); "
    "from rolearn.cli.warm_up import main; main(sys.argv[1:])"
)


def prepare_kernels(quiet: bool) -> None:
    """Say that this start compiles, if it does, and let a second process compile its share meanwhile.

    The kernels of graphs and of the last search over them are more than half of all; by the time those of
    the search over orders are compiled and done most of them are in the cache on disk. If that process
    fails, this one compiles them too.
    """
    from rolearn.runtime.cache_notes import all_compiled, being_compiled, claim_compiling
    from rolearn.runtime.compile import cached_files, collect_rarely, has_compiler

    if not has_compiler() or all_compiled():
        return
    collect_rarely()
    if _n_processors() > 1 and claim_compiling():
        _compile_beside(LAST_SEARCH_FIRST)
    if not quiet and (being_compiled() or not cached_files()):
        say("compiling once for this machine; later starts are quick")


def compile_for_later(quiet: bool) -> None:
    """Let processes compile that nobody waits for, one fewer than there are processors, and two at most.

    The first begins with what a command that is given meanwhile would need last.
    """
    from rolearn.runtime.cache_notes import all_compiled, being_compiled, claim_compiling

    if all_compiled():
        return
    if claim_compiling():
        _compile_beside(IN_BACKGROUND, LAST_SEARCH_FIRST)
        if _n_processors() > 2:
            _compile_beside(IN_BACKGROUND)
    if not quiet and being_compiled():
        say("compiling once for this machine, in the background; this small table doesn't wait for it")


def _compile_beside(*how: str) -> None:
    """Start a process that compiles; in the background it goes on when this one has ended."""
    from rolearn.runtime.cache_notes import give_up_claim

    try:
        subprocess.Popen(
            [sys.executable, "-c", _WARM_UP, *how],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **(_apart() if IN_BACKGROUND in how else {}),
        )
    except OSError:  # no room for one more, say
        give_up_claim()


def _apart() -> dict[str, Any]:
    if sys.platform != "win32":
        return {"start_new_session": True}
    flags = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
    return {"creationflags": sum(getattr(subprocess, flag) for flag in flags)}


def _n_processors() -> int:
    """Count those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
