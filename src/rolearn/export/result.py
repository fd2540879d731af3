"""The JSON of a fitted model: its graph, why edges are missing, and all that repeats the run."""

from __future__ import annotations

import dataclasses
import json
import math
import platform
from collections.abc import Mapping, Sequence
from enum import Enum
from importlib.metadata import version
from itertools import combinations
from typing import Any

import numpy as np

from rolearn._version import __version__
from rolearn.export.frequencies import bootstrap_document
from rolearn.export.json_format import document_text, graph_document

__all__ = ["plain", "result_document", "result_text", "versions"]


def result_document(
    model: Any,
    notes: Sequence[str] = (),
    reading: Mapping[str, Any] | None = None,
    bootstrap: Any = None,
) -> dict[str, Any]:
    """Give a fitted model as plain data; `read_graph` reads its graph back.

    Parameters
    ----------
    model : ROL
        Fitted.
    notes : sequence of str
        What was decided on the user's behalf on the way.
    reading : mapping, optional
        Where the table came from and how it was read, to be kept under ``data``.
    bootstrap : Bootstrap, optional
        What fits to resamples gave.

    Returns
    -------
    dict
        The keys of `graph_document`, then ``separating_sets``, ``order``, ``cost``, ``optimal``,
        ``lower_bound``, ``stop_reason``, ``n_tests``, ``conflicts``, ``settings``, ``seed``, ``versions`` and
        ``data``; with a bootstrap also ``bootstrap`` and ``frequencies``.
    """
    # who watched the progress is no part of what repeats the run
    settings = {name: plain(value) for name, value in model.get_params().items() if name != "progress"}
    return {
        **graph_document(model.graph_),
        "separating_sets": _separating_sets(model),
        "order": list(model.order_),
        "cost": plain(model.cost_),
        "optimal": model.optimal_,
        "lower_bound": plain(model.lower_bound_),
        "stop_reason": model.stop_reason_.name.lower(),
        "stop_sentence": str(model.stop_reason_),
        "n_tests": int(model.n_tests_),
        "conflicts": [str(conflict) for conflict in model.conflicts_],
        "settings": settings,
        "seed": settings.get("random_state"),
        "versions": versions(),
        "data": {
            "rows": plain(model.n_samples_),
            "columns": int(model.n_features_in_),
            "names": list(model.feature_names_in_),
            "notes": list(notes),
            **plain(dict(reading or {})),
        },
        **({} if bootstrap is None else bootstrap_document(bootstrap)),
    }


def _separating_sets(model: Any) -> list[dict[str, Any]]:
    found = []
    for a, b in combinations(model.feature_names_in_, 2):
        separation = model.separating_sets_[a, b]
        if separation is None:
            continue
        found.append(
            {
                "pair": [str(a), str(b)],
                "given": [str(name) for name in separation.given],
                "p_value": plain(separation.p_value),
                "reason": plain(separation.reason),
            }
        )
    return found


def result_text(document: Mapping[str, Any]) -> str:
    """Write the document of a fitted model as JSON text.

    As `document_text`, but with one line a separating set or pair with frequencies: there are many.
    """
    long = [key for key in ("separating_sets", "frequencies") if document.get(key)]
    text = document_text({**document, **{key: [] for key in long}})
    for key in long:
        there = f'\n  "{key}": '  # at the top; strings hold no line breaks in JSON
        rows = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in document[key]]
        listed = ",\n    ".join(rows)
        text = text.replace(f"{there}[]", f"{there}[\n    {listed}\n  ]", 1)
    return text


def versions() -> dict[str, str]:
    """Give the versions that a result depends on."""
    return {
        "rolearn": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "numba")},
    }


def plain(value: Any) -> Any:
    """Turn a setting or a number into what JSON can hold; objects become their type and parameters."""
    if value is None or isinstance(value, (bool, int, str)):
        return value.name.lower() if isinstance(value, Enum) else value
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [plain(item) for item in value]
    return _plain_object(value)


def _plain_object(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return {"type": type(value).__name__, **plain(value.get_params())}
    name = getattr(value, "__qualname__", None)
    return f"{value.__module__}.{name}" if name else type(value).__name__
