"""Tables in batches, from files that need not fit into memory; names and refusals as of one in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from rolearn.data.arrow_batches import batch_column, is_number
from rolearn.data.columns import TEXT, Column
from rolearn.data.file_columns import (
    columnar_kind,
    columnar_refusal,
    kept_columns,
    kept_of_columnar,
    refuse_marker,
    separator_of,
)
from rolearn.data.kinds import check_declared, declared_names
from rolearn.data.levels import spells_number
from rolearn.data.origin import Origin
from rolearn.data.refusals import check_refusals
from rolearn.data.text_file import read_text, trimmed
from rolearn.runtime.documents import read_bytes_file
from rolearn.runtime.errors import DataError

__all__ = ["Batches", "file_batches", "table_bytes_of"]

_ROWS = 1 << 16  # of a batch of a columnar file
_TEXT_BYTES = 1 << 21  # bytes of a batch of a text file; pyarrow reads a dozen of them ahead
_HEAD = 1 << 20  # bytes of a text file that its layout is found from


@dataclass(frozen=True)
class Batches:
    """Rows that come a batch at a time.

    Attributes
    ----------
    names : tuple of str
        The p columns.
    columns : callable
        Makes an iterator over batches, each a list of its p columns.
    origin : Origin
        Of the table: how its rows are called.
    again : bool
        Whether the rows can be had more than once.
    discrete : tuple of bool
        Which columns are discrete, as far as can be seen before they are read.
    declared : frozenset of str
        Which are so whatever they hold.
    """

    names: tuple[str, ...]
    columns: Callable[[], Iterator[list[Column]]]
    origin: Origin
    again: bool = True
    discrete: tuple[bool, ...] = ()
    declared: frozenset[str] = frozenset()


def file_batches(
    path: str | Path,
    delimiter: str | None = None,
    missing_marker: str | None = None,
    drop: Sequence[str] = (),
    discrete: Any = "auto",
) -> Batches:
    """Read a table in batches; what is wrong with it is said as `read_table` says it.

    Parameters
    ----------
    path : str or Path
        CSV or TSV (any suffix), Parquet or Feather.
    delimiter, missing_marker, drop, discrete
        As for `read_table`.

    Raises
    ------
    DataError
        When the file isn't there, is none of these, or has no such columns; later, when a cell is no number.
    ParameterError
        When the delimiter isn't one character, or a discrete column isn't there.
    """
    separator, declared = separator_of(path, delimiter), declared_names(discrete)
    kind = columnar_kind(path)
    if kind is not None:
        refuse_marker(missing_marker, str(path))
        return _columnar(Path(path), kind, drop, declared)
    return _text(Path(path), separator, missing_marker, drop, declared)


def table_bytes_of(path: str | Path) -> int:
    """Give how large a table is in memory, roughly; 0 where the file can't be read."""
    try:
        size = Path(path).stat().st_size
        if columnar_kind(path) != "Parquet":
            return size
        from pyarrow import parquet

        found = parquet.read_metadata(path)
    except Exception:  # whoever reads it says what is wrong
        return 0
    return int(found.num_rows * found.num_columns * 8)


def _columnar(path: Path, kind: str, drop: Sequence[str], declared: tuple[str, ...] | None) -> Batches:
    import pyarrow

    label, parquet = str(path), kind == "Parquet"
    _check_there(path)
    try:
        schema = _parquet_file(path).schema_arrow if parquet else _feather_schema(path)
    except (pyarrow.ArrowException, OSError, ValueError):
        raise columnar_refusal(label, kind) from None
    keep, names, _ = kept_of_columnar(schema.names, drop, label)
    check_declared(declared, names, label)
    wanted = set(declared or ())

    def columns() -> Iterator[list[Column]]:
        read = _parquet_batches(path, list(names)) if parquet else _feather_batches(path, keep)
        try:
            yield from _read_columns(read, range(len(keep)), names, wanted)
        except (pyarrow.ArrowException, OSError):
            raise columnar_refusal(label, kind) from None

    kinds = [schema.field(i).type for i in keep]
    found = _discrete(names, kinds, wanted)
    origin = Origin(label, in_file=True)
    return Batches(names, columns, origin, discrete=found, declared=frozenset(wanted))


def _read_columns(
    batches: Iterator[Any], keep: Sequence[int], names: Sequence[str], declared: set[str]
) -> Iterator[list[Column]]:
    import pyarrow

    for batch in batches:
        table = pyarrow.Table.from_batches([batch]) if isinstance(batch, pyarrow.RecordBatch) else batch
        yield [batch_column(table.column(i), name in declared) for i, name in zip(keep, names, strict=True)]


def _discrete(names: Sequence[str], kinds: Sequence[Any], declared: set[str]) -> tuple[bool, ...]:
    return tuple(name in declared or not is_number(kind) for name, kind in zip(names, kinds, strict=True))


def _parquet_file(path: Path) -> Any:
    from pyarrow import parquet

    # page by page through a buffer: a file may be one row group
    return parquet.ParquetFile(path, memory_map=False, pre_buffer=False, buffer_size=1 << 20)


def _parquet_batches(path: Path, columns: list[str]) -> Iterator[Any]:
    with _parquet_file(path) as file:
        yield from file.iter_batches(_ROWS, columns=columns)


def _feather_schema(path: Path) -> Any:
    import pyarrow

    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        return file.schema


