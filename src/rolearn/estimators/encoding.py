"""Values as JSON can hold them and gives them back; nothing in a file chooses what is run."""

from __future__ import annotations

import base64
import importlib
from typing import Any

import numpy as np

from rolearn.graphs import CPDAG, DAG, MAG, PAG, MarkedGraph
from rolearn.graphs.documents import graph_document, marks_of_document
from rolearn.graphs.restricted import RestrictedCPDAG, RestrictedPAG
from rolearn.knowledge import Knowledge

__all__ = ["LostError", "decode", "decode_graph", "encode", "imported_class", "place_of"]

_KINDS: dict[str, type[MarkedGraph]] = {graph.kind: graph for graph in (DAG, CPDAG, MAG, PAG)}
_RESTRICTED: dict[str, type[MarkedGraph]] = {g.kind: g for g in (RestrictedCPDAG, RestrictedPAG)}
_STATISTICS = "rolearn.independence."


class LostError(Exception):
    """A value can't be written to a file."""


def encode(value: Any) -> Any:
    """Give a value as JSON can hold it: numbers, text, arrays, graphs, and tuples, lists and dicts of them.

    Raises
    ------
    LostError
        For what `decode` couldn't give back.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Knowledge):
        return {"knowledge": encode(dict(value.statements()))}
    if isinstance(value, MarkedGraph):
        return {"graph": graph_document(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {"array": {"dtype": value.dtype.str, "shape": list(value.shape), "data": data}}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        fields = {name: encode(item) for name, item in value._asdict().items()}
        return {"named": {"type": place_of(type(value)), "fields": fields}}
    if isinstance(value, (tuple, list)):
        return {"tuple" if isinstance(value, tuple) else "list": [encode(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: encode(item) for key, item in value.items()}}
    raise LostError(type(value).__name__)


def decode(written: Any) -> Any:
    """Give back a value that `encode` wrote; a ValueError, TypeError or KeyError for what it didn't."""
    if not isinstance(written, dict):
        return written
    ((kind, value),) = written.items()
    if kind == "float":
        return float(value)
    if kind == "knowledge":
        return Knowledge(**decode(value))
    if kind == "graph":
        return decode_graph(value)
    if kind == "array":
        flat = np.frombuffer(base64.b64decode(value["data"]), dtype=np.dtype(value["dtype"]))
        return flat.reshape(value["shape"]).copy()  # kernels take writable arrays
    if kind == "named":
        fields = {name: decode(item) for name, item in value["fields"].items()}
        return imported_class(value["type"])(**fields)
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(decode(item) for item in value)
    if kind == "dict":
        return {key: decode(item) for key, item in value.items()}
    raise ValueError(f"there is no value of the kind {kind!r}")


def decode_graph(document: dict[str, Any]) -> MarkedGraph:
    """Give back a graph, valid or not."""
    kinds = _RESTRICTED if document.get("restricted") else _KINDS
    return kinds[document["kind"]].unchecked(*marks_of_document(document))


def place_of(kind: type) -> list[str]:
    """Give where a class of the room of statistics is to be found.

    Raises
    ------
    LostError
        For a class of another place.
    """
    if not kind.__module__.startswith(_STATISTICS):
        raise LostError(kind.__name__)
    return [kind.__module__, kind.__name__]


def imported_class(place: list[str]) -> type:
    """Import a class of the room of statistics, and of no other place."""
    module, name = place
    if not module.startswith(_STATISTICS):
        raise ValueError(f"{module} holds no statistics")
    found = getattr(importlib.import_module(module), name)
    if not isinstance(found, type) or found.__module__ != module:
        raise TypeError(f"{name} is no class of {module}")
    return found
