"""Delimited text: pyarrow reads it fast; where it stumbles, a second look says where and why."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rolearn.data.levels import spells_number
from rolearn.runtime.errors import DataError
from rolearn.runtime.names import string_names

__all__ = ["TextTable", "read_text", "trimmed"]

_MOST_ZEROS = 6  # after the point of a number that marks missing cells
_SEPARATORS = ",\t;|"
_MAGIC = (
    (b"PK\x03\x04", "is a zip or spreadsheet file; save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "is a spreadsheet file; save the table as CSV"),
    (b"\x1f\x8b", "is compressed; decompress it first"),
    (b"BZh", "is compressed; decompress it first"),
    (b"PAR1", "is a Parquet file; give its name the suffix .parquet"),
    (b"ARROW1", "is a Feather file; give its name the suffix .feather"),
    (codecs.BOM_UTF16_LE, "is encoded as UTF-16; save it as UTF-8"),
    (codecs.BOM_UTF16_BE, "is encoded as UTF-16; save it as UTF-8"),
)


@dataclass(frozen=True)
class TextTable:
    """A parsed text file.

    Attributes
    ----------
    names : tuple of str
        From the header line, unique and not empty.
    arrow : pyarrow.Table
        The columns, in the order of `names`.
    row_name : callable
        Names the line of a 0-based data row.
    notes : tuple of str
        What was decided while reading.
    separator : str
    start : int
        The offset in the file of the byte after the header line.
    nulls : tuple of str
        The spellings of a missing cell.
    """

    names: tuple[str, ...]
    arrow: Any
    row_name: Callable[[int], str]
    notes: tuple[str, ...]
    separator: str
    start: int
    nulls: tuple[str, ...]


def read_text(content: bytes, label: str, separator: str | None, missing_marker: str | None) -> TextTable:
    """Parse delimited text with a header line.

    Parameters
    ----------
    content : bytes
        UTF-8, with or without a byte order mark.
    label : str
        The file, as errors name it.
    separator : str or None
        One character; None looks at the header line.
    missing_marker : str or None
        One more spelling of a missing cell.

    Raises
    ------
    DataError
        When the content isn't such a text; names the line.
    """
    mark = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
    content = _plain_lines(content, label)
    separator = separator or _guess_separator(content)
    header, start = _header(content, separator)
    _check_header_is_names(header, label)
    body = _body_of(content, separator, start)
    first_row = next(body(), (0, []))[1]
    if not first_row:
        raise DataError(f"{label} holds a header line and no rows below it")
    header = _settle_trailing_delimiter(header, first_row)
    names = tuple(name.strip() for name in header)
    nulls = _null_spellings(missing_marker)
    arrow = _parse(content[start:], separator, len(names), nulls)
    if arrow is None:
        raise DataError(_ragged_sentence(body, label, len(header)))
    names, notes = _settle_names(names, arrow, label)
    arrow = trimmed(arrow)
    row_name = lambda row: f"line {_line_of_row(body, row)}"
    return TextTable(names, arrow, row_name, notes, separator, mark + start, nulls)


def _plain_lines(content: bytes, label: str) -> bytes:
    """Check that the bytes are UTF-8 text, and give them without byte order mark."""
    for magic, sentence in _MAGIC:
        if content.startswith(magic):
            raise DataError(f"{label} {sentence}")
    if b"\0" in content:
        raise DataError(f"{label} is not a text file; give a CSV, TSV, Parquet or Feather file")
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{label}, line {line}: the text is not UTF-8; save the file as UTF-8") from None
    if not content.strip():
        raise DataError(f"{label} is empty; give a header line with column names and rows of numbers")
    if b"\r" in content and b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return content


def _guess_separator(content: bytes) -> str:
    """Take the separator that splits the first line into most cells."""
    line = next(line for line in io.BytesIO(content) if line.strip()).decode()
    counts = {s: len(next(csv.reader([line], delimiter=s), [])) for s in _SEPARATORS}
    return max(_SEPARATORS, key=counts.__getitem__)


def _header(content: bytes, separator: str) -> tuple[list[str], int]:
    """Give the header's cells and the offset of the byte after it."""
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for line in io.BytesIO(content):
            read += len(line)
            yield line.decode()

    for cells in csv.reader(lines(), delimiter=separator):
        if any(cell.strip() for cell in cells):
            return cells, read
    return [], read