def _feather_batches(path: Path, keep: Sequence[int]) -> Iterator[Any]:
    import pyarrow

    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        for number in range(file.num_record_batches):
            batch = pyarrow.Table.from_batches([file.get_batch(number)]).select(list(keep))
            for start in range(0, batch.num_rows, _ROWS):
                yield batch.slice(start, _ROWS)


def _check_there(path: Path) -> None:
    if not path.is_file():
        read_bytes_file(path)  # says why not
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty")


def _text(
    path: Path,
    separator: str | None,
    missing_marker: str | None,
    drop: Sequence[str],
    declared: tuple[str, ...] | None,
) -> Batches:
    label = str(path)
    _check_there(path)
    head, whole = _head(path)
    layout = read_text(head, label, separator, missing_marker)
    keep, names = kept_columns(layout.names, drop, label)
    check_declared(declared, names, label)
    wanted = set(declared or ())
    discrete = _discrete(names, [layout.arrow.schema.field(i).type for i in keep], wanted)
    if whole:
        origin = Origin(label, layout.row_name, in_file=True)
        return Batches(
            names,
            lambda: _read_columns(iter([layout.arrow]), keep, names, wanted),
            origin,
            discrete=discrete,
            declared=frozenset(wanted),
        )
    return _long_text(path, layout, keep, names, wanted, discrete)


def _head(path: Path) -> tuple[bytes, bool]:
    """Give the first lines, and whether they are all there are."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        whole = not file.read(1)
    if whole:
        return head, True
    end = head.rfind(b"\n") + 1
    while end and head.count(b'"', 0, end) % 2:  # not within a quoted cell
        end = head.rfind(b"\n", 0, end - 1) + 1
    return head[: end or None], False


def _long_text(
    path: Path,
    layout: Any,
    keep: Sequence[int],
    names: tuple[str, ...],
    declared: set[str],
    discrete: tuple[bool, ...],
) -> Batches:
    import pyarrow

    label = str(path)
    lines = _Lines(path, layout.separator, layout.start)
    origin = Origin(label, lines.name_of, in_file=True)
    # the types of the first lines; further down, whole numbers may be fractions and empty cells numbers
    types = {
        field.name: pyarrow.float64() if is_number(field.type) else field.type
        for field in layout.arrow.schema
    }
    numbers = [i for i in keep if is_number(layout.arrow.schema.field(i).type)]

    def columns() -> Iterator[list[Column]]:
        try:
            yield from _read_columns(_text_batches(path, layout, types), keep, names, declared)
        except pyarrow.ArrowInvalid:
            of_numbers = [name for name, i in zip(names, keep, strict=True) if i in numbers]
            lines.refuse(label, of_numbers, numbers, declared, len(types), layout.nulls)
            raise DataError(
                f"{label} is not a table: its rows can't be told apart, or those below the first ones hold "
                "cells of another kind; check its quotes and its delimiter"
            ) from None

    return Batches(names, columns, origin, discrete=discrete, declared=frozenset(declared))


def _text_batches(path: Path, layout: Any, types: dict[str, Any]) -> Iterator[Any]:
    import pyarrow
    from pyarrow import csv as arrow_csv

    with pyarrow.OSFile(str(path)) as file:
        file.seek(layout.start)
        reader = arrow_csv.open_csv(
            file,
            read_options=arrow_csv.ReadOptions(column_names=list(types), block_size=_TEXT_BYTES),
            parse_options=arrow_csv.ParseOptions(delimiter=layout.separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=types,
                null_values=list(layout.nulls),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
            ),
        )
        with reader:
            for batch in reader:
                yield trimmed(pyarrow.Table.from_batches([batch]))


class _Lines:
    """The rows of a text file once more, by a reader that knows where it is."""

    def __init__(self, path: Path, separator: str, start: int) -> None:
        self.path, self.separator, self.start = path, separator, start

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Give the line and the cells of each row below the header."""
        with self.path.open("rb") as file:
            before = file.read(self.start).count(b"\n")
            text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
            reader = csv.reader(text, delimiter=self.separator)
            first = 1
            for cells in reader:
                if cells:
                    yield before + first, cells
                first = reader.line_num + 1

    def name_of(self, row: int) -> str:
        """Name the line of a row, counted from 0."""
        line, _ = next(islice(self.rows(), row, None), (0, []))
        return f"line {line}"

    def refuse(
        self,
        label: str,
        names: Sequence[str],
        keep: Sequence[int],
        declared: Collection[str],
        width: int,
        nulls: Sequence[str],
    ) -> None:
        """Raise for the first row that has too few or too many cells, or a cell that is no number."""
        for line, cells in self.rows():
            if len(cells) != width:
                count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
                raise DataError(
                    f"{label}, line {line}: {count} where the header has {width}; "
                    "give each line the same number"
                )
            for name, i in zip(names, keep, strict=True):
                cell = cells[i].strip()
                if cell in nulls or spells_number(cell):
                    continue
                if name in declared:
                    raise DataError(
                        f"{label}: column {name!r} begins with numbers and holds text ({cell!r} in line "
                        f"{line}); the first megabyte of a text file decides how it is read in one pass, so "
                        f"write it as Parquet, which says itself what is text, or leave {name!r} out (--drop)"
                    )
                origin = Origin(label, lambda _, line=line: f"line {line}", in_file=True)  # type: ignore[misc]
                check_refusals([name], [replace(TEXT, row=0, cell=repr(cell))], origin)
