"""Rows of figures: to a CSV and back, and as a table in a terminal."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from rolearn.benchmarks.rows import write_rows
from rolearn.runtime.alignment import aligned

RESULTS = Path(__file__).resolve().parent / "results"


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read rows, as text; none where there is no file."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: Sequence[dict], columns: Sequence[str]) -> None:
    """Write rows in one stroke, so that there is a whole file at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_rows(path, rows, columns)


def show_and_write(rows: Sequence[dict], path: Path | None) -> None:
    """Print rows as a table, and write them where there is a path."""
    columns = list(rows[0])
    print(as_table(columns, [[str(row[column]) for column in columns] for row in rows]))
    if path is not None:
        write_csv(path, rows, columns)


def number(value: float | None, digits: int) -> str:
    """Write a number; nothing for one that isn't there."""
    return "" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def as_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align columns, the first to the left, the others to the right."""
    return aligned([columns, *rows], right=range(1, len(columns)))
