"""What a column holds: numbers on a scale, or one of finitely many levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rolearn.runtime.errors import ParameterError
from rolearn.runtime.suggestions import meant_or_there

__all__ = ["CONTINUOUS", "ColumnKind", "check_declared", "declared_names"]


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


def declared_names(discrete: Any) -> tuple[str, ...] | None:
    """Give the names of a ``discrete=`` parameter; None for "auto".

    Raises
    ------
    ParameterError
        When it is neither "auto" nor a list of names.
    """
    if isinstance(discrete, str):
        if discrete == "auto":
            return None
        raise ParameterError(f"discrete is {discrete!r}; give 'auto' or a list of column names")
    if not isinstance(discrete, Iterable):
        raise ParameterError(f"discrete is {discrete!r}; give 'auto' or a list of column names")
    return tuple(str(name) for name in discrete)  # labels may be numbers


def check_declared(declared: tuple[str, ...] | None, names: Sequence[str], label: str = "the table") -> None:
    """Refuse names that no column has.

    Raises
    ------
    ParameterError
        Naming the first, and columns with a similar name.
    """
    for name in declared or ():
        if name not in names:
            raise ParameterError(
                f"{label} has no column {name!r} to read as discrete; {meant_or_there(name, names)}"
            )
