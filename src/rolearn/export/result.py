"""The JSON of a fitted model: its graph, why edges are missing, and all that repeats the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from rolearn.export.frequencies import bootstrap_document
from rolearn.export.json_format import document_text, graph_document
from rolearn.runtime.documents import plain, versions

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
        The keys of `graph_document`, with background knowledge those of the restricted graph, and then
        ``without_knowledge`` (kind and edges) and ``knowledge_contradictions``; ``separating_sets``,
        ``order``, ``cost``, ``optimal``, ``lower_bound``, ``stop_reason``, ``n_tests``,
        ``conflicts``, ``settings``, ``seed``, ``versions`` and ``data``; with a bootstrap also ``bootstrap``
        and ``frequencies``.
    """
    # who watched the progress is no part of what repeats the run
    settings = {name: plain(value) for name, value in model.get_params().items() if name != "progress"}
    settings["knowledge"] = plain(model.knowledge_)  # not the name of its file
    return {
        **_graphs(model),
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
            "kinds": dict(model.column_kinds_),
            "notes": list(notes),
            **plain(dict(reading or {})),
        },
        **({} if bootstrap is None else bootstrap_document(bootstrap)),
    }


def _graphs(model: Any) -> dict[str, Any]:
    if model.knowledge_ is None:
        return graph_document(model.graph_)
    without = graph_document(model.graph_)
    return {
        **graph_document(model.restricted_graph_),
        "without_knowledge": {key: without[key] for key in ("kind", "edges")},
        "knowledge_contradictions": list(model.knowledge_contradictions_),
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
                "n_used": plain(separation.n_used),
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
