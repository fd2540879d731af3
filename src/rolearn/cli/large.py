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
) -> bool:
    """Whether a file is to be summed up: it is large, and correlations of numbers are all that is needed."""
    from rolearn.data.batches import file_batches, table_bytes_of

    needs_rows = (
        settings["transform"] is not None
        or settings["test"] not in ("auto", "fisher-z")
        or settings["discrete"] != "auto"
        or settings["missing"] == "pairwise"
        or settings["degenerate"] != "error"
    )
    if data == "-" or needs_rows or table_bytes_of(data) <= LARGE:
        return False
    return file_batches(data, delimiter, missing_marker, drop).all_numbers


def one_pass_over(
    data: str,
    delimiter: str | None,
    missing_marker: str | None,
    drop: Sequence[str],
    missing: str,
    quiet: bool,
) -> Any:
    """Give the correlations of a file, and say that it isn't read as a whole.

    Raises
    ------
    DataError
        When the file can't be used.
    """
    from rolearn.cli.progress import progress_bar
    from rolearn.cli.streams import say
    from rolearn.independence import Gaussian
    from rolearn.orders.progress import Progress

    if not quiet:
        say(f"note: {data} is large; its correlations are summed up in one pass, and its rows aren't kept")
    with progress_bar(quiet) as move:

        def tell(rows: int) -> None:
            if move is not None:
                move(Progress(f"reading, {rows:,} rows"))

        return Gaussian.from_file(data, delimiter, missing_marker, drop, missing, progress=tell)
