"""Exit codes of the command."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """What the command tells the shell."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    DATA = 3
    STOPPED = 4  # at the time limit or by Ctrl-C, the best result so far written
    INTERRUPTED = 130  # by Ctrl-C with nothing to write, as shells have it
