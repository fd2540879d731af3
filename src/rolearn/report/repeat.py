"""The Python lines that repeat a run."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

__all__ = ["python_lines"]


def python_lines(model: Any, reading: Mapping[str, Any], resamples: Any = None) -> str:
    """Write the lines that read the table, fit the model and resample; what can't be written is named."""
    imports, table = _table(reading, model.get_params())
    settings = [f"{name}={_written(value)}" for name, value in _changed(model)]
    if hasattr(resamples, "n_resamples_"):
        number = [f"n={resamples.n_resamples_}", f"resample={resamples.resample_!r}"]
        calls = [
            f"resamples = rolearn.bootstrap({', '.join(['table', *number, *settings])})",
            'rolearn.write_report(resamples.model_, "report.html", frequencies=resamples)',
        ]
    else:
        calls = [
            f"model = rolearn.learn({', '.join(['table', *settings])})",
            'rolearn.write_report(model, "report.html")',
        ]
    return "\n".join(["import rolearn", *imports, "", table, *calls])


def _table(reading: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[list[str], str]:
    from rolearn.data.readers import read_table

    if "loader" in reading:
        module, _, function = reading["loader"].rpartition(".")
        return [f"from {module} import {function}"], f"table = {function}()"
    if "source" not in reading:
        return [], "table = ...  # your rows or statistics"
    asked = {**settings, **reading}  # some settings, such as missing, say how cells are read as well
    options = {
        name: asked[name]
        for name, parameter in inspect.signature(read_table).parameters.items()
        if name in asked and not _same(asked[name], parameter.default) and asked[name] not in ([], None)
    }
    written = ", ".join([repr(reading["source"]), *(f"{name}={value!r}" for name, value in options.items())])
    return ["from rolearn.data.readers import read_table"], f"table = read_table({written})"


def _changed(model: Any) -> list[tuple[str, Any]]:
    """List the settings that aren't at their default; who watched the progress doesn't matter."""
    defaults = inspect.signature(type(model)).parameters
    return [
        (name, value)
        for name, value in model.get_params().items()
        if name != "progress" and not _same(value, defaults[name].default)
    ]


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _written(value: Any) -> str:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"rolearn.{value!r}"
    if callable(value) and hasattr(value, "__qualname__"):
        return str(value.__qualname__)  # a function of the user's
    return repr(value)
