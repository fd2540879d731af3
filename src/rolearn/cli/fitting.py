"""From a table to written results: what learn and demo share."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from rolearn.cli.cold_start import prepare_kernels
from rolearn.cli.exits import ExitCode
from rolearn.cli.progress import progress_bar
from rolearn.cli.streams import check_writable, output_format, say, shown_notes, write_result
from rolearn.data.table import Table
from rolearn.export import document_text, find_format, result_document
from rolearn.export.registry import write_text_file

__all__ = ["FORMATS", "check_outputs", "fit_and_write", "result_text"]

FORMATS = ("table", "json", "csv")


def check_outputs(outputs: Sequence[str], format: str | None) -> str:
    """Check before the search that all results can be written, and give the format of stdout.

    Raises
    ------
    ParameterError
        Naming the path or the format.
    """
    for path in outputs:
        find_format(path)
        check_writable(path)
    return output_format(format, FORMATS)


def fit_and_write(
    table: Table,
    reading: dict[str, Any],
    settings: dict[str, Any],
    outputs: Sequence[str],
    format: str,
    quiet: bool,
) -> int:
    """Fit a model to a table, read as `reading` says, and write it everywhere; give the exit code."""
    from rolearn.estimators import ROL

    started = time.perf_counter()
    with shown_notes(quiet) as notes:
        notes.extend(table.notes)
        if not quiet:
            for note in table.notes:
                say(f"note: {note}")
        prepare_kernels(quiet)
        with progress_bar(quiet) as progress:
            model = ROL(**settings, progress=progress).fit(table)
    seconds = time.perf_counter() - started
    document = result_document(model, notes, reading)
    for path in outputs:
        write_text_file(path, result_text(model, document, find_format(path).name))
    write_result(result_text(model, document, format))
    if not quiet:
        _say_summary(model, seconds)
    return ExitCode.STOPPED if model.stop_reason_.stopped_early else ExitCode.DONE


def result_text(model: Any, document: dict[str, Any], format: str) -> str:
    """Give a fitted model as text: its whole document in JSON, its graph alone in other formats."""
    if format == "json":
        return document_text(document)
    return find_format("", "txt" if format == "table" else format).write(model.graph_)


def _say_summary(model: Any, seconds: float) -> None:
    edges = model.graph_.n_edges
    count = "1 edge" if edges == 1 else f"{edges} edges"
    size = f"{model.n_features_in_} variables, {model.n_samples_:g} rows"
    say(f"{size}: {count} in {seconds:.2g} s; {model.stop_reason_}")
    if model.conflicts_:
        say(f"note: {len(model.conflicts_)} conflicts between separating sets; the JSON lists them")
