"""``rolearn learn`` with several levels or penalties: a graph for each, and what changes between them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rolearn.cli.cold_start import prepare_kernels
from rolearn.cli.exits import ExitCode
from rolearn.cli.files import check_writable, graph_format, save, save_graph
from rolearn.cli.fitting import import_for_the_search
from rolearn.cli.interrupts import Interrupts, Phase
from rolearn.cli.progress import progress_bar
from rolearn.cli.streams import output_format, say, shown_notes, write_everywhere, write_result
from rolearn.data.table import Table
from rolearn.export.registry import find_format
from rolearn.export.result import result_text
from rolearn.export.sweep import sweep_document
from rolearn.independence import Statistics
from rolearn.runtime.errors import ParameterError

__all__ = ["Grid", "sweep_and_write"]

_FORMATS = ("table", "json")


@dataclass(frozen=True)
class Grid:
    """The levels and penalties to learn at; without penalties that of the cost."""

    alphas: Sequence[float]
    penalties: Sequence[float] | None

    @property
    def is_one(self) -> bool:
        """Whether there is one setting, whose graph is the result."""
        return len(self.alphas) * len(self.penalties or [0]) == 1

    def path(self, path: str, alpha: float, penalty: float | None) -> str:
        """Give the file of one setting: what differs between them goes before the suffix."""
        told = f"_alpha{_told(alpha)}" if len(self.alphas) > 1 else ""
        if penalty is not None and len(self.penalties or ()) > 1:
            told += f"_penalty{_told(penalty)}"
        name = Path(path).name
        suffix = max((s for s in find_format(path).suffixes if name.lower().endswith(s)), key=len)
        stem = name[: len(name) - len(suffix)]
        return str(Path(path).with_name(stem + told + name[len(stem) :]))

    def files(self, path: str) -> list[str]:
        """List the files that a path stands for: JSON holds all settings."""
        if graph_format("-o", path) == "json":
            return [path]
        penalties: Sequence[float | None] = self.penalties or [None]
        return [self.path(path, a, b) for a in self.alphas for b in penalties]

    def check_outputs(self, outputs: Sequence[str], format: str | None) -> str:
        """Check before the search that all results can be written, and give the format of stdout.

        Raises
        ------
        ParameterError
            Naming the path or the format.
        """
        for path in outputs:
            if path.lower().endswith(".html"):
                raise ParameterError(
                    f"-o is {path!r}, and a report page shows one graph; give --alpha and --penalty one "
                    "value each, or -o files of graphs, which are written one a setting"
                )
            for file in self.files(path):
                check_writable(file)
        return output_format(format, _FORMATS)


def _told(value: float) -> str:
    """Write a setting so that no other reads alike."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


@dataclass(frozen=True)
class _Result:
    """A sweep as text, its JSON made once and only where it is asked for: it can be large."""

    sweep: Any
    grid: Grid
    settings: dict[str, Any]
    notes: Sequence[str]
    data: dict[str, Any]

    @cached_property
    def json(self) -> str:
        return result_text(sweep_document(self.sweep, self.settings, self.notes, self.data))

    def text(self, format: str) -> str:
        """Give the whole document in JSON, else the table of settings."""
        return self.json if format == "json" else f"{self.sweep}\n"

    def save(self, path: str) -> None:
        """Write all to a JSON file, else a graph for each setting."""
        format = graph_format("-o", path)
        if format == "json":
            save(path, self.json)
            return
        for one in self.sweep.table():
            graph = self.sweep.graph(one.alpha, one.penalty)
            save_graph(self.grid.path(path, one.alpha, one.penalty), graph, format)


def sweep_and_write(
    table: Table | Statistics,
    grid: Grid,
    reading: dict[str, Any],
    settings: dict[str, Any],
    outputs: Sequence[str],
    format: str,
    quiet: bool,
    interrupts: Interrupts,
) -> int:
    """Learn at each setting and write the results everywhere; give the exit code.

    Raises
    ------
    OutputError
        When a result couldn't be written somewhere; it is by then everywhere else.
    """
    from rolearn.confidence import sweep

    started = time.perf_counter()
    with shown_notes(quiet, table.notes) as notes:
        prepare_kernels(quiet)
        with progress_bar(quiet) as progress:
            import_for_the_search(settings["search"])
            interrupts.phase = Phase.SEARCHING
            common = {name: value for name, value in settings.items() if name != "alpha"}
            found = sweep(table, grid.alphas, grid.penalties, **common, progress=progress)
            interrupts.phase = Phase.WRITING
    elapsed = time.perf_counter() - started
    result = _Result(found, grid, common, notes, {"rows": _n_rows(table), **reading})
    write_everywhere(
        [*(partial(result.save, path) for path in outputs), lambda: write_result(result.text(format))]
    )
    if not quiet:
        n = len(found.table())
        size = f"{len(found.feature_names_in_)} variables, {_n_rows(table):g} rows"
        say(f"{size}: {n} of {n + found.n_stopped_} settings in {elapsed:.2g} s")
        if settings["knowledge"] is not None:
            say("note: the graphs have no marks that knowledge forces; one at a time has them")
        if found.stop_reason_ is not None:
            say(f"note: {str(found.stop_reason_).partition(';')[0]}; the settings done by then are written")
    return ExitCode.STOPPED if found.stop_reason_ is not None or interrupts.count else ExitCode.DONE


def _n_rows(table: Table | Statistics) -> float:
    return table.n_rows if isinstance(table, Table) else float(table.n_samples or 0)
