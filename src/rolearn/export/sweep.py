"""What a sweep found, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from rolearn.export.json_format import FORMAT_VERSION, graph_document
from rolearn.runtime.documents import plain, versions

__all__ = ["sweep_document"]


def sweep_document(
    found: Any,
    settings: Mapping[str, Any],
    notes: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Give a `Sweep` as plain data; it holds many graphs, so that `read_graph` doesn't read it.

    Parameters
    ----------
    found : Sweep
    settings : mapping
        Those that all fits have in common.
    notes : sequence of str
        What was decided on the user's behalf on the way.
    data : mapping, optional
        Where the table came from and how it was read.

    Returns
    -------
    dict
        ``sweep``: for each setting that was done its ``alpha``, ``penalty``, ``n_edges``, ``cost``,
        ``changed_by_alpha``, ``changed_by_penalty``, ``stability`` and the ``edges``; ``frequencies``: for
        each pair in which share of the settings it had which marks; ``kind``, ``nodes``, ``stopped``,
        ``stop_reason``, ``settings``, ``seed``, ``versions`` and ``data``.
    """
    settings = {name: plain(value) for name, value in settings.items() if name != "progress"}
    done = found.table()
    graphs = [found.graph(one.alpha, one.penalty) for one in done]
    return {
        "format_version": FORMAT_VERSION,
        "kind": graphs[0].kind if graphs else None,
        "nodes": list(found.feature_names_in_),
        "sweep": [
            {**plain(one._asdict()), "edges": graph_document(graph)["edges"]}
            for one, graph in zip(done, graphs, strict=True)
        ],
        "frequencies": [
            {"pair": [str(a), str(b)], **_came(found.frequencies(a, b))}
            for a, b in combinations(found.feature_names_in_, 2)
            if done
        ],
        "stopped": found.n_stopped_,
        "stop_reason": plain(found.stop_reason_),
        "settings": settings,
        "seed": settings.get("random_state"),
        "versions": versions(),
        "data": {"notes": list(notes), **plain(dict(data or {}))},
    }


def _came(shares: Mapping[str, float]) -> dict[str, float]:
    return {pattern: round(share, 6) for pattern, share in shares.items() if share > 0}
