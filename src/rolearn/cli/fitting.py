"""From a table to written results: what learn and demo share."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from rolearn.cli.cold_start import prepare_kernels
from rolearn.cli.exits import ExitCode
from rolearn.cli.files import check_writable, graph_format, save, save_graph
from rolearn.cli.interrupts import Interrupts, Phase
from rolearn.cli.progress import progress_bar
from rolearn.cli.streams import output_format, say, shown_notes, write_everywhere, write_result
from rolearn.data.declaration import kinds_sentence
from rolearn.data.table import Table
from rolearn.export import FORMATS as GRAPH_FORMATS
from rolearn.export import graph_text, result_document
from rolearn.export.frequencies import frequency_text
from rolearn.export.registry import check_names
from rolearn.export.result import result_text
from rolearn.graphs.marks import Mark
from rolearn.independence import Statistics

__all__ = ["FORMATS", "check_outputs", "fit_and_write", "import_for_the_search"]

FORMATS = ("table", *(known.name for known in GRAPH_FORMATS if known.name != "txt" and not known.library))
REPORTS = (".html",)  # written of a fitted model, not of a graph

_UNDIRECTED = {
    "pag": "all marks are circles, so directions stay open; expected where no unshielded collider is found",
    "cpdag": "no edge has a direction; expected where no unshielded collider is found",
}

_WITH = "the graph has the marks that knowledge forces; the JSON has the one without them, too"
_WITHOUT = (
    "frequencies are of the graph without the marks that knowledge forces; files (-o) have it with them"
)


def check_outputs(outputs: Sequence[str], format: str | None) -> str:
    """Check before the search that all results can be written, and give the format of stdout.

    Raises
    ------
    ParameterError
        Naming the path or the format.
    """
    for path in outputs:
        graph_format("-o", path, REPORTS)
        check_writable(path)
    return output_format(format, FORMATS)


@dataclass(frozen=True)
class _Result:
    """A fitted model as text, its JSON made once and only where it is asked for: it can be large."""

    model: Any
    notes: Sequence[str]
    reading: dict[str, Any]
    bootstrap: Any = None

    @cached_property
    def json(self) -> str:
        # how to repeat it is for the page: the document is the same with -q and whatever else is written
        reading = {key: value for key, value in self.reading.items() if key not in ("command", "loader")}
        return result_text(result_document(self.model, self.notes, reading, self.bootstrap))

    def text(self, format: str) -> str:
        """Give the whole document in JSON, the graph alone in other formats."""
        if format == "json":
            return self.json
        if format in ("table", "txt") and self.bootstrap is not None:
            # frequencies are of the graph that knowledge adds no marks to
            return frequency_text(self.model.graph_, self.bootstrap) + "\n"
        return graph_text(_shown(self.model), "txt" if format == "table" else format)

    def save(self, path: str) -> None:
        """Write to a file what its suffix asks for."""
        format = graph_format("-o", path, REPORTS)
        if format == "json":
            save(path, self.json)
        elif format == "html":
            from rolearn.report import report_page

            save(path, report_page(self.model, self.notes, self.reading, self.bootstrap))
        else:
            save_graph(path, _shown(self.model), format)


def fit_and_write(
    table: Table | Statistics,
    reading: dict[str, Any],
    settings: dict[str, Any],
    outputs: Sequence[str],
    format: str,
    quiet: bool,
    interrupts: Interrupts,
    resampling: tuple[int, str] | None = None,
    bar: bool = True,
) -> int:
    """Fit a model to a table, read as `reading` says, and write it everywhere; give the exit code.

    With `resampling`, a number and a kind, also to so many resamples of its rows. Without a `bar` where the
    fit is done before one is imported.

    Raises
    ------
    OutputError
        When a result couldn't be written somewhere; it is by then everywhere else.
    """
    from rolearn.estimators import ROL

    started = time.perf_counter()
    if format != "table":
        check_names(table.names, format)
    with shown_notes(quiet, table.notes) as notes:
        prepare_kernels(quiet)
        with progress_bar(quiet or not bar) as progress:
            import_for_the_search(settings.get("search"))
            if resampling is not None:
                from rolearn.confidence import bootstrap
            interrupts.phase = Phase.SEARCHING
            found = None
            if resampling is None:
                model = ROL(**settings, progress=progress).fit(table)
            else:
                found = bootstrap(table, *resampling, **settings, progress=progress)
                model = found.model_
            interrupts.phase = Phase.WRITING
    elapsed = time.perf_counter() - started
    result = _Result(model, notes, reading, found)
    write_everywhere(
        [*(partial(result.save, path) for path in outputs), lambda: write_result(result.text(format))]
    )
    stopped = model.stop_reason_.stopped_early or (found is not None and found.stop_reason_ is not None)
    if not quiet:
        _say_kinds(model, table)
        _say_summary(model, elapsed, frequencies=found is not None and format == "table")
        if found is not None:
            say(f"{found.n_fitted_} of {found.n_resamples_} resamples fitted ({found.resample_})")
        if interrupts.count and not stopped:
            say("note: the search was done when it was interrupted; the result is complete")
    return ExitCode.STOPPED if stopped or interrupts.count else ExitCode.DONE


def import_for_the_search(search: str | None) -> None:
    """Import what each search would, since extension modules don't take a Ctrl-C well in the middle of it."""
    import_module("threadpoolctl")
    if search == "policy-gradient":
        with suppress(ImportError):  # the fit says what is missing
            import_module("torch")


def _say_kinds(model: Any, table: Table | Statistics) -> None:
    """Say how columns were read, where they aren't all numbers."""
    if "discrete" not in model.column_kinds_.values():
        return
    if isinstance(table, Table):
        counts = table.n_levels.tolist()
    else:
        counts = [len(levels or ()) for levels in table.levels]
    say(kinds_sentence(model.column_kinds_, dict(zip(table.names, counts, strict=True))))


def _shown(model: Any) -> Any:
    """Give the graph with what background knowledge adds, where there is some."""
    return getattr(model, "restricted_graph_", model.graph_)


def _say_summary(model: Any, elapsed: float, frequencies: bool = False) -> None:
    graph = _shown(model)
    size = f"{model.n_features_in_} variables, {model.n_samples_:g} rows"
    say(f"{size}: {_count(graph.n_edges, 'edge')} in {elapsed:.2g} s; {model.stop_reason_}")
    if graph.restricted:
        say(f"note: {_WITHOUT if frequencies else _WITH}")
    if model.lower_bound_ is not None and not model.optimal_:
        say(f"note: the order costs {model.cost_:.1f}, and none is cheaper than {model.lower_bound_:.1f}")
    if model.conflicts_:
        listed = "it" if len(model.conflicts_) == 1 else "them"
        count = _count(len(model.conflicts_), "conflict")
        say(f"note: {count} between separating sets; the JSON lists {listed}")
    if graph.n_edges and not (graph.marks == Mark.ARROWHEAD).any():
        say(f"note: {_UNDIRECTED[graph.kind]}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
