"""Exit codes of the command."""

from __future__ import annotations

from enum import IntEnum

from rolearn.runtime.errors import RolearnError

__all__ = ["ExitCode", "UsageError"]


class ExitCode(IntEnum):
    """What the command tells the shell."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2  # no such command or option, or an argument is missing
    DATA = 3  # what was given can't be used: a file, its cells, the value of an option
    STOPPED = 4  # at the time limit or by Ctrl-C, the best result so far written
    INTERRUPTED = 130  # by Ctrl-C with nothing to write, as shells have it


class UsageError(RolearnError):
    """Options that don't make a command together, as when one that is needed is missing."""
