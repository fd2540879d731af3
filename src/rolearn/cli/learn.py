"""``rolearn learn``: from a file to a graph."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = ["LEARN_EXAMPLES", "learn", "model_settings"]

LEARN_EXAMPLES = """\b
Examples:
  rolearn learn data.csv
  rolearn learn data.parquet -o graph.json --drop id,date --transform rank
  cut -d, -f2- data.csv | rolearn learn - --format csv > edges.csv
"""


def learn(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV, TSV, Parquet, Feather, or - for stdin.")],
    output: Annotated[
        list[str] | None,
        typer.Option("-o", "--output", metavar="FILE", help="Also write here (.json .csv .txt); repeatable."),
    ] = None,
    search: Annotated[str, typer.Option(metavar="NAME", help="hill-climb or recursive.")] = "hill-climb",
    cost: Annotated[str, typer.Option(metavar="NAME", help="auto or neighbors.")] = "auto",
    finder: Annotated[str, typer.Option(metavar="NAME", help="auto, rsl or l-marvel.")] = "auto",
    test: Annotated[str, typer.Option(metavar="NAME", help="auto or fisher-z.")] = "auto",
    alpha: Annotated[float, typer.Option(metavar="A", help="Level of the separation tests.")] = 0.05,
    no_latents: Annotated[
        bool, typer.Option("--no-latents", help="Every cause was measured: learn a CPDAG.")
    ] = False,
    no_legal: Annotated[bool, typer.Option("--no-legal", help="Let the result be an invalid PAG.")] = False,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLS", help="Columns to leave out, by comma.")
    ] = None,
    missing_marker: Annotated[
        str | None, typer.Option(metavar="M", help="What a missing cell reads, besides NA.")
    ] = None,
    delimiter: Annotated[str | None, typer.Option(metavar="D", help="One character, or tab.")] = None,
    transform: Annotated[
        str | None, typer.Option(metavar="NAME", help="rank: ranks to normal, for skewed columns.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Threads; the result is the same.")] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the random starts.")] = 0,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Stop then, with the best so far.")
    ] = None,
    format: Annotated[str | None, typer.Option(metavar="F", help="On stdout: table, json or csv.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
) -> int:
    """Learn a partial ancestral graph from a table of numbers."""
    from rolearn.cli.fitting import check_outputs, fit_and_write
    from rolearn.data.readers import read_table

    outputs = list(output or [])
    shown_as = check_outputs(outputs, format)
    settings = model_settings(
        search=search,
        cost=cost,
        finder=finder,
        test=test,
        alpha=alpha,
        latents=not no_latents,
        legal=not no_legal,
        transform=transform,
        n_jobs=jobs,
        random_state=seed,
        time_limit=time_limit,
    )
    left_out = split_columns(drop or [])
    table = read_table(data, delimiter, missing_marker, left_out)
    reading = {"source": data, "delimiter": delimiter, "missing_marker": missing_marker, "drop": left_out}
    return fit_and_write(table, reading, settings, outputs, shown_as, quiet)


def model_settings(cost: str, finder: str, **settings: Any) -> dict[str, Any]:
    """Give the keywords of ROL; a finder makes the cost that counts the neighbors it finds.

    Raises
    ------
    ParameterError
        When the finder doesn't go with the cost.
    """
    from rolearn.runtime.errors import ParameterError

    if finder == "auto":
        return {"cost": cost, **settings}
    if cost not in ("auto", "neighbors"):
        raise ParameterError(f"--finder {finder} goes with --cost neighbors, not with --cost {cost}")
    from rolearn.estimators import NeighborCount

    return {"cost": NeighborCount(finder=finder), **settings}


def split_columns(given: list[str]) -> list[str]:
    """Split ``a,b`` into names; a name that holds a comma is quoted as in CSV: ``'"a,b",c'``."""
    import csv

    return [
        name.strip()
        for name in next(csv.reader([",".join(given)], skipinitialspace=True), [])
        if name.strip()
    ]
