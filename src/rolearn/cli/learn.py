"""``rolearn learn``: from a file to a graph."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rolearn.cli.completion import among

__all__ = ["LEARN_EXAMPLES", "learn"]

LEARN_EXAMPLES = """\b
Examples:
  rolearn learn data.csv -o report.html
  rolearn learn data.parquet -o graph.json --drop id,date --transform rank
  cut -d, -f2- data.csv | rolearn learn - --format csv > edges.csv
"""


_SEARCHES = ("hill-climb", "exact", "recursive", "policy-gradient")
_COSTS = ("auto", "bic", "neighbors")
_FINDERS = ("auto", "rsl", "l-marvel", "mbcs")
_TESTS = ("auto", "fisher-z", "degenerate-gaussian", "g-square", "chi-square")
_HELP_OF_TEST = "auto (by the kinds of columns), fisher-z, degenerate-gaussian, g-square or chi-square."
_TRANSFORMS = ("rank",)
_MISSING = ("error", "listwise", "pairwise")
_DEGENERATE = ("error", "drop", "isolate")
_RESAMPLES = ("half", "bootstrap")


def learn(
    context: typer.Context,
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, TSV, Parquet, Feather, or - for stdin.")],
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write here too: .html .json .svg ...; repeatable.",
        ),
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="hill-climb, exact, recursive or policy-gradient.",
            show_default=False,  # the first
            autocompletion=among(_SEARCHES),
        ),
    ] = "hill-climb",
    memory: Annotated[
        str | None, typer.Option(metavar="GB", help="What --search exact may take; 4 if not given.")
    ] = None,
    cost: Annotated[
        str,
        typer.Option(metavar="NAME", help="auto, bic or neighbors.", autocompletion=among(_COSTS)),
    ] = "auto",
    finder: Annotated[
        str,
        typer.Option(metavar="NAME", help="auto, rsl, l-marvel or mbcs.", autocompletion=among(_FINDERS)),
    ] = "auto",
    test: Annotated[
        str, typer.Option(metavar="NAME", help=_HELP_OF_TEST, autocompletion=among(_TESTS))
    ] = "auto",
    alpha: Annotated[str, typer.Option(metavar="A", help="Level of the tests; A,B,... for each.")] = "0.05",
    penalty: Annotated[
        str | None,
        typer.Option(metavar="P", help="Of an edge (bic), times log n; P,Q,... for each."),
    ] = None,
    no_latents: Annotated[
        bool, typer.Option("--no-latents", help="Every cause was measured: learn a CPDAG.")
    ] = False,
    no_legal: Annotated[bool, typer.Option("--no-legal", help="Let the result be an invalid PAG.")] = False,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLS", help="Columns to leave out, by comma.")
    ] = None,
    discrete: Annotated[
        list[str] | None,
        typer.Option(metavar="COLS", help="Numbers that stand for categories, by comma."),
    ] = None,
    missing: Annotated[
        str,
        typer.Option(metavar="HOW", help="error, listwise or pairwise.", autocompletion=among(_MISSING)),
    ] = "error",
    missing_marker: Annotated[
        str | None, typer.Option(metavar="M", help="What a missing cell reads, besides NA.")
    ] = None,
    delimiter: Annotated[str | None, typer.Option(metavar="D", help="One character, or tab.")] = None,
    transform: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="rank: ranks to normal, for skewed columns.",
            autocompletion=among(_TRANSFORMS),
        ),
    ] = None,
    degenerate: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="Bad columns: error, drop, isolate.", autocompletion=among(_DEGENERATE)
        ),
    ] = "error",
    knowledge: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Tiers, forbidden, required: YAML, Tetrad, CSV."),
    ] = None,
    bootstrap: Annotated[
        str | None, typer.Option(metavar="N", help="Learn from N resamples too, to see what recurs.")
    ] = None,
    resample: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="half (of the rows) or bootstrap.", autocompletion=among(_RESAMPLES)
        ),
    ] = "half",
    jobs: Annotated[str | None, typer.Option(metavar="N", help="Threads; the result is the same.")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Of the random starts.")] = "0",
    time_limit: Annotated[
        str | None, typer.Option(metavar="SECONDS", help="Stop then, with the best so far.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="F", help="On stdout: table, json, csv, or one of convert's.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
) -> int:
    """Learn a partial ancestral graph from a table."""
    from rolearn.cli import values
    from rolearn.cli.fitting import check_outputs, fit_and_write
    from rolearn.cli.large import one_pass_over, summed_up
    from rolearn.cli.repeat import command_line
    from rolearn.cli.sweeping import Grid, sweep_and_write
    from rolearn.data.readers import read_table

    penalties = None if penalty is None else values.listed("--penalty", penalty, values.penalty)
    grid = Grid(values.listed("--alpha", alpha, values.level), penalties)
    settings = {
        "search": chosen_search(search, memory),
        "cost": chosen_cost(cost, finder),
        "test": values.check_choice("--test", test, _TESTS),
        "alpha": grid.alphas[0],
        "latents": not no_latents,
        "legal": not no_legal,
        "knowledge": knowledge,
        "transform": transform and values.check_choice("--transform", transform, _TRANSFORMS),
        "discrete": "auto" if discrete is None else split_columns(discrete),
        "missing": values.check_choice("--missing", missing, _MISSING),
        "degenerate": values.check_choice("--degenerate", degenerate, _DEGENERATE),
        "n_jobs": None if jobs is None else values.threads("--jobs", jobs),
        "random_state": values.whole_number("--seed", seed, least=0),
        "time_limit": None if time_limit is None else values.seconds("--time-limit", time_limit),
    }
    resampling = chosen_resampling(bootstrap, resample)
    outputs = list(output or [])
    _check_together(grid, cost, finder, resampling)
    shown_as = check_outputs(outputs, format) if grid.is_one else grid.check_outputs(outputs, format)
    _check_data(data, outputs if grid.is_one else [file for path in outputs for file in grid.files(path)])
    left_out = split_columns(drop or [])
    table: Any
    kind = summed_up(data, delimiter, missing_marker, left_out, settings) if resampling is None else None
    if kind is not None:
        table = one_pass_over(kind, data, delimiter, missing_marker, left_out, settings, quiet)
        settings.update(missing="error", discrete="auto")  # what is summed up has no cells any more
    else:
        table = read_table(
            data, delimiter, missing_marker, left_out, settings["discrete"], settings["missing"]
        )
    reading = {"source": data, "delimiter": delimiter, "missing_marker": missing_marker, "drop": left_out}
    reading["command"] = command_line(context)
    if not grid.is_one:
        return sweep_and_write(table, grid, reading, settings, outputs, shown_as, quiet, context.obj)
    if grid.penalties is not None:
        settings["cost"] = cost_with_penalty(grid.penalties[0], search, settings["test"], table)
    return fit_and_write(table, reading, settings, outputs, shown_as, quiet, context.obj, resampling)


def cost_with_penalty(penalty: float, search: str, test: str, table: Any) -> Any:
    """Give the bic cost as it would be for this search, test and table, with a penalty."""
    from rolearn.independence import Gaussian
    from rolearn.orders.bic import BIC

    kinds = getattr(table, "kinds", None)  # what is summed up has none
    plain = test == "auto" and kinds is not None and not any(kind.is_discrete for kind in kinds)
    numbers = isinstance(table, Gaussian) or test == "fisher-z" or plain
    return BIC(penalty, "exact" if search == "exact" and numbers else "grow-shrink")


def _check_together(grid: Any, cost: str, finder: str, resampling: tuple[int, str] | None) -> None:
    from rolearn.runtime.errors import ParameterError

    if grid.penalties is not None and (cost == "neighbors" or finder != "auto"):
        raise ParameterError(
            "--penalty is for the bic cost, and this counts neighbors; leave one of them out"
        )
    if resampling is not None and not grid.is_one:
        raise ParameterError(
            "--bootstrap learns at one level and penalty; give --alpha and --penalty one value each, or "
            "leave --bootstrap out"
        )


def chosen_search(search: str, memory: str | None) -> Any:
    """Give the search that ROL takes; memory is for exact search alone.

    Raises
    ------
    ParameterError
        When there is no such search, or the memory is no number or given for another search.
    """
    from rolearn.cli import values
    from rolearn.runtime.errors import ParameterError

    values.check_choice("--search", search, _SEARCHES)
    if memory is None:
        return search
    if search != "exact":
        raise ParameterError(f"--memory is for --search exact, and the search is {search}")
    from rolearn.estimators import Exact

    return Exact(memory=values.gigabytes("--memory", memory))


def chosen_cost(cost: str, finder: str) -> Any:
    """Give the cost that ROL takes; a finder makes the cost that counts the neighbors it finds.

    Raises
    ------
    ParameterError
        When there is no such cost or finder.
    """
    from rolearn.cli.values import check_choice

    check_choice("--cost", cost, _COSTS)
    if check_choice("--finder", finder, _FINDERS) == "auto":
        return cost
    from rolearn.estimators import NeighborCount

    return NeighborCount(finder=finder)


def chosen_resampling(number: str | None, resample: str) -> tuple[int, str] | None:
    """Give how many resamples of which kind; None where there are to be none.

    Raises
    ------
    ParameterError
        When the number or the kind isn't allowed.
    """
    from rolearn.cli import values

    values.check_choice("--resample", resample, _RESAMPLES)
    return None if number is None else (values.whole_number("--bootstrap", number, least=1), resample)


def _check_data(data: str, outputs: list[str]) -> None:
    """Refuse to write over the table, and to read JSON, which would pass for a strange kind of CSV."""
    import sys
    from pathlib import Path

    from rolearn.cli.files import same_file
    from rolearn.runtime.errors import DataError, ParameterError

    if data == "-" and sys.stdin is None:  # as with <&-
        raise DataError("standard input is closed")
    path = Path(data)
    if data == "-" or not path.is_file():
        return
    for output in outputs:
        if same_file(output, data):
            raise ParameterError(f"-o {output} is the table itself; give another file")
    if path.suffix.lower() not in (".json", ".jsonl", ".ndjson"):
        return
    with path.open("rb") as file:
        start = file.read(64)
    if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        raise DataError(
            f"{data} is JSON, which tables are not read from; they are from CSV, TSV, Parquet and Feather"
        )


def split_columns(given: list[str]) -> list[str]:
    """Split ``a,b`` into names; a name that holds a comma is quoted as in CSV: ``'"a,b",c'``."""
    import csv

    return [
        name.strip()
        for name in next(csv.reader([",".join(given)], skipinitialspace=True), [])
        if name.strip()
    ]
