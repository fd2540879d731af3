"""A table of named tuples: a list that shows itself aligned and writes CSV, without a dataframe library."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from rolearn.runtime.alignment import aligned
from rolearn.runtime.documents import write_text_file

__all__ = ["Records"]

Row = TypeVar("Row", bound=tuple)


class Records(list[Row]):
    """Rows of one kind of named tuple; ``pandas.DataFrame(records)`` and its like take it as it is.

    Parameters
    ----------
    kind : type of NamedTuple
        Of the rows; gives the columns where there are none.
    rows : iterable of such tuples

    Examples
    --------
    >>> import rolearn
    >>> table = rolearn.PAG.from_edges(["A o-> B"]).edge_table()
    >>> print(table.to_csv().splitlines()[0])
    source,edge,target,mark_source,mark_target,visible,text
    """

    def __init__(self, kind: type[Row], rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)
        self.kind = kind

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return _fields(self.kind)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give the rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self]

    def to_csv(self, path: str | Path | None = None) -> str:
        """Give the table as CSV, and write it to a file where one is named.

        None is an empty cell, and names in a tuple are joined by "; ".

        Raises
        ------
        ParameterError
            When the path can't be written.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_cell(value) for value in row] for row in self)
        if path is not None:
            write_text_file(path, out.getvalue())
        return out.getvalue()

    def __str__(self) -> str:
        return aligned([self.columns, *([_shown(value) for value in row] for row in self)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, list(self))


def _fields(kind: type) -> tuple[str, ...]:
    return kind._fields  # type: ignore[attr-defined]


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return "; ".join(map(str, value)) if isinstance(value, (tuple, list)) else value


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return " ".join(str(_cell(value)).split())
