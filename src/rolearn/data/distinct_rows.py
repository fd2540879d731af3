"""The distinct rows of a table of levels and how often each occurs: all that its statistics need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.data.distinct_kernels import add_rows, place_rows
from rolearn.data.level_book import MOST_LEVELS
from rolearn.runtime.errors import DataError

__all__ = [
    "DistinctRows",
    "NoRoomError",
    "RowCounts",
    "check_level_count",
    "most_rows",
    "no_room",
    "recoded",
    "union",
]

_FIRST_ROWS = 1 << 12
_MOST_BYTES = 1 << 29  # of what is made of distinct rows, with the room that a test over them takes
_BYTES_A_ROW = 96  # of counts, labels and tables of a test
_BYTES_A_CELL = 4  # codes of two bytes, while they are turned once


class NoRoomError(Exception):
    """There are more distinct rows than are kept."""


def most_rows(n_columns: int) -> int:
    """Give how many distinct rows of so many columns are kept at most, so that memory stays below 1 GB."""
    return _MOST_BYTES // (_BYTES_A_CELL * n_columns + _BYTES_A_ROW)


class DistinctRows:
    """Distinct rows of codes, in the order in which they first occur.

    Parameters
    ----------
    n_columns : int
    most : int, optional
        How many distinct rows there may be; any number where not given.
    """

    def __init__(self, n_columns: int, most: int | None = None) -> None:
        self.most = most
        self._rows = np.empty((_FIRST_ROWS, n_columns), np.int16)
        self._counts = np.empty(_FIRST_ROWS, np.int64)
        self._places = np.full(4 * _FIRST_ROWS, -1, np.int32)
        self._used = np.zeros(1, np.int64)

    def add(self, codes: np.ndarray, weights: np.ndarray | None = None) -> None:
        """Count more rows.

        Parameters
        ----------
        codes : int16 array, shape (n, n_columns)
            -1 where missing.
        weights : int64 array, shape (n,), optional
            How often each occurs; once where not given.

        Raises
        ------
        NoRoomError
            When there are too many distinct ones.
        """
        if weights is None:
            weights = np.ones(len(codes), np.int64)
        codes, done = np.ascontiguousarray(codes, np.int16), 0
        while True:
            done = add_rows(codes, weights, done, self._rows, self._counts, self._places, self._used)
            if done == len(codes):
                return
            self._grow()

    def _grow(self) -> None:
        size, used = len(self._rows), int(self._used[0])
        if self.most is not None and size >= self.most:
            raise NoRoomError
        larger = 2 * size if self.most is None else min(2 * size, self.most)
        rows, counts = np.empty((larger, self._rows.shape[1]), np.int16), np.empty(larger, np.int64)
        rows[:used], counts[:used] = self._rows, self._counts
        self._rows, self._counts = rows, counts
        if 2 * larger > len(self._places):
            self._places = np.full(2 * len(self._places), -1, np.int32)
            place_rows(rows, used, self._places)

    @property
    def rows(self) -> np.ndarray:
        """The distinct rows, int16 array of shape (m, n_columns)."""
        return self._rows[: int(self._used[0])]

    @property
    def counts(self) -> np.ndarray:
        """How often each occurs, int64 array of shape (m,)."""
        return self._counts[: int(self._used[0])]


@dataclass(frozen=True)
class RowCounts:
    """The distinct rows of a table or of a part of it.

    Attributes
    ----------
    names : tuple of str
    levels : tuple of tuple of str
        Of each column, in the order in which they first occur.
    rows : int16 array, shape (m, p)
        Codes of these levels, -1 where missing, in the order in which they first occur.
    counts : int64 array, shape (m,)
        How often each occurs.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    rows: np.ndarray
    counts: np.ndarray

    @property
    def n_rows(self) -> int:
        """Rows in all."""
        return int(self.counts.sum())

    def joined(self, other: RowCounts) -> RowCounts:
        """Give the counts of these rows and, after them, those of another part of the same table.

        Raises
        ------
        DataError
            When there are too many distinct rows, or levels of a column.
        """
        unions = [union(*both) for both in zip(self.levels, other.levels, strict=True)]
        for name, (levels, _) in zip(self.names, unions, strict=True):
            check_level_count(name, len(levels))  # codes have two bytes
        both = DistinctRows(len(self.names), most_rows(len(self.names)))
        united = tuple(levels for levels, _ in unions)
        try:
            both.add(self.rows, self.counts)
            both.add(recoded(other.rows, [places for _, places in unions]), other.counts)
        except NoRoomError:
            part = RowCounts(self.names, united, both.rows, both.counts)
            raise no_room(part, f"the table: {part.n_rows} of its rows hold") from None
        return RowCounts(self.names, united, both.rows, both.counts)

    def counts_of(self, j: int) -> np.ndarray:
        """Give how often each level of a column occurs; int64 array."""
        known = self.rows[:, j] >= 0
        weighted = np.bincount(self.rows[known, j], self.counts[known], len(self.levels[j]))
        return weighted.astype(np.int64)  # exact below 2^53


def check_level_count(name: str, n_levels: int) -> None:
    """See to it that the levels of a column can be told apart.

    Raises
    ------
    DataError
        When there are too many.
    """
    if n_levels > MOST_LEVELS:
        raise DataError(
            f"column {name!r} has {n_levels} levels; at most {MOST_LEVELS} can be told apart, so leave "
            f"{name!r} out, or treat it as continuous"
        )


def no_room(part: RowCounts, what: str) -> DataError:
    """Give what to raise where there are too many distinct rows, which the sentence starts with."""
    sizes = [len(levels) for levels in part.levels]
    name = part.names[int(np.argmax(sizes))]
    return DataError(
        f"{what} {most_rows(len(part.names))} different ones, the most that contingency tables are made of "
        f"in one pass; leave columns with many levels out ({name!r} has {max(sizes)}), join levels, use the "
        "test 'degenerate-gaussian' (DegenerateGaussian), which needs pairs of columns alone, or a sample "
        "of the rows"
    )


def union(levels: Sequence[str], more: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """Add levels after those there are; gives all, and where the added ones are among them."""
    place = {level: k for k, level in enumerate(levels)}
    for level in more:
        place.setdefault(level, len(place))
    return tuple(place), np.array([place[level] for level in more], np.int64)


def recoded(rows: np.ndarray, numbers: Sequence[np.ndarray]) -> np.ndarray:
    """Give codes other numbers, column by column; missing ones stay so."""
    given = np.empty(rows.shape, np.int16)
    for j, of in enumerate(numbers):
        column = rows[:, j].astype(np.int64)
        given[:, j] = np.where(column >= 0, np.append(of, -1)[column], -1)
    return given
