"""Ctrl-C: before there is a result it ends the command, while one is written it waits its turn."""

from __future__ import annotations

import signal
from types import FrameType

__all__ = ["Interrupts"]


class Interrupts:
    """The Ctrl-Cs of one run of the command.

    Attributes
    ----------
    count : int
        How many there were.
    result_stands : bool
        Whether there is a result by now, so that a first Ctrl-C no longer ends the command.
    """

    def __init__(self) -> None:
        self.count = 0
        self.result_stands = False

    def listen(self) -> None:
        """Count from now on; a process started to ignore Ctrl-C, as with nohup, goes on ignoring it."""
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self.note)

    def note(self, number: int, frame: FrameType | None) -> None:
        """Count one, and raise KeyboardInterrupt unless it is the first and there is a result to write.

        A search under way takes that exception as the wish to stop with the best order so far.
        """
        self.count += 1
        if self.count > 1 or not self.result_stands:
            raise KeyboardInterrupt

    def keep_result(self) -> None:
        """Let a first Ctrl-C wait from now on, until the result is written."""
        self.result_stands = True

    @staticmethod
    def ignore() -> None:
        """Ignore what comes once all is said, so that the exit code stands."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
