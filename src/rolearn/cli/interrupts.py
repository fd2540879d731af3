"""Ctrl-C: it quits at once, asks a search to come back, or waits while a result is written."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from enum import Enum, auto
from types import FrameType

from rolearn.cli.exits import ExitCode

__all__ = ["Interrupts", "Phase"]


class Phase(Enum):
    """What a Ctrl-C meets."""

    QUITTABLE = auto()  # nothing to save
    SEARCHING = auto()
    WRITING = auto()  # a result to save


class Interrupts:
    """The Ctrl-Cs of one run of the command.

    Attributes
    ----------
    count : int
        How many there were.
    listening : bool
        Whether they are counted: in a process that was started for this run.
    phase : Phase
        Set by what has something to save.
    """

    def __init__(self) -> None:
        self.count = 0
        self.listening = False
        self.phase = Phase.QUITTABLE

    def listen(self) -> None:
        """Count from now on; a process started to ignore Ctrl-C, as with nohup, goes on ignoring it."""
        self.listening = True
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self.note)

    def note(self, number: int, frame: FrameType | None) -> None:
        """Count one, and do what the phase asks for.

        Where there is nothing to save the process ends here and now: extension modules that meet an
        exception while they are imported print a traceback of their own. A search takes KeyboardInterrupt
        as the wish to stop with the best order so far. While a result is written a first one waits.
        """
        self.count += 1
        if self.phase is Phase.QUITTABLE:
            with suppress(OSError):
                os.write(2, f"error: {self.sentence}\n".encode())
            os._exit(ExitCode.INTERRUPTED)
        if self.count > 1 or self.phase is Phase.SEARCHING:
            raise KeyboardInterrupt

    @property
    def sentence(self) -> str:
        """What to say when one ends the command."""
        if self.phase is Phase.WRITING:
            return "interrupted while the result was written; it is incomplete"
        return "interrupted before there was a result"

    @staticmethod
    def ignore() -> None:
        """Ignore what comes once all is said, so that the exit code stands."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
