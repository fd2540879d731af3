"""What a bootstrap found, as plain data and as text beside the edges of a graph."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from rolearn.export.json_format import graph_document
from rolearn.graphs import MarkedGraph
from rolearn.graphs.marks import picture

__all__ = ["bootstrap_document", "frequency_text"]


def bootstrap_document(found: Any) -> dict[str, Any]:
    """Give a `Bootstrap` as plain data.

    Returns
    -------
    dict
        ``bootstrap``: how many resamples there were, of which kind, from which seed, and the edges of the
        consensus; ``frequencies``: for each pair the patterns that came, and in which share of the fits.
    """
    return {
        "bootstrap": {
            "resample": found.resample_,
            "seed": found.seed_,
            "resamples": found.n_resamples_,
            "fitted": found.n_fitted_,
            "degenerate": found.n_degenerate_,
            "stopped": found.n_stopped_,
            "problems": list(found.problems_),
            "consensus": graph_document(found.consensus_)["edges"],
        },
        "frequencies": list(_frequencies(found)) if found.n_fitted_ else [],
    }


def _frequencies(found: Any) -> Iterable[dict[str, Any]]:
    for a, b in combinations(found.feature_names_in_, 2):
        came = {pattern: share for pattern, share in found.frequencies(a, b).items() if share > 0}
        yield {"pair": [str(a), str(b)], **{pattern: round(share, 6) for pattern, share in came.items()}}


def frequency_text(graph: MarkedGraph, found: Any) -> str:
    """Write a graph one edge a line, with how often the pair was adjacent, and how often with these marks.

    Below it come the pairs without an edge that were adjacent in at least half of the fits.
    """
    rows = []
    for edge in graph.edges():
        marks = picture(edge.mark_source, edge.mark_target)
        shares = found.frequencies(edge.source, edge.target)
        rows.append((edge.source, marks, edge.target, 1 - shares["none"], shares[marks]))
    lines = _aligned(rows)
    if isolated := graph.isolated():
        lines.append("isolated: " + ", ".join(isolated))
    others = []
    for a, b in combinations(graph.names, 2):
        shares = found.frequencies(a, b)
        if not graph.adjacent(a, b) and shares["none"] <= 0.5:
            marks = max((p for p in shares if p != "none"), key=lambda p: shares[p])
            others.append((a, marks, b, 1 - shares["none"], shares[marks]))
    if others:
        lines += ["", "no edge here, but in at least half of the resamples:", *_aligned(others)]
    return "\n".join(lines)


def _aligned(rows: list[tuple[str, str, str, float, float]]) -> list[str]:
    first = max((len(row[0]) for row in rows), default=0)
    last = max((len(row[2]) for row in rows), default=0)
    return [
        f"{a:<{first}} {marks} {b:<{last}}  edge {_share(edge)}  these marks {_share(same)}"
        for a, marks, b, edge, same in rows
    ]


def _share(value: float) -> str:
    return "   -" if value != value else f"{value:.2f}"
