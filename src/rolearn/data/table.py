"""The one form in which data enters the package: named columns of numbers, or of codes of levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.data.columns import Column, Refusal
from rolearn.data.frames import MIN_ROWS, labels_and_readers
from rolearn.data.kinds import CONTINUOUS, ColumnKind, check_declared, declared_names
from rolearn.data.levels import Coded, coded_numbers
from rolearn.data.missing import check_missing, settle_missing
from rolearn.data.origin import Origin
from rolearn.data.refusals import check_refusals
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import string_names

__all__ = ["MIN_ROWS", "Table", "as_table", "build_table", "check_shape", "chosen_columns", "refuse_infinite"]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of finite numbers, or of codes of levels.

    Attributes
    ----------
    names : tuple of str
        Unique column names.
    values : float64 array, shape (n_rows, n_columns)
        C-ordered and read-only. A missing cell, which only ``missing="pairwise"`` leaves there, is NaN.
    notes : tuple of str
        Sentences about what was decided while reading.
    kinds : tuple of ColumnKind
        One a column; all continuous where not given. A discrete column holds the codes 0, 1, ... of its
        levels, a missing cell NaN.
    """

    names: tuple[str, ...]
    values: np.ndarray
    notes: tuple[str, ...] = ()
    kinds: tuple[ColumnKind, ...] = ()

    def __post_init__(self) -> None:
        if not self.kinds:
            object.__setattr__(self, "kinds", (CONTINUOUS,) * len(self.names))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.values.shape[0]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.values.shape[1]

    @property
    def n_levels(self) -> np.ndarray:
        """Number of levels of each column, 0 where it is continuous; int64 array of shape (n_columns,)."""
        return np.array([kind.n_levels for kind in self.kinds], dtype=np.int64)

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {self.n_columns} columns)"

    def column(self, name: str) -> np.ndarray:
        """Give the values of one column, shape (n_rows,)."""
        if name not in self.names:
            raise ParameterError(f"there is no column {name!r} in the table")
        return self.values[:, self.names.index(name)]


def as_table(
    X: Any, names: Sequence[Any] | None = None, discrete: Any = "auto", missing: str = "error"
) -> Table:
    """Check data in memory and give it as a Table.

    Parameters
    ----------
    X : DataFrame of any library, array or nested list of shape (n_rows, n_columns), or Table
        Integers become floats, and so do object columns of numbers and booleans. Text, booleans and
        categories become codes.
    names : sequence, optional
        Names to use in place of the data's own; columns without names are X1, X2, ...
    discrete : "auto" or list of str
        Columns of numbers that are discrete. Text, booleans and categories always are.
    missing : "error", "listwise" or "pairwise"
        What is done with missing cells; see `rolearn.data.missing`.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        When the data isn't a table of at least 5 rows and one uniquely named column of finite numbers or
        levels; the sentence names the columns, and the row of the first bad cell.
    ParameterError
        When `names` has the wrong length or isn't unique, `discrete` names what isn't there, or `missing` is
        unknown.
    """
    given = None if names is None else list(names)
    declared, policy = declared_names(discrete), check_missing(missing)
    if isinstance(X, Table):
        renamed = X if given is None else replace(X, names=_replacement_names(given, X.n_columns))
        return _settled(_redeclared(renamed, declared), policy)
    labels, read = labels_and_readers(X)
    if given is None:
        table_names = string_names(labels, DataError)
    else:
        table_names = _replacement_names(given, len(labels))
    check_declared(declared, table_names)
    wanted = set(declared or ())
    columns = (read(i, name in wanted) for i, name in enumerate(table_names))
    return build_table(table_names, columns, Origin(), missing=policy)


def build_table(
    names: Sequence[str],
    columns: Iterable[Column],
    origin: Origin,
    notes: Sequence[str] = (),
    missing: str = "error",
) -> Table:
    """Put converted columns together and check them all; `names` are unique by now.

    Raises
    ------
    DataError
        As in `as_table`.
    """
    made = list(columns)
    usable = [column for column in made if not isinstance(column, Refusal)]
    arrays = [column.codes if isinstance(column, Coded) else column for column in usable]
    check_shape(len(names), len(arrays[0]) if arrays else None, origin)
    check_refusals(names, made, origin)
    values = np.ascontiguousarray(np.column_stack(arrays))
    values[np.isnan(values)] = np.nan  # there are many kinds of NaN; the canonical order looks at bits
    _check_infinite(names, values, origin)
    values, about_missing = settle_missing(names, values, missing, origin)
    values.setflags(write=False)
    kinds = tuple(_kind(column) for column in usable)
    return _without_empty_levels(Table(tuple(names), values, (*notes, *about_missing), kinds))


