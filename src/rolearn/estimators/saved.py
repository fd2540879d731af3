"""Fitted models as JSON files: all that `fit` found, and the sufficient statistics, without pickle."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.estimators.conflicts import NamedConflict
from rolearn.estimators.encoding import LostError, decode, decode_graph, encode, imported_class, place_of
from rolearn.graphs.documents import graph_document
from rolearn.independence import Statistics
from rolearn.runtime.budget import StopReason
from rolearn.runtime.documents import read_text_file, versions, write_text_file
from rolearn.runtime.errors import DataError, warn
from rolearn.separations.separating_sets import SeparatingSets, Separation

__all__ = ["MODEL_VERSION", "read_model", "save_model"]

MODEL_VERSION = 1

# attributes of a fitted model that are written in a way of their own, or follow from others
_KNOWN = frozenset(
    (
        "graph_",
        "pag_",
        "cpdag_",
        "skeleton_",
        "separating_sets_",
        "conflicts_",
        "stop_reason_",
        "feature_names_in_",
        "n_features_in_",
    )
)
_DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, ImportError)


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted model to a file."""
    settings = {name: value for name, value in model.get_params().items() if name != "progress"}
    document = {
        "rolearn_model": MODEL_VERSION,
        **graph_document(model.graph_),
        "settings": {name: _kept(_encoded_setting, value) for name, value in settings.items()},
        "found": {name: _kept(encode, value) for name, value in _others(model).items()},
        "stop_reason": model.stop_reason_.name,
        "conflicts": [[conflict.kind, *conflict.variables] for conflict in model.conflicts_],
        "separating_sets": [
            [a, b, list(found.given), found.p_value, found.reason, found.n_used]
            for (a, b), found in model.separating_sets_.items()
        ],
        "statistics": _encoded_statistics(model.separating_sets_.statistics),
        "versions": versions(),
    }
    write_text_file(path, json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def _others(model: Any) -> dict[str, Any]:
    names = (name for name in vars(model) if name.endswith("_") and not name.startswith("_"))
    return {name: vars(model)[name] for name in names if name not in _KNOWN}


def _kept(write: Callable[[Any], Any], value: Any) -> Any:
    try:
        return write(value)
    except LostError as error:
        return {"lost": str(error)}


def _encoded_setting(value: Any) -> Any:
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return encode(value)
    fields = {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return {"object": {"type": type(value).__name__, "fields": fields}}


def _encoded_statistics(statistics: Statistics | None) -> dict[str, Any] | None:
    """Give sufficient statistics with all that they consist of; None where a function is part of them."""
    if statistics is None:
        return None
    try:
        parts = {name: encode(value) for name, value in vars(statistics).items()}
        return {"type": place_of(type(statistics)), "parts": parts}
    except LostError:
        return None


def read_model(path: str | Path, new_model: Callable[..., Any], types: dict[str, type]) -> Any:
    """Read a file of `save_model`.

    Parameters
    ----------
    path : str or Path
    new_model : callable
        Makes a model from its settings.
    types : dict
        The classes that a setting may be an object of, by name.
    """
    label = str(path)
    document = _document(read_text_file(path), label)
    lost: list[str] = []
    try:
        settings = _decoded(document["settings"], lambda value: _setting(value, types), lost)
        model = new_model(**settings)
        for name, value in _decoded(document["found"], decode, lost).items():
            setattr(model, name, value)
        _restore(model, document)
    except _DAMAGE as error:
        raise DataError(f"{label} is a damaged model: {error!r}; save it again") from None
    if lost:
        what = ", ".join(lost)
        warn(f"{label} doesn't hold {what}, which can't be written to a file; settings have their defaults")
    return model


def _document(text: str, label: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        document = None
    if not isinstance(document, dict) or "rolearn_model" not in document:
        hint = ""
        if isinstance(document, dict) and "nodes" in document:
            hint = ": it holds a graph alone, which rolearn.read_graph reads"
        raise DataError(f"{label} is no model that model.save wrote{hint}")
    version = document["rolearn_model"]
    if not isinstance(version, int) or version > MODEL_VERSION:
        raise DataError(
            f"{label} is a model of version {version!r} and this rolearn reads up to {MODEL_VERSION};"
            " update rolearn"
        )
    return document


def _decoded(written: dict[str, Any], read: Callable[[Any], Any], lost: list[str]) -> dict[str, Any]:
    """Give the values by name, and add the names of those that weren't kept to the list."""
    values = {}
    for name, value in written.items():
        if isinstance(value, dict) and "lost" in value:
            lost.append(name)
            continue
        try:
            values[name] = read(value)
        except LostError:
            lost.append(name)
    return values


def _setting(written: Any, types: dict[str, type]) -> Any:
    if not isinstance(written, dict) or "object" not in written:
        return decode(written)
    kind, fields = written["object"]["type"], written["object"]["fields"]
    if kind not in types:
        raise LostError(kind)
    return types[kind](**{name: decode(value) for name, value in fields.items()})


def _restore(model: Any, document: dict[str, Any]) -> None:
    graph = decode_graph(document)
    model.graph_ = graph
    setattr(model, "pag_" if graph.kind == "pag" else "cpdag_", graph)
    model.skeleton_ = graph.skeleton
    model.stop_reason_ = StopReason[document["stop_reason"]]
    model.conflicts_ = [NamedConflict(kind, tuple(names)) for kind, *names in document["conflicts"]]
    model.feature_names_in_ = np.array(graph.names, dtype=object)
    model.n_features_in_ = len(graph.names)
    separations = {
        (a, b): Separation(tuple(given), *rest) for a, b, given, *rest in document["separating_sets"]
    }
    statistics = _statistics(document["statistics"])
    model.separating_sets_ = SeparatingSets.known(separations, statistics, graph.names)


def _statistics(written: dict[str, Any] | None) -> Statistics | None:
    if written is None:
        return None
    kind = imported_class(written["type"])
    if not issubclass(kind, Statistics):
        raise TypeError(f"{kind.__name__} is no kind of statistics")
    made = object.__new__(kind)
    for name, value in written["parts"].items():
        setattr(made, name, decode(value))
    if not {"names", "arrays"} <= set(vars(made)):
        raise KeyError("names or arrays")
    return made
