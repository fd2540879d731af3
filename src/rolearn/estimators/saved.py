"""Fitted models as JSON files: all that `fit` found, and the sufficient statistics, without pickle."""

from __future__ import annotations

import base64
import dataclasses
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.estimators.conflicts import NamedConflict
from rolearn.graphs import CPDAG, DAG, MAG, PAG, MarkedGraph
from rolearn.graphs.documents import graph_document, marks_of_document
from rolearn.independence import CallableTest, Statistics
from rolearn.runtime.budget import StopReason
from rolearn.runtime.documents import plain, read_text_file, versions, write_text_file
from rolearn.runtime.errors import DataError, warn
from rolearn.separations.separating_sets import SeparatingSets, Separation

__all__ = ["MODEL_VERSION", "read_model", "save_model"]

MODEL_VERSION = 1

_KINDS: dict[str, type[MarkedGraph]] = {graph.kind: graph for graph in (DAG, CPDAG, MAG, PAG)}
_STATISTICS = "rolearn.independence."

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


class _LostError(Exception):
    """A value couldn't be written."""


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted model to a file."""
    document = {
        "rolearn_model": MODEL_VERSION,
        **graph_document(model.graph_),
        "settings": {
            name: _setting(value) for name, value in model.get_params().items() if name != "progress"
        },
        "found": {name: _found(value) for name, value in _others(model).items()},
        "stop_reason": model.stop_reason_.name,
        "conflicts": [[conflict.kind, *conflict.variables] for conflict in model.conflicts_],
        "separating_sets": _separations(model),
        "statistics": _statistics(model.separating_sets_.statistics),
        "versions": versions(),
    }
    write_text_file(path, json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def _others(model: Any) -> dict[str, Any]:
    names = (name for name in vars(model) if name.endswith("_") and not name.startswith("_"))
    return {name: vars(model)[name] for name in names if name not in _KNOWN}


def _setting(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _found(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, "fields": fields}
    return _found(value)


def _found(value: Any) -> Any:
    """Give a value as JSON can hold it, so that `_value` gives it back; what it can't is marked as lost."""
    if isinstance(value, MarkedGraph):
        return {"graph": graph_document(value)}
    if isinstance(value, tuple):
        return {"tuple": [_found(item) for item in value]}
    if isinstance(value, list):
        return {"list": [_found(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: _found(item) for key, item in value.items()}}
    simple = value.item() if isinstance(value, np.generic) else value
    if isinstance(simple, float) and not np.isfinite(simple):
        return {"float": str(simple)}
    if simple is None or isinstance(simple, (bool, int, float, str)):
        return simple
    return {"lost": type(value).__name__}


def _separations(model: Any) -> list[list[Any]]:
    sets = model.separating_sets_
    return [[a, b, list(found.given), found.p_value, found.reason] for (a, b), found in sets.items()]


def _statistics(statistics: Statistics | None) -> dict[str, Any] | None:
    """Give the arrays of sufficient statistics; None for a function, which can't be kept."""
    if statistics is None or isinstance(statistics, CallableTest):
        return None
    arrays = statistics.arrays
    return {
        "type": [type(statistics).__module__, type(statistics).__name__],
        "arrays_type": [type(arrays).__module__, type(arrays).__name__],
        "names": list(statistics.names),
        "n_samples": statistics.n_samples,
        "arrays": {name: _packed(value) for name, value in arrays._asdict().items()},
    }


def _packed(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return plain(value)
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
    return {"dtype": value.dtype.str, "shape": list(value.shape), "data": data}


def _unpacked(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    flat = np.frombuffer(base64.b64decode(value["data"]), dtype=np.dtype(value["dtype"]))
    return flat.reshape(value["shape"]).copy()  # kernels take writable arrays


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
    try:
        settings, lost = _settings(document["settings"], types)
        model = new_model(**settings)
        for name, value in document["found"].items():
            try:
                setattr(model, name, _value(value))
            except _LostError:
                lost.append(name)
        _restore(model, document)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ImportError) as error:
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


def _settings(written: dict[str, Any], types: dict[str, type]) -> tuple[dict[str, Any], list[str]]:
    """Give the settings, and the names of those that weren't kept."""
    settings, lost = {}, []
    for name, value in written.items():
        try:
            if isinstance(value, dict) and "type" in value:
                settings[name] = _object(value, types)
            else:
                settings[name] = _value(value)
        except _LostError:
            lost.append(name)
    return settings, lost


def _object(written: dict[str, Any], types: dict[str, type]) -> Any:
    if written["type"] not in types:
        raise _LostError(written["type"])
    return types[written["type"]](**{name: _value(value) for name, value in written["fields"].items()})


def _value(written: Any) -> Any:
    if not isinstance(written, dict):
        return written
    ((kind, value),) = written.items()
    if kind == "lost":
        raise _LostError(value)
    if kind == "graph":
        return _graph(value)
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(_value(item) for item in value)
    if kind == "dict":
        return {key: _value(item) for key, item in value.items()}
    if kind == "float":
        return float(value)
    raise ValueError(f"there is no {kind!r} here")


def _graph(document: dict[str, Any]) -> MarkedGraph:
    return _KINDS[document["kind"]].unchecked(*marks_of_document(document))


def _restore(model: Any, document: dict[str, Any]) -> None:
    graph = _graph(document)
    model.graph_ = graph
    setattr(model, "pag_" if graph.kind == "pag" else "cpdag_", graph)
    model.skeleton_ = graph.skeleton
    model.stop_reason_ = StopReason[document["stop_reason"]]
    model.conflicts_ = [NamedConflict(kind, tuple(names)) for kind, *names in document["conflicts"]]
    model.feature_names_in_ = np.array(graph.names, dtype=object)
    model.n_features_in_ = len(graph.names)
    separations = {
        (a, b): Separation(tuple(given), p_value, reason)
        for a, b, given, p_value, reason in document["separating_sets"]
    }
    statistics = _read_statistics(document["statistics"])
    model.separating_sets_ = SeparatingSets.known(separations, statistics, graph.names)


def _read_statistics(written: dict[str, Any] | None) -> Statistics | None:
    if written is None:
        return None
    kind, arrays_type = _class(written["type"]), _class(written["arrays_type"])
    if not issubclass(kind, Statistics):
        raise TypeError(f"{kind.__name__} is no kind of statistics")
    made = object.__new__(kind)
    made.names, made.n_samples = tuple(written["names"]), written["n_samples"]
    made.arrays = arrays_type(**{name: _unpacked(value) for name, value in written["arrays"].items()})
    return made


def _class(place: list[str]) -> type:
    """Import a class of the room of statistics, and of no other place: a file must not choose what is run."""
    module, name = place
    if not module.startswith(_STATISTICS):
        raise ValueError(f"{module} holds no statistics")
    found = getattr(importlib.import_module(module), name)
    if not isinstance(found, type) or found.__module__ != module:
        raise TypeError(f"{name} is no class of {module}")
    return found
