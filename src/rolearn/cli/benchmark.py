"""``rolearn benchmark``: the paper's experiments, with other methods beside ours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rolearn.cli.completion import benchmark_names, method_names

if TYPE_CHECKING:
    from rolearn.benchmarks.plans import Benchmark
    from rolearn.benchmarks.registry import Method
    from rolearn.benchmarks.rows import Row
    from rolearn.benchmarks.running import Results

__all__ = ["BENCHMARK_EXAMPLES", "benchmark"]

BENCHMARK_EXAMPLES = (
    "Examples: rolearn benchmark table1 --runs 2 --methods default,rol_hc; rolearn benchmark table2"
    " --methods default,flop,fcit --install -o results; rolearn benchmark weak --methods default,./mine.py"
)


def benchmark(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="table1, table2, dag-er, dag-networks, density, roc, runtime, mag-er, weak or scale.",
            autocompletion=benchmark_names,
        ),
    ],
    runs: Annotated[str, typer.Option(metavar="R", help="Runs of each problem.")] = "10",
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="By name, or files with methods of your own (.py); else a fitting choice.",
            autocompletion=method_names,
        ),
    ] = None,
    problems: Annotated[
        str | None, typer.Option(metavar="A,B", help="Some of the benchmark's problems.")
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where NAME.csv, .txt and .svg go.")
    ] = "benchmark-results",
    jobs: Annotated[
        str, typer.Option(metavar="N", help="Problems at once, -1 for all cores; 1 for honest seconds.")
    ] = "1",
    limit: Annotated[
        str, typer.Option(metavar="SECONDS", help="For a run of a peer; ours and FLOP have none.")
    ] = "60",
    slow_runs: Annotated[
        str, typer.Option(metavar="R", help="Runs of methods that take long, at most.")
    ] = "3",
    install: Annotated[
        bool, typer.Option("--install", help="Set up what the methods need, each apart.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
) -> int:
    """Run the paper's experiments, with other methods beside ours.

    Writes a row for each run as it comes to DIR/NAME.csv; what is there isn't run again, so that the same
    command goes on after an interrupt. Means go to stdout, and to NAME.txt and NAME.svg.
    """
    from rolearn.benchmarks import Runner, find_benchmark, find_methods
    from rolearn.cli.exits import ExitCode
    from rolearn.cli.interrupts import Phase
    from rolearn.cli.streams import say
    from rolearn.cli.values import seconds, threads, whole_number

    plan = find_benchmark(name)
    if problems is not None:
        plan = plan.only(_listed("--problems", problems))
    chosen = find_methods(plan.methods if methods is None else _listed("--methods", methods))
    n_runs = whole_number("--runs", runs, least=1)
    n_slow_runs = whole_number("--slow-runs", slow_runs, least=1)
    n_jobs, n_seconds = threads("--jobs", jobs), seconds("--limit", limit)
    folder = _folder(output)
    _prepare(chosen, install, quiet)
    interrupts = context.obj
    with _progress(quiet) as progress:
        interrupts.phase = Phase.SEARCHING
        runner = Runner(folder / f"{name}.csv", n_jobs, n_slow_runs, n_seconds, progress)
        results = runner.run(plan, chosen, n_runs)
        interrupts.phase = Phase.WRITING
    if not quiet:
        done = f"{len(results.rows)} of {results.n_wanted} rows are in {folder / f'{name}.csv'}"
        kept = f", {results.n_kept} of them from before" if results.n_kept else ""
        say(f"{done}{kept}" + ("; the same command goes on" if results.interrupted else ""))
    _show(plan, results, folder, quiet)
    return ExitCode.STOPPED if results.interrupted else ExitCode.DONE


def _listed(option: str, text: str) -> list[str]:
    from rolearn.runtime.errors import ParameterError

    names = [part.strip() for part in text.split(",") if part.strip()]
    if not names:
        raise ParameterError(f"{option} names none; give names with commas between them")
    return names


def _folder(path: str) -> Path:
    from rolearn.runtime.errors import ParameterError

    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as error:
        raise ParameterError(
            f"-o is {path!r}, where nothing can be written: {error.strerror or error}"
        ) from None
    return folder


def _prepare(methods: list[Method], install: bool, quiet: bool) -> None:
    """Set up environments that are asked for, and say which are missing."""
    from rolearn.benchmarks.registry import set_up
    from rolearn.cli.streams import say

    missing = {method.peer.name: method.peer for method in methods if not method.peer.installed}
    if install:
        for peer in missing.values():
            if not quiet:
                say(f"setting up {peer.name} in {peer.home}")
            set_up(peer)
    elif missing and not quiet:
        say(f"note: {', '.join(missing)}: not installed; --install sets up what is missing")


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int, Row], None] | None]:
    """Show a bar where stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def move(done: int, total: int, row: Row) -> None:
            at = f" {row['at']}" if row["at"] else ""
            said = f"{row['problem']}{at}, run {row['run']}, {row['method']}"
            bar.update(task, description=said, completed=done, total=total)

        yield move


def _show(plan: Benchmark, results: Results, folder: Path, quiet: bool) -> None:
    """Write means as text and as a figure, and the text to stdout."""
    from rolearn.benchmarks import figure, summary
    from rolearn.benchmarks.plans import structures
    from rolearn.benchmarks.problems import TABLE2
    from rolearn.benchmarks.rows import write_rows
    from rolearn.benchmarks.summary import aligned
    from rolearn.cli.files import save
    from rolearn.cli.streams import say, write_result
    from rolearn.runtime.errors import ParameterError

    if not results.rows:
        return
    text = summary(results.rows, plan.name)
    if plan.name == "table2":
        networks = structures([name for name in TABLE2 if any(case.problem == name for case in plan.cases)])
        heads = list(networks[0])
        write_rows(folder / "structures.csv", networks, heads)
        text += "\n\n" + aligned(heads, [[str(row[head]) for head in heads] for row in networks])
    save(str(folder / f"{plan.name}.txt"), text + "\n")
    try:
        save(str(folder / f"{plan.name}.svg"), figure(results.rows, plan))
    except ParameterError as error:  # no matplotlib, or nothing to show: the table is there
        if not quiet:
            say(f"note: no figure: {error}")
    write_result(text)
