"""What the marks of an edge mean, and why one is absent, in sentences."""

from __future__ import annotations

from rolearn.graphs import Edge

__all__ = ["REASONS", "edge_sentence"]

# Tails and arrowheads of a PAG or MAG speak of causes, direct or not (Zhang 2008, section 2).
_ANCESTRAL = {
    "-->": "{a} is a cause of {b}, directly or through other variables; {b} is not a cause of {a}.",
    "o->": "{b} is not a cause of {a}; {a} may cause {b}, or both share an unmeasured cause.",
    "<->": "Neither is a cause of the other: {a} and {b} share an unmeasured cause.",
    "o-o": "Open: {a} may cause {b}, {b} may cause {a}, or both share an unmeasured cause.",
    "---": "{a} and {b} each cause the other or whether a row is in the table (selection).",
    "--o": "{a} is a cause of {b}, or of whether a row is in the table (selection).",
}
_CAUSALLY_SUFFICIENT = {
    "-->": "{a} is a direct cause of {b}.",
    "---": "One of {a} and {b} is a direct cause of the other; the data can't tell which.",
}

REASONS = {
    "boundary": "when one of the two was removed, the other was not in its Markov boundary",
    "test": "a test given this set found them independent",
    "score": "the penalized likelihood of the graph is better without the edge",
}


def edge_sentence(edge: Edge, kind: str) -> str:
    """Say what an edge of a kind of graph (dag, cpdag, mag or pag) means."""
    edge = edge.reversed() if edge.points_left() else edge
    words = {**_ANCESTRAL, **_CAUSALLY_SUFFICIENT} if kind in ("cpdag", "dag") else _ANCESTRAL
    return words[edge.picture].format(a=edge.source, b=edge.target)
