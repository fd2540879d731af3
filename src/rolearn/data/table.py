"""The one form in which data enters the package: named columns of numbers, or of codes of levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.data.columns import Column, Refusal, array_column, object_column, series_column
from rolearn.data.kinds import CONTINUOUS, ColumnKind, check_declared, declared_names
from rolearn.data.levels import Coded, coded_numbers
from rolearn.data.missing import check_missing, settle_missing
from rolearn.data.origin import Origin, name_columns
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import numbered_names, string_names

__all__ = ["MIN_ROWS", "Table", "as_table", "build_table"]

MIN_ROWS = 5

_ADVICE_FOR_SEVERAL = {  # by the advice of a Refusal, which is for one column
    "turn it into numbers": "turn them into numbers",
    "turn it into numbers, declare it discrete": "turn them into numbers, declare them discrete",
    "turn it into numbers, such as days since a start": "turn them into numbers, such as days since a start",
    "split it into real and imaginary parts": "split them into real and imaginary parts",
}


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
    labels, read = _labels_and_readers(X)
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
    _check_shape(len(names), len(arrays[0]) if arrays else None, origin)
    _check_kinds(names, made, origin)
    values = np.ascontiguousarray(np.column_stack(arrays))
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
        if not kind.is_discrete:
            continue
        coded = coded_numbers(table.values[:, j])
        if len(coded.levels) < kind.n_levels:
            values = table.values.copy() if values is None else values
            values[:, j] = coded.codes
            kinds[j] = ColumnKind("discrete", tuple(kind.levels[int(code)] for code in coded.levels))
    if values is None:
        return table
    values.setflags(write=False)
    return replace(table, values=values, kinds=tuple(kinds))


def _settled(table: Table, missing: str) -> Table:
    values, notes = settle_missing(table.names, table.values, missing, Origin())
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


Read = Callable[[int, bool], Column]  # of a position, and whether that column is declared discrete


def _labels_and_readers(X: Any) -> tuple[list[Any], Read]:
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if isinstance(X, (list, tuple)):
        return _from_rows(X)
    if hasattr(X, "toarray"):
        raise DataError("the data is a sparse matrix; give a dense one (its toarray() method makes it)")
    return _from_frame(X)


def _from_array(X: np.ndarray) -> tuple[list[Any], Read]:
    if X.dtype.names:
        raise DataError("the data is a structured array; give a DataFrame or a plain two-dimensional array")
    if X.ndim != 2:
        raise DataError(f"the data has {X.ndim} dimension{'s' * (X.ndim != 1)}; give rows x columns")
    if isinstance(X, np.ma.MaskedArray):
        masked, X = np.ma.getmaskarray(X), np.array(X.data, dtype=object)
        X[masked] = None
    return list(numbered_names(X.shape[1])), lambda j, discrete: array_column(X[:, j], discrete)


def _from_rows(X: Sequence[Any]) -> tuple[list[Any], Read]:
    rows = [list(row) if isinstance(row, (list, tuple, np.ndarray)) else None for row in X]
    for i, row in enumerate(rows):
        if row is None:
            raise DataError(f"row {i + 1} of the data is not a list of cells; give rows x columns")
        if len(row) != len(rows[0] or []):
            raise DataError(
                f"row {i + 1} of the data has {len(row)} cells where row 1 has {len(rows[0] or [])};"
                " give each row the same number"
            )
    n_columns = len(rows[0] or []) if rows else 0
    if not rows:
        raise DataError(f"the table has no rows; at least {MIN_ROWS} are needed")
    return list(numbered_names(n_columns)), lambda j, discrete: object_column(
        [r[j] for r in rows if r], discrete
    )


def _from_frame(X: Any) -> tuple[list[Any], Read]:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(X, eager_only=True)
    except DuplicateError:
        string_names(list(getattr(X, "column_names", X.columns)), DataError)
        raise
    except TypeError:
        raise DataError(_not_a_table(X)) from None
    labels = list(frame.columns)
    string_names(labels, DataError)  # before any column is read by its label
    return labels, lambda j, discrete: series_column(frame[:, j], discrete)


def _not_a_table(X: Any) -> str:
    if hasattr(X, "to_delayed"):
        return "the data is a Dask DataFrame, and this needs all rows at once; compute it first"
    if hasattr(X, "collect"):
        return "the data is a lazy frame; collect it first"
    return f"the data is a {type(X).__name__}; give a DataFrame or a two-dimensional array of rows x columns"


def _check_shape(n_columns: int, n_rows: int | None, origin: Origin) -> None:
    if n_columns == 0:
        raise DataError(f"{origin.label} has no columns; give at least one")
    if n_rows == 0:
        raise DataError(f"{origin.label} has no rows; at least {MIN_ROWS} are needed")
    if n_rows is not None and n_rows < MIN_ROWS:
        count = "only one row" if n_rows == 1 else f"only {n_rows} rows"
        raise DataError(f"{origin.label} has {count}; at least {MIN_ROWS} are needed")


def _check_kinds(names: Sequence[str], columns: Sequence[Column], origin: Origin) -> None:
    """Refuse columns that are neither numbers nor levels, all of the first kind found in one sentence."""
    refused = [(n, c) for n, c in zip(names, columns, strict=True) if isinstance(c, Refusal)]
    if not refused:
        return
    first_name, first = refused[0]
    alike = [n for n, c in refused if c.holds == first.holds]
    verb = "holds" if len(alike) == 1 else "hold"
    text = f"{origin.label}: {name_columns(alike)} {verb} {first.holds}"
    if first.row is not None:
        where = "" if len(alike) == 1 else f" of {first_name!r}"
        text += f" ({first.cell} in {origin.row(first.row)}{where})"
    advice = first.advice if len(alike) == 1 else _ADVICE_FOR_SEVERAL[first.advice]
    raise DataError(f"{text}; {advice} or {_leave_out(alike, origin)}{_hint(first, origin)}")


def _leave_out(names: list[str], origin: Origin) -> str:
    if len(names) == 1:
        return origin.drop_advice(names[0])
    return "leave them out" + (" (--drop)" if origin.in_file else "")


def _hint(refusal: Refusal, origin: Origin) -> str:
    """Guess what a text cell in a file was meant to be."""
    cell = (refusal.cell or "").strip("'\"").strip()
    if not origin.in_file or refusal.holds != "text":
        return ""
    if len(cell) <= 3 and cell and not any(c.isalnum() for c in cell):
        return f"; if {cell!r} marks a missing cell, say --missing-marker '{cell}'"
    whole, comma, decimals = cell.lstrip("+-").partition(",")
    if comma and whole.isdigit() and decimals.isdigit():
        return "; write decimals with a point, not a comma"
    return ""


def _check_infinite(names: Sequence[str], values: np.ndarray, origin: Origin) -> None:
    infinite = np.isinf(values)
    if not infinite.any():
        return
    row, column = (int(i) for i in np.argwhere(infinite)[0])
    _refuse_infinite(names[column], row, origin)


def _refuse_infinite(name: str, row: int, origin: Origin) -> None:
    raise DataError(
        f"{origin.label}: column {name!r} is infinite in {origin.row(row)};"
        " replace infinities by finite numbers, or leave those rows out"
    )
