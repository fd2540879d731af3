"""The tidy table of results: a file that has a whole row for each run done, whenever the work ends."""

from __future__ import annotations

import csv
import io
import math
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rolearn.benchmarks.judging import SCORES
from rolearn.runtime.errors import DataError

__all__ = ["COLUMNS", "KEY", "ResultFile", "Row", "key_of", "read_rows", "write_rows"]

KEY = ("problem", "at", "run", "method", "version")
COLUMNS = (
    "problem",
    "at",
    "run",
    "seed",
    "method",
    "version",
    "status",
    "variables",
    "rows",
    *SCORES,
    "seconds",
    "processor_seconds",
    "start_seconds",
    "peak_mb",
)

Row = dict[str, str]  # of the columns, as the file has them; what isn't there is empty


def key_of(row: Mapping[str, str]) -> tuple[str, ...]:
    """Tell rows apart."""
    return tuple(row[column] for column in KEY)


def as_text(value: object) -> str:
    """Write a cell; nothing for what isn't there."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def read_rows(path: Path) -> list[Row]:
    """Read what is whole of a file; none where there is no file.

    Raises
    ------
    DataError
        When it has other columns.
    """
    if not path.exists():
        return []
    text = path.read_bytes().decode("utf-8", errors="replace")
    whole = text[: text.rfind("\n") + 1]  # an interrupt may have left half a line
    lines = list(csv.reader(io.StringIO(whole)))
    if not lines:
        return []
    if tuple(lines[0]) != COLUMNS:
        raise DataError(f"{path} isn't a table of this version's benchmarks; move it away or give another -o")
    return [dict(zip(COLUMNS, line, strict=True)) for line in lines[1:] if len(line) == len(COLUMNS)]


def write_rows(path: Path, rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> None:
    """Write rows in one stroke, so that there is a whole file at any time."""
    beside = path.with_name(path.name + ".part")
    with open(beside, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(beside, path)


class ResultFile:
    """Rows in memory and in a file, by key; threads may add.

    Parameters
    ----------
    path : Path
        Read if there; half a row at its end is dropped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._rows = {key_of(row): row for row in read_rows(path)}
        write_rows(path, self._rows.values(), COLUMNS)

    def get(self, key: tuple[str, ...]) -> Row | None:
        """Give the row of a key."""
        return self._rows.get(key)

    def add(self, values: Mapping[str, object]) -> Row:
        """Put a row at the end of the file, and in the place of one of its key in memory."""
        row = {column: as_text(values.get(column)) for column in COLUMNS}
        text = io.StringIO()
        csv.DictWriter(text, COLUMNS, lineterminator="\n").writerow(row)
        with self._lock:
            with open(self.path, "ab") as file:
                file.write(text.getvalue().encode())
            self._rows[key_of(row)] = row
        return row

    def arrange(self, keys: Sequence[tuple[str, ...]]) -> None:
        """Write the file anew, each key once: those given first, in their order."""
        with self._lock:
            place = {key: number for number, key in enumerate(keys)}
            self._rows = dict(sorted(self._rows.items(), key=lambda item: place.get(item[0], len(place))))
            write_rows(self.path, self._rows.values(), COLUMNS)