def _check_header_is_names(header: list[str], label: str) -> None:
    """Refuse a first row of data; integer labels such as 0, 1, 2 are names as long as they increase."""
    filled = [cell.strip() for cell in header if cell.strip()]
    if not all(spells_number(cell) for cell in filled):
        return
    labels = [int(cell) for cell in filled if cell.isdecimal()]
    if len(labels) < len(filled) or labels != sorted(set(labels)):
        raise DataError(f"{label}: the first line holds numbers; put a line of column names above it")


Body = Callable[[], Iterator[tuple[int, list[str]]]]


def _body_of(content: bytes, separator: str, start: int) -> Body:
    """Make an iterator, as often as needed, over (line number, cells) of the rows below the header."""
    lines_before = content.count(b"\n", 0, start)

    def rows() -> Iterator[tuple[int, list[str]]]:
        text = io.TextIOWrapper(io.BytesIO(content[start:]), encoding="utf-8", newline="")
        reader = csv.reader(text, delimiter=separator)
        first = 1
        for cells in reader:
            if cells:
                yield lines_before + first, cells
            first = reader.line_num + 1

    return rows


def _settle_trailing_delimiter(header: list[str], first_row: list[str]) -> list[str]:
    """Give header and rows the same number of cells where only one of them ends in a delimiter."""
    surplus = len(first_row) - len(header)
    if surplus == -1 and not header[-1].strip():
        return header[:-1]
    if surplus == 1 and not first_row[-1].strip():
        return [*header, ""]
    return header


def _null_spellings(missing_marker: str | None) -> tuple[str, ...]:
    from pyarrow import csv as arrow_csv

    usual = arrow_csv.ConvertOptions().null_values
    return (*usual, *_spellings_of(missing_marker)) if missing_marker else tuple(usual)


def _spellings_of(marker: str) -> tuple[str, ...]:
    """Give the marker and, where it is a number, that with and without zeros after the point."""
    whole, _, zeros = marker.partition(".")
    if not whole.lstrip("+-").isdigit() or zeros.strip("0"):
        return (marker,)
    return tuple(
        dict.fromkeys([marker, whole, *(f"{whole}.{'0' * count}" for count in range(_MOST_ZEROS + 1))])
    )


def _parse(body: bytes, separator: str, width: int, nulls: Sequence[str]) -> Any:
    """Parse rows of `width` cells with pyarrow; None when some row has another number of cells."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    try:
        return arrow_csv.read_csv(
            pyarrow.BufferReader(body),
            read_options=arrow_csv.ReadOptions(column_names=[str(i) for i in range(width)]),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=b'"' in body),
            convert_options=arrow_csv.ConvertOptions(
                null_values=list(nulls), strings_can_be_null=True, quoted_strings_can_be_null=True
            ),
        )
    except pyarrow.ArrowInvalid:
        return None


def trimmed(arrow: Any) -> Any:
    """Take the spaces around text away, which are no part of a level; what is nothing else is missing."""
    import pyarrow
    from pyarrow import compute

    for i, field in enumerate(arrow.schema):
        if pyarrow.types.is_string(field.type):
            plain = compute.utf8_trim_whitespace(arrow.column(i))
            plain = compute.if_else(compute.equal(plain, ""), pyarrow.scalar(None, pyarrow.string()), plain)
            arrow = arrow.set_column(i, field.name, plain)
    return arrow


def _ragged_sentence(body: Body, label: str, width: int) -> str:
    """Find the first line that has too few or too many cells."""
    for line, cells in body():
        if len(cells) != width:
            count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            return (
                f"{label}, line {line}: {count} where the header has {width}; give each line the same number"
            )
    return f"{label} is not a table: its rows can't be told apart; check its quotes and its delimiter"


def _settle_names(names: tuple[str, ...], arrow: Any, label: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Refuse empty and repeated names; an unnamed, empty last column is only a trailing delimiter."""
    notes: tuple[str, ...] = ()
    if not names[-1] and arrow.column(len(names) - 1).null_count == arrow.num_rows:
        names = names[:-1]
        notes = (f"the lines of {label} end in a delimiter; the empty column behind it is left out",)
    unnamed = [i for i, name in enumerate(names) if not name]
    if unnamed:
        hint = "" if unnamed[0] else " (an index that pandas wrote? save with index=False)"
        raise DataError(f"{label}: column {unnamed[0] + 1} has no name in the header line; name it{hint}")
    try:
        string_names(names, DataError)
    except DataError as error:
        raise DataError(f"{label}: {error}") from None
    return names, notes


def _line_of_row(body: Body, row: int) -> int:
    line, _ = next(islice(body(), row, None), (0, []))
    return line
