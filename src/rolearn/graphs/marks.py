"""The marks at the ends of an edge.

``marks`` is an (n, n) int8 array throughout the package: ``marks[i, j]`` is the mark *at j* on the edge
between i and j, so i -> j reads ``marks[i, j] == ARROWHEAD`` and ``marks[j, i] == TAIL`` (the convention
of pcalg's ``amat.pag``).
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ARROWHEAD", "CIRCLE", "MARK_OF_WORD", "NO_EDGE", "TAIL", "Mark", "picture"]

# Plain integers, since kernels read them as constants.
NO_EDGE = 0
CIRCLE = 1
ARROWHEAD = 2
TAIL = 3


class Mark(IntEnum):
    """A mark with its word; the integer is what a marks array holds."""

    NO_EDGE = NO_EDGE
    CIRCLE = CIRCLE
    ARROWHEAD = ARROWHEAD
    TAIL = TAIL

    @property
    def word(self) -> str:
        """The word used in files: ``none``, ``circle``, ``arrow`` or ``tail``."""
        return ("none", "circle", "arrow", "tail")[self]


MARK_OF_WORD = {mark.word: mark.value for mark in Mark if mark != NO_EDGE}


def picture(mark_source: int, mark_target: int) -> str:
    """Draw an edge from its two marks: ``o->``, ``-->``, ``<->`` and so on."""
    left = {CIRCLE: "o", ARROWHEAD: "<", TAIL: "-"}[mark_source]
    right = {CIRCLE: "o", ARROWHEAD: ">", TAIL: "-"}[mark_target]
    return f"{left}-{right}"
