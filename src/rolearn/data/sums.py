"""What is summed up in one pass over a table: moments, or distinct rows."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from rolearn.data.accumulation import Stack
from rolearn.data.canonical import canonical_order
from rolearn.data.distinct_rows import DistinctRows, NoRoomError, RowCounts, most_rows, no_room
from rolearn.data.level_book import LevelBook, UsedLevels
from rolearn.data.level_moments import LevelMoments, check_levels, level_moments_of
from rolearn.data.origin import Origin, name_columns
from rolearn.runtime.errors import DataError

__all__ = ["MomentSums", "RowSums", "Sums"]


class Sums(Protocol):
    """What is summed up in one pass."""

    @property
    def policies(self) -> tuple[str, ...]:
        """What may be done with missing cells."""

    def add(self, rows: np.ndarray, book: LevelBook) -> None:
        """Take the rows of a block that are used, levels as the numbers of the book."""


class MomentSums:
    """Moments of numbers and of the indicators of levels.

    Parameters
    ----------
    names : tuple of str
    origin : Origin
    only_numbers : bool
        Whether levels are refused, as soon as there are some.
    """

    policies: tuple[str, ...] = ("error", "listwise")

    def __init__(self, names: tuple[str, ...], origin: Origin, only_numbers: bool = False) -> None:
        self.names, self.origin, self.only_numbers = names, origin, only_numbers
        self._stack: Stack[LevelMoments] = Stack()
        self._order: np.ndarray | None = None
        self._used: UsedLevels | None = None

    def add(self, rows: np.ndarray, book: LevelBook) -> None:
        """Sum up rows without missing cells.

        Raises
        ------
        DataError
            When there are too many levels, or none are wanted.
        """
        discrete = [j for j, there in enumerate(book.discrete) if there]
        if self.only_numbers and discrete:
            self._refuse([book.names[j] for j in discrete])
        if not len(rows):
            return
        self._used = self._used or UsedLevels(book)
        codes = {j: self._used.codes(j, rows[:, j]) for j in discrete}
        levels = self._used.levels()
        check_levels(self.names, levels, self.origin)
        numbers = rows[:, [j for j in range(rows.shape[1]) if j not in codes]]
        if self._order is None:
            self._order = canonical_order(numbers)
        self._stack.add(level_moments_of(self.names, numbers, self._order, codes, levels))

    def total(self) -> LevelMoments:
        """Give the sums of all rows."""
        total = self._stack.total()
        if total is None:
            nothing = np.zeros((0, len(self.names)))
            return level_moments_of(
                self.names, nothing, np.arange(len(self.names)), {}, (None,) * len(self.names)
            )
        return total

    def _refuse(self, names: list[str]) -> None:
        raise _other_kind(
            self.origin,
            names,
            "text, booleans or categories, and Gaussian statistics are of numbers alone; leave {them} "
            "out{drop}, or use DegenerateGaussian, or Discrete where no column is numbers",
        )


class RowSums:
    """Distinct rows of levels, and how often each occurs."""

    policies: tuple[str, ...] = ("error", "listwise", "pairwise")

    def __init__(self, names: tuple[str, ...], origin: Origin) -> None:
        self.names, self.origin = names, origin
        self.distinct = DistinctRows(len(names), most_rows(len(names)))
        self._used: UsedLevels | None = None
        self._n_rows = 0

    def add(self, rows: np.ndarray, book: LevelBook) -> None:
        """Count rows; missing cells are NaN.

        Raises
        ------
        DataError
            When a column is numbers, or there are too many distinct rows.
        """
        self._used = self._used or UsedLevels(book)
        codes = np.empty(rows.shape, np.int16)
        for j, discrete in enumerate(book.discrete):
            if not discrete and not np.isnan(rows[:, j]).all():
                self._refuse_numbers(
                    [n for n, levels in zip(book.names, book.discrete, strict=True) if not levels]
                )
            codes[:, j] = self._used.codes(j, rows[:, j]) if discrete else -1
        self._n_rows += len(rows)
        try:
            self.distinct.add(codes)
        except NoRoomError:
            self._refuse_many()

    def total(self) -> RowCounts:
        """Give the distinct rows."""
        levels = self._used.levels() if self._used else (None,) * len(self.names)
        given = tuple(of or () for of in levels)
        return RowCounts(self.names, given, self.distinct.rows, self.distinct.counts)

    def _refuse_numbers(self, names: list[str]) -> None:
        raise _other_kind(
            self.origin,
            names,
            "numbers, and contingency tables are of levels; declare {them} discrete, leave {them} out{drop}, "
            "or use DegenerateGaussian, which takes both",
        )

    def _refuse_many(self) -> None:
        raise no_room(self.total(), f"{self.origin.label}: its first {self._n_rows} rows hold")


def _other_kind(origin: Origin, names: list[str], rest: str) -> DataError:
    """Say which columns hold what the sums can't take; `rest` goes on after "hold"."""
    verb, them = ("holds", "it") if len(names) == 1 else ("hold", "them")
    advice = rest.format(them=them, drop=" (--drop)" if origin.in_file else "")
    return DataError(f"{origin.label}: {name_columns(names)} {verb} {advice}")
