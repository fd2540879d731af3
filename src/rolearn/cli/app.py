"""The table of subcommands."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rolearn._version import __version__
from rolearn.cli.benchmark import BENCHMARK_EXAMPLES, benchmark
from rolearn.cli.convert import convert
from rolearn.cli.demo import demo
from rolearn.cli.evaluate import compare, evaluate
from rolearn.cli.learn import LEARN_EXAMPLES, learn
from rolearn.cli.simulate import simulate

__all__ = ["app"]

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _show_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"rolearn {__version__}\n")
        raise typer.Exit()


@app.callback()
def rolearn(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Learn causal structure from observational data when some causes were never measured."""


app.command(epilog=LEARN_EXAMPLES)(learn)
app.command()(demo)
app.command()(simulate)
app.command()(evaluate)
app.command()(compare)
app.command()(convert)
app.command(epilog=BENCHMARK_EXAMPLES)(benchmark)
