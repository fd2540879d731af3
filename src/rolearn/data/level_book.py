"""Levels of columns that come a batch at a time: a number for each as it first occurs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from rolearn.data.columns import DATES, NUMERALS, TEXT, Column, Refusal, shortened
from rolearn.data.levels import Coded, are_dates, are_numbers_spoiled, coded_numbers, spells_number
from rolearn.data.origin import Origin
from rolearn.data.refusals import check_refusals
from rolearn.runtime.errors import DataError

__all__ = ["MOST_LEVELS", "LevelBook", "UsedLevels", "text_refusal"]

MOST_LEVELS = 32_000  # of a column


class LevelBook:
    """What columns of a table that comes in batches hold, as far as it was read.

    Attributes
    ----------
    discrete : list of bool
        Which columns hold levels, by now.
    """

    def __init__(self, names: Sequence[str], origin: Origin, declared: Collection[str] = frozenset()) -> None:
        self.names, self.origin, self.declared = tuple(names), origin, declared
        self.discrete = [name in declared for name in names]
        self._numbers = [False] * len(names)
        self._text = [False] * len(names)
        self._number_of: list[dict[str, int]] = [{} for _ in names]
        self._first: list[list[int]] = [[] for _ in names]

    def texts(self, j: int) -> list[str]:
        """Give the levels of a column by their numbers."""
        return list(self._number_of[j])

    def array(self, columns: Sequence[Column], before: int) -> np.ndarray:
        """Put the columns of a batch together: numbers as they are, levels as their numbers, (n, p).

        Parameters
        ----------
        columns : sequence of Column
        before : int
            Rows of the table before the batch.

        Raises
        ------
        DataError
            When one is neither numbers nor levels, both, or of too many levels.
        """
        origin = self.origin
        shifted = Origin(origin.label, lambda row: origin.row(before + row), origin.in_file)
        check_refusals(self.names, [_text_as_levels(column) for column in columns], shifted)
        return np.column_stack(
            [self._read(j, _text_as_levels(column), before) for j, column in enumerate(columns)]
        )

    def _read(self, j: int, column: Column, before: int) -> np.ndarray:
        if isinstance(column, Coded):
            self.discrete[j] = True
            self._text[j] |= column.text
            return self._renumbered(j, column, before)
        assert isinstance(column, np.ndarray)
        if self.names[j] in self.declared:  # infinite numbers are to be refused as in other columns
            infinite = np.isinf(column)
            numbers = self._renumbered(j, coded_numbers(np.where(infinite, np.nan, column)), before)
            return np.where(infinite, column, numbers)
        finite = np.isfinite(column)
        if finite.any():
            self._numbers[j] = True
            if self.discrete[j]:
                self._refuse_both(j)
        return column

    def _renumbered(self, j: int, column: Coded, before: int) -> np.ndarray:
        known, first = self._number_of[j], self._first[j]
        if self._numbers[j] and column.levels:
            self._refuse_both(j, before + int(np.flatnonzero(~np.isnan(column.codes))[0]), column)
        there = ~np.isnan(column.codes)
        new = [code for code, level in enumerate(column.levels) if level not in known]
        if new:
            rows = _first_rows(column.codes, there, len(column.levels))
            known.update({column.levels[code]: len(known) + k for k, code in enumerate(new)})
            first.extend((before + rows[new]).tolist())
        if len(known) > MOST_LEVELS:
            self._refuse_many(j, before + len(column.codes))
        numbers = np.array([known[level] for level in column.levels], np.float64)
        codes = np.full(len(column.codes), np.nan)
        codes[there] = numbers[column.codes[there].astype(np.int64)]
        return codes

    def _refuse_both(self, j: int, row: int | None = None, column: Coded | None = None) -> None:
        if row is None:
            row, level = self._first[j][0], self.texts(j)[0]
        else:
            assert column is not None
            codes = column.codes[~np.isnan(column.codes)]
            level = column.levels[int(codes[0])]
        self._refuse(j, replace(TEXT, row=row, cell=shortened(level)))

    def _refuse_many(self, j: int, n_rows: int) -> None:
        self._judge(j)
        name, n_levels = self.names[j], len(self._number_of[j])
        if n_levels >= n_rows - int(0.01 * n_rows):
            what = f"column {name!r} has another level in nearly every row"
        else:
            what = f"column {name!r} has {n_levels} levels in its first {n_rows} rows"
        raise DataError(
            f"{self.origin.label}: {what}; at most {MOST_LEVELS} can be told apart, so "
            f"{self.origin.drop_advice(name)}, or turn it into numbers"
        )

    def judge(self) -> None:
        """Refuse text that is dates, or numbers spoiled by a few cells of text, once all was read.

        Raises
        ------
        DataError
        """
        for j in range(len(self.names)):
            self._judge(j)

    def _judge(self, j: int) -> None:
        if self._text[j]:
            self._refuse(j, text_refusal(self.texts(j), self._first[j]))

    @property
    def text(self) -> tuple[bool, ...]:
        """Which columns were read as text that nobody declared discrete."""
        return tuple(self._text)

    def _refuse(self, j: int, refusal: Refusal | None) -> None:
        if refusal is not None:
            check_refusals([self.names[j]], [refusal], self.origin)


def _first_rows(codes: np.ndarray, there: np.ndarray, n_levels: int) -> np.ndarray:
    """Give the first row of each level; 0 for one that no row has."""
    found, places = np.unique(codes[there].astype(np.int64), return_index=True)
    rows = np.zeros(n_levels, np.int64)
    rows[found] = np.flatnonzero(there)[places]
    return rows


def text_refusal(texts: Sequence[str], first: Sequence[int] | None = None) -> Refusal | None:
    """Say why text can't be used: it is dates, or numbers spoiled by a few cells of text.

    Parameters
    ----------
    texts : sequence of str
        All that occur.
    first : sequence of int, optional
        The first row of each.
    """
    if are_dates(texts):
        return DATES
    if not are_numbers_spoiled(texts):
        return None
    plain = [k for k, text in enumerate(texts) if not spells_number(text)]
    kind = TEXT if plain else NUMERALS
    if first is None:
        return kind
    of = min(plain or range(len(texts)), key=first.__getitem__)
    return replace(kind, row=first[of], cell=shortened(texts[of]))


def _text_as_levels(column: Column) -> Column:
    """Give text as levels whatever it looks like in this batch: others may show that it is no number."""
    return column.coded if isinstance(column, Refusal) and column.coded is not None else column


class UsedLevels:
    """Levels in the order in which they first occur in rows that are used."""

    def __init__(self, book: LevelBook) -> None:
        self._book = book
        self._place: list[np.ndarray] = [np.zeros(0, np.int64) for _ in book.names]
        self._used: list[list[int]] = [[] for _ in book.names]

    def codes(self, j: int, numbers: np.ndarray) -> np.ndarray:
        """Turn the numbers that a book gave a column into codes; int64 array, -1 where missing."""
        if len(self._place[j]) < len(self._book.texts(j)):
            more = len(self._book.texts(j)) - len(self._place[j])
            self._place[j] = np.append(self._place[j], np.full(more, -1, np.int64))
        known = ~np.isnan(numbers)
        drawn = np.where(known, numbers, 0.0).astype(np.int64)
        place = self._place[j]
        codes = np.where(known, place[drawn], 0) if len(place) else np.zeros(len(numbers), np.int64)
        if (codes < 0).any():
            found, first = np.unique(drawn[known & (codes < 0)], return_index=True)
            for number in found[np.argsort(first)]:
                place[number] = len(self._used[j])
                self._used[j].append(int(number))
            codes = place[drawn]
        return np.where(known, codes, -1)

    def levels(self) -> tuple[tuple[str, ...] | None, ...]:
        """Give the levels of each column by their codes; None for a column of numbers."""
        given = []
        for j, discrete in enumerate(self._book.discrete):
            texts = self._book.texts(j) if discrete else []
            given.append(tuple(texts[number] for number in self._used[j]) if discrete else None)
        return tuple(given)