def _kind(column: np.ndarray | Coded) -> ColumnKind:
    return ColumnKind("discrete", column.levels) if isinstance(column, Coded) else CONTINUOUS


def _without_empty_levels(table: Table) -> Table:
    """Give levels new numbers where some of a column went with the rows that were left out."""
    values, kinds = None, list(table.kinds)
    for j, kind in enumerate(table.kinds):
        if not kind.is_discrete or _all_occur(table.values[:, j], kind.n_levels):
            continue
        coded = coded_numbers(table.values[:, j])
        values = table.values.copy() if values is None else values
        values[:, j] = coded.codes
        kinds[j] = ColumnKind("discrete", tuple(kind.levels[int(code)] for code in coded.levels))
    if values is None:
        return table
    values.setflags(write=False)
    return replace(table, values=values, kinds=tuple(kinds))


def _all_occur(codes: np.ndarray, n_levels: int) -> bool:
    known = codes[~np.isnan(codes)].astype(np.int64)
    return bool((np.bincount(known, minlength=n_levels) > 0).all())


def _settled(table: Table, missing: str) -> Table:
    values, said = settle_missing(table.names, table.values, missing, Origin())
    notes = tuple(note for note in said if note not in table.notes)  # who read it may have said so
    if values is table.values:
        return replace(table, notes=(*table.notes, *notes)) if notes else table
    values.setflags(write=False)
    return _without_empty_levels(replace(table, values=values, notes=(*table.notes, *notes)))


def _redeclared(table: Table, declared: tuple[str, ...] | None) -> Table:
    """Read more columns of a table as discrete."""
    check_declared(declared, table.names)
    places = [i for i, name in enumerate(table.names) if name in set(declared or ())]
    places = [i for i in places if not table.kinds[i].is_discrete]
    if not places:
        return table
    values, kinds = table.values.copy(), list(table.kinds)
    for i in places:
        coded = coded_numbers(values[:, i])
        values[:, i], kinds[i] = coded.codes, ColumnKind("discrete", coded.levels)
    values.setflags(write=False)
    return replace(table, values=values, kinds=tuple(kinds))


def _replacement_names(names: list[Any], n_columns: int) -> tuple[str, ...]:
    if len(names) != n_columns:
        raise ParameterError(f"names has {len(names)} labels and the data {n_columns} columns; give one each")
    return string_names(names, ParameterError)


def check_shape(n_columns: int, n_rows: int | None, origin: Origin) -> None:
    """Refuse a table without columns, or with too few rows; None where their number isn't known."""
    if n_columns == 0:
        raise DataError(f"{origin.label} has no columns; give at least one")
    if n_rows == 0:
        raise DataError(f"{origin.label} has no rows; at least {MIN_ROWS} are needed")
    if n_rows is not None and n_rows < MIN_ROWS:
        count = "only one row" if n_rows == 1 else f"only {n_rows} rows"
        raise DataError(f"{origin.label} has {count}; at least {MIN_ROWS} are needed")


def _check_infinite(names: Sequence[str], values: np.ndarray, origin: Origin) -> None:
    infinite = np.isinf(values)
    if not infinite.any():
        return
    row, column = (int(i) for i in np.argwhere(infinite)[0])
    refuse_infinite(names[column], row, origin)


def refuse_infinite(name: str, row: int, origin: Origin) -> None:
    """Refuse a column for an infinite cell in a row, counted from 0."""
    raise DataError(
        f"{origin.label}: column {name!r} is infinite in {origin.row(row)};"
        " replace infinities by finite numbers, or leave those rows out"
    )


def chosen_columns(values: np.ndarray, columns: Sequence[int] | np.ndarray) -> np.ndarray:
    """Take columns of an array; all of them in their order without a copy."""
    return values if list(columns) == list(range(values.shape[1])) else values[:, columns]
