"""What the page shows, as plain data."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rolearn.export.legend import legend_lines
from rolearn.export.scene import DrawnEdge, Scene, scene_of
from rolearn.graphs.readable import EdgeRow
from rolearn.report.frequencies import Frequencies, by_pair
from rolearn.report.repeat import python_lines
from rolearn.runtime.documents import plain, versions

__all__ = ["page_contents"]

_REASONS = {
    "boundary": "when one of the two was removed, the other was not in its Markov boundary",
    "test": "a test given this set found them independent",
    "isolated": "no statistic can use one of the two columns, which was kept without edges",
    "score": "the penalized likelihood of the graph is better without the edge",
}
_KINDS = {
    "pag": "partial ancestral graph (PAG)",
    "cpdag": "completed partially directed acyclic graph (CPDAG)",
}


def page_contents(
    model: Any,
    notes: Sequence[str],
    reading: Mapping[str, Any] | None,
    frequencies: Frequencies | None,
) -> dict[str, Any]:
    """Give what the page shows of a fitted model; vertices are numbered in order of their names."""
    known = model.knowledge_ is not None
    scene, reading = scene_of(model.restricted_graph_ if known else model.graph_), dict(reading or {})
    return {
        "title": str(reading.get("source", "a table")),
        "kind": model.graph_.kind,
        "kinds": [model.column_kinds_.get(name, "") for name in scene.graph.names],
        "knowledge": list(model.knowledge_contradictions_) if known else None,
        "about": _about(model, scene),
        **_vertices(scene),
        "edges": _edges(scene),
        **_absent(model, scene.graph.names),
        "alpha": plain(model.alpha),
        "frequencies": _frequencies(frequencies, scene.graph.names),
        "legend": [{"marks": marks, "says": words} for _, marks, words in legend_lines(scene.graph)],
        "order": [scene.graph.names.index(name) for name in model.order_],
        "run": _run(model),
        "settings": _settings(model),
        "notes": [str(note) for note in notes],
        "conflicts": [str(conflict) for conflict in model.conflicts_],
        "problems": [] if model.legal else model.graph_.problems(),
        "reading": [[key, _shown(value)] for key, value in plain(reading).items() if key != "command"],
        "command": reading.get("command"),
        "python": python_lines(model, reading, frequencies),
        "versions": list(versions().items()),
    }


def _about(model: Any, scene: Scene) -> str:
    graph = scene.graph
    rows = "" if model.n_samples_ is None else f", {model.n_samples_:,.10g} rows"
    edges = f"{graph.n_edges} edge{'s' * (graph.n_edges != 1)}"
    return f"A {_KINDS.get(graph.kind, graph.kind)} of {len(graph.names)} variables{rows}: {edges}"


def _vertices(scene: Scene) -> dict[str, Any]:
    low, high = scene.corners()
    return {
        "names": list(scene.graph.names),
        "labels": scene.labels,
        "centers": np.round(scene.centers - low, 1).tolist(),
        "sizes": np.round(scene.sizes, 1).tolist(),
        "extent": np.round(high - low, 1).tolist(),
    }


def _edges(scene: Scene) -> list[dict[str, Any]]:
    place = {name: i for i, name in enumerate(scene.graph.names)}
    rows = {frozenset((place[row.source], place[row.target])): row for row in scene.graph.edge_table()}
    return [_edge(drawn, rows[frozenset((drawn.i, drawn.j))]) for drawn in scene.edges]


def _edge(drawn: DrawnEdge, row: EdgeRow) -> dict[str, Any]:
    return {
        "ends": [drawn.i, drawn.j],
        "marks": drawn.marks,
        "bend": _bend(drawn.curve),
        "text": f"{row.source} {row.edge} {row.target}",
        "says": row.text,
    }


def _bend(curve: np.ndarray) -> float:
    """Give how far the middle of a curve is off its chord, in lengths of the chord."""
    along = curve[2] - curve[0]
    off = curve[1] - (curve[0] + curve[2]) / 2
    return round(float(off @ [-along[1], along[0]] / max(along @ along, 1e-9)), 4)


def _absent(model: Any, names: Sequence[str]) -> dict[str, Any]:
    """List absent edges: two positions, the set's, the p-value, the number of the reason, rows behind it."""
    place = {name: i for i, name in enumerate(names)}
    numbers: dict[str, int] = {}
    found = []
    for j, b in enumerate(names):
        for i, a in enumerate(names[:j]):
            separation = model.separating_sets_[a, b]
            if separation is not None:
                given = sorted(place[name] for name in separation.given)
                reason = numbers.setdefault(str(separation.reason), len(numbers))
                p_value = float(f"{separation.p_value:.4g}")
                rows = None if separation.n_used == model.n_samples_ else plain(separation.n_used)
                found.append([i, j, given, p_value if np.isfinite(p_value) else None, reason, rows])
    return {"absent": found, "reasons": [[reason, _REASONS.get(reason, reason)] for reason in numbers]}


def _frequencies(frequencies: Frequencies | None, names: Sequence[str]) -> list[list[Any]] | None:
    """List two positions and the shares of pictures, for pairs that some resample joined."""
    if frequencies is None:
        return None
    return [[i, j, shares] for (i, j), shares in sorted(by_pair(frequencies, names).items())]


def _run(model: Any) -> list[list[str]]:
    cost = f"{model.cost_:,.1f}"
    if model.optimal_:
        cost += ", proved to be the least of all orders"
    elif model.lower_bound_ is not None:
        cost += f"; no order costs less than {model.lower_bound_:,.1f}"
    return [
        ["Stopped", str(model.stop_reason_)],
        ["Cost of the order", cost],
        ["Distinct tests", f"{model.n_tests_:,}"],
    ]


def _settings(model: Any) -> list[list[Any]]:
    """List each setting with its value and whether that is the default."""
    defaults = inspect.signature(type(model)).parameters
    return [
        [name, _shown(plain(value)), plain(value) == plain(defaults[name].default)]
        for name, value in model.get_params().items()
        if name != "progress"
    ]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key}={_shown(item)}" for key, item in value.items() if key != "type")
        return f"{value.get('type', '')}({inner})"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
