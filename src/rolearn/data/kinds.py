"""What a column holds: numbers on a scale, or one of finitely many levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["CONTINUOUS", "ColumnKind"]


@dataclass(frozen=True)
class ColumnKind:
    """The kind of one column.

    Attributes
    ----------
    kind : "continuous" or "discrete"
    levels : tuple of str
        What the codes 0, 1, ... of a discrete column stand for, in sorted order, so that it depends on the
        content alone; empty for a continuous one.
    """

    kind: Literal["continuous", "discrete"] = "continuous"
    levels: tuple[str, ...] = ()

    @property
    def n_levels(self) -> int:
        """Number of levels; 0 for a continuous column."""
        return len(self.levels)

    @property
    def is_discrete(self) -> bool:
        """Whether the column is discrete."""
        return self.kind == "discrete"

    def __str__(self) -> str:
        return f"discrete, {self.n_levels} levels" if self.is_discrete else "continuous"


CONTINUOUS = ColumnKind()
