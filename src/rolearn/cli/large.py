"""Files too large to hold in memory several times over: summed up in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["LARGE", "one_pass_over", "summed_up"]

LARGE = 1 << 28  # bytes: of a text file, or of the numbers of a Parquet file


def summed_up(
    data: str,
    delimiter: str | None,
    missing_marker: str | None,
    drop: Sequence[str],
    settings: Mapping[str, Any],
) -> type | None:
    """Give the statistics that a large file is summed up to; None where it isn't, or rows are needed."""
    from rolearn.data.batches import file_batches, table_bytes_of
    from rolearn.estimators.suited import suited_kind
    from rolearn.independence import Discrete, Gaussian

    needs_rows = settings["transform"] is not None or settings["degenerate"] != "error"
    if data == "-" or needs_rows or table_bytes_of(data) <= LARGE:
        return None
    found = file_batches(data, delimiter, missing_marker, drop, settings["discrete"])
    kind = suited_kind(settings["test"], found.discrete)
    if kind is Gaussian and any(found.discrete):
        return None  # two levels pass for numbers, more are refused: the table says which
    return None if settings["missing"] == "pairwise" and kind is not Discrete else kind


def one_pass_over(
    kind: Any,
    data: str,
    delimiter: str | None,
    missing_marker: str | None,
    drop: Sequence[str],
    settings: Mapping[str, Any],
    quiet: bool,
) -> Any:
    """Give the statistics of a file, with what was warned of as notes, and say that it isn't read as a whole.

    Raises
    ------
    DataError
        When the file can't be used.
    """
    from rolearn.cli.progress import progress_bar
    from rolearn.cli.streams import say
    from rolearn.independence import Discrete, Gaussian
    from rolearn.orders.progress import Progress
    from rolearn.runtime.errors import collected_warnings

    if not quiet:
        what = "distinct rows are counted" if kind is Discrete else "correlations are summed up"
        say(f"note: {data} is large; its {what} in one pass, and its rows aren't kept")
    options: dict[str, Any] = {} if kind is Gaussian else {"discrete": settings["discrete"]}
    if kind is Discrete and settings["test"] != "auto":
        options["test"] = settings["test"]
    with collected_warnings() as notes, progress_bar(quiet) as move:

        def tell(rows: int) -> None:
            if move is not None:
                move(Progress(f"reading, {rows:,} rows"))

        missing = settings["missing"]
        made = kind.from_file(data, delimiter, missing_marker, drop, missing, progress=tell, **options)
    made.notes = tuple(notes)
    return made
