"""What an edge, or its absence, says, in words."""

from __future__ import annotations

from collections.abc import Iterable

from rolearn.graphs.edge import Edge

__all__ = ["absence_sentence", "edge_sentence", "listed"]

_PAG = {
    "-->": "{a} is a cause of {b}, directly or through others",
    "o->": "{b} is not a cause of {a}; {a} may cause {b}, or both share an unmeasured cause",
    "<->": "neither of {a} and {b} is a cause of the other; they share an unmeasured cause",
    "o-o": "{a} may cause {b}, {b} may cause {a}, or both share an unmeasured cause",
    "---": "each of {a} and {b} is a cause of the other or of being in the sample (selection bias)",
    "--o": "{a} is a cause of {b} or of being in the sample (selection bias)",
}
_SENTENCES = {
    "pag": _PAG,
    "mag": _PAG,
    "dag": {"-->": "{a} is a direct cause of {b}"},
    "cpdag": {
        "-->": "{a} is a direct cause of {b}",
        "---": "one of {a} and {b} is a direct cause of the other; the data don't tell which",
    },
}
_VISIBLE = {
    True: ", and no unmeasured variable causes both",
    False: "; an unmeasured variable may cause both as well",
}


def edge_sentence(edge: Edge, kind: str, visible: bool | None) -> str:
    """Say what the marks of an edge mean in a graph of this kind.

    ``visible`` tells of a directed edge whether a hidden common cause is ruled out; None of others.
    """
    drawn = edge.reversed() if edge.points_left() else edge
    template = _SENTENCES[kind].get(drawn.picture) or _PAG[drawn.picture]
    sentence = template.format(a=drawn.source, b=drawn.target)
    if kind in ("pag", "mag") and visible is not None:
        sentence += _VISIBLE[visible]
    if not template.startswith("{"):  # a name keeps its letters as they are
        sentence = sentence[0].upper() + sentence[1:]
    return f"{sentence}."


def absence_sentence(a: str, b: str, given: Iterable[str] | None) -> str:
    """Say what it means that a and b are not adjacent; None for a set that isn't known."""
    if given is None:
        return f"{a} and {b} are not adjacent: some set of the others makes them independent."
    names = list(given)
    condition = f"given {listed(names)}" if names else "without any condition"
    return f"{a} and {b} are not adjacent: they are independent {condition}."


def listed(names: Iterable[str]) -> str:
    """Join names as a sentence does: A, B and C."""
    all_names = list(names)
    if len(all_names) < 2:
        return "".join(all_names)
    return f"{', '.join(all_names[:-1])} and {all_names[-1]}"
