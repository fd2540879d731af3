"""Columns that say nothing by themselves: constants, numbers of rows, levels that no two rows share."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from rolearn.data.distinct import count_distinct
from rolearn.data.origin import name_columns
from rolearn.data.table import Table

__all__ = [
    "Finding",
    "constants_sentence",
    "levels_sentence",
    "near_constant_sentence",
    "single_column_findings",
]

_ROUNDING = 1e-14  # spread relative to size below which a column is a constant plus rounding
_ID_NAME = re.compile(r"(?:^|[^a-z])(?:id|uuid|guid|rowid|row_?number)$|^unnamed: 0$", re.IGNORECASE)
_CAMEL_ID = re.compile(r"[a-z](?:Id|ID)$")
_FEWEST_COUNTED = 50  # rows from which on whole numbers that count up are no accident ...
_FEWEST_NAMED = 10  # ... and those from which on whole numbers without repetition in a column named id aren't
_ROWS_A_LEVEL = 2  # a discrete column with fewer rows a level tells levels apart by single rows
_RARE = 5  # a column that differs from its commonest value in fewer rows, and in fewer than one in fifty ...
_RARE_SHARE = 50  # ... of them, says next to nothing


@dataclass(frozen=True)
class Finding:
    """Columns that can't be used, or hardly.

    Attributes
    ----------
    columns : tuple of int
        Positions of those to do without.
    sentence : str
        What is wrong, naming all columns it is about.
    unusable : bool
        False where tests can be asked of the column, and say little.
    by_itself : bool
        Whether the sentence is about those columns alone.
    """

    columns: tuple[int, ...]
    sentence: str
    unusable: bool = True
    by_itself: bool = False


def single_column_findings(table: Table) -> list[Finding]:
    """Look at each column by itself.

    Parameters
    ----------
    table : Table
        Untransformed: ranks of whole numbers are none.
    """
    seen: dict[int, tuple[str, str]] = {}
    for j in range(table.n_columns):
        trouble = _trouble(table, j)
        if trouble:
            seen[j] = trouble
    found = []
    for trouble in dict.fromkeys(seen.values()):
        columns = tuple(j for j in seen if seen[j] == trouble)
        sentence = _sentence(table, columns, trouble)
        found.append(Finding(columns, sentence, trouble != _NEAR_CONSTANT, by_itself=True))
    return found


def constants_sentence(table: Table) -> str | None:
    """Name the columns whose cells are all the same; None where there are none."""
    columns = tuple(j for j in range(table.n_columns) if _is_constant(table.values[:, j]))
    return _sentence(table, columns, _CONSTANT) if columns else None


# What may be wrong, and how it reads of one column and of several.
_CONSTANT = ("is constant, so nothing can depend on it", "are constant, so nothing can depend on them")
_ROW_NUMBERS = (
    "numbers the rows, as an index or a time does",
    "number the rows, as an index or a time does",
)
_NO_LEVEL_TWICE = ("has another level in every row", "have another level in every row")
_LEVELS = ("has too many levels for so few rows", "have too many levels for so few rows")
_NEAR_CONSTANT = (
    "is nearly constant: tests of it say little",
    "are nearly constant: tests of them say little",
)


def _sentence(table: Table, columns: tuple[int, ...], trouble: tuple[str, str]) -> str:
    names = [table.names[j] for j in columns]
    text = f"{name_columns(names)} {trouble[len(names) > 1]}"
    if trouble is _LEVELS:
        text += _in_rows(table.kinds[columns[0]].n_levels, table.n_rows)
    if trouble is _NEAR_CONSTANT:
        text += _but(names[0], _rarer(table.values[:, columns[0]]))
    return text


def _in_rows(n_levels: int, n_rows: int) -> str:
    return f" ({n_levels} in {n_rows} rows)"


def _but(name: str, others: int) -> str:
    return f" ({name!r} is the same in all rows but {others})"


def _trouble(table: Table, j: int) -> tuple[str, str] | None:
    column = table.values[:, j]
    column = column[~np.isnan(column)]
    if _is_constant(column):
        return _CONSTANT
    if table.kinds[j].is_discrete:
        trouble = _trouble_of_levels(count_distinct(column), len(column))
        if trouble:
            return trouble
    elif _numbers_rows(table.names[j], column):
        return _ROW_NUMBERS
    return _NEAR_CONSTANT if _is_nearly_constant(column) else None


def _trouble_of_levels(n_levels: int, n_rows: int) -> tuple[str, str] | None:
    if n_levels == n_rows > 2:
        return _NO_LEVEL_TWICE
    return _LEVELS if n_levels > 2 and n_rows < _ROWS_A_LEVEL * n_levels else None


def levels_sentence(name: str, n_levels: int, n_rows: int) -> str | None:
    """Say what is wrong with a discrete column of so many levels in so many rows; None where nothing is."""
    trouble = _trouble_of_levels(n_levels, n_rows)
    if trouble is None:
        return None
    count = _in_rows(n_levels, n_rows) if trouble is _LEVELS else ""
    return f"{name_columns([name])} {trouble[0]}{count}"


def near_constant_sentence(name: str, others: int, n_rows: int) -> str | None:
    """Say that a column is the same in all but so few rows; None where they are more."""
    if not _are_rare(others, n_rows):
        return None
    return f"{name_columns([name])} {_NEAR_CONSTANT[0]}{_but(name, others)}"


def _are_rare(others: int, n_rows: int) -> bool:
    return n_rows >= _RARE_SHARE and others < _RARE and _RARE_SHARE * others <= n_rows


def _is_constant(column: np.ndarray) -> bool:
    if column.size == 0:
        return True
    low, high = float(column.min()), float(column.max())
    # halves, since the difference of two large numbers may overflow
    return bool(high / 2 - low / 2 <= _ROUNDING * max(abs(low), abs(high)))


def _numbers_rows(name: str, column: np.ndarray) -> bool:
    """Whether whole numbers count the rows up, or a column named as an id has no number twice."""
    n = len(column)
    if n < _FEWEST_NAMED:
        return False
    steps = column[1:] - column[:-1]
    if n >= _FEWEST_COUNTED and steps[0] == 1.0 and (steps == 1.0).all():
        return True
    if not (_ID_NAME.search(name) or _CAMEL_ID.search(name)):
        return False
    return bool((column == np.floor(column)).all()) and count_distinct(column) == n


def _is_nearly_constant(column: np.ndarray) -> bool:
    if len(column) < _RARE_SHARE or _rarer(column[:_RARE_SHARE]) >= _RARE:
        return False
    return _are_rare(_rarer(column), len(column))


def _rarer(column: np.ndarray) -> int:
    """Count the cells that differ from what more than half of them hold; if nothing is, from the median."""
    known = column[~np.isnan(column)]
    middle = len(known) // 2
    return len(known) - int((known == np.partition(known, middle)[middle]).sum())
