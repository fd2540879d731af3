"""The command line that repeats a run, put together from what was understood of the one given."""

from __future__ import annotations

import shlex
from typing import Any

import typer

__all__ = ["command_line"]


def command_line(context: typer.Context) -> str:
    """Write the command line as a shell takes it, options that were left out left out."""
    arguments, options = list[str](), list[str]()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[parameter.name or ""]
        if parameter.param_type_name == "argument":
            arguments.extend(_several(value))
        else:
            options.extend(_option(max(parameter.opts, key=len), value))
    return shlex.join([*context.command_path.split(), *arguments, *options])


def _option(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [name] if value else []
    return [part for item in _several(value) for part in (name, item)]


def _several(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else [str(value)]
