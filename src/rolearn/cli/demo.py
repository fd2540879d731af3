"""``rolearn demo``: a real table that ships with the package."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["demo"]

_INTRODUCTION = (
    "Protein signaling in 853 human T cells, 11 proteins and lipids (Sachs et al. 2005, Science 308:523).",
    "The counts are skewed, so ranks are transformed to normal (as rolearn learn --transform rank does).",
)

_LEGEND = (
    "A --> B  A is a cause of B          A <-> B  neither causes the other: a common cause is hidden",
    "A o-> B  B is not a cause of A      A o-o B  any of these could be",
)


def demo(
    context: typer.Context,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write here too: .html .json .svg ...; repeatable."
        ),
    ] = None,
    format: Annotated[str | None, typer.Option(metavar="F", help="On stdout: table, json or csv.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only errors on stderr.")] = False,
) -> int:
    """Learn from a real table that ships with the package and show the result."""
    from rolearn.runtime.compile import stop_compiling

    # Python runs the kernels of so small a fit sooner than numba is imported. Said before any kernel is, and
    # not in a process of others, who need theirs
    uncompiled = context.obj.listening and stop_compiling()

    from rolearn.cli.cold_start import compile_for_later
    from rolearn.cli.fitting import check_outputs, fit_and_write
    from rolearn.cli.repeat import command_line
    from rolearn.cli.streams import in_terminal, say
    from rolearn.data.networks import load_sachs

    outputs = list(output or [])
    shown_as = check_outputs(outputs, format)
    if uncompiled:
        compile_for_later(quiet)
    if not quiet:
        for line in _INTRODUCTION:
            say(line)
    reading = {
        "source": "Sachs et al. 2005, shipped with rolearn",
        "loader": "rolearn.data.networks.load_sachs",
        "command": command_line(context),
    }
    settings = {"transform": "rank"}
    bar = not uncompiled
    code = fit_and_write(load_sachs(), reading, settings, outputs, shown_as, quiet, context.obj, bar=bar)
    if not quiet and in_terminal() and shown_as == "table":
        sys.stderr.write("\n" + "\n".join(_LEGEND) + "\n")
    return code
