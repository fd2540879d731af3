"""The fitted graph with the marks that background knowledge forces, and where the two contradict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rolearn.estimators.learned import Learned
from rolearn.graphs.known_causes import Contradiction
from rolearn.graphs.marks import picture
from rolearn.graphs.restricted import RestrictedCPDAG, RestrictedPAG
from rolearn.runtime.errors import warn

__all__ = ["restricted_graph"]

_MOST_NAMED = 3


def restricted_graph(
    learned: Learned, latents: bool, names: tuple[str, ...]
) -> tuple[RestrictedPAG | RestrictedCPDAG, list[str]]:
    """Give the restricted graph, and a sentence for each contradiction.

    Warns
    -----
    RolearnWarning
        When there are contradictions.
    """
    assert learned.restriction is not None
    marks, found = learned.orientation.marks, learned.restriction
    sentences = [_sentence(c, marks, names, latents) for c in found.contradictions]
    if sentences:
        _warn(sentences, "pag_" if latents else "cpdag_")
    kind = RestrictedPAG if latents else RestrictedCPDAG
    return kind.unchecked(found.marks, names), sentences


def _sentence(found: Contradiction, marks: np.ndarray, names: Sequence[str], latents: bool) -> str:
    named = [names[i] for i in found.vertices]
    if found.kind in ("mark", "both"):
        i, j = found.vertices
        edge = f"{named[0]} {picture(marks[j, i], marks[i, j])} {named[1]}"
        if found.kind == "both":
            return f"{edge}: neither may cause the other, which needs a hidden cause (latents=True)"
        arrow = latents and marks[i, j] == 2
        return f"{edge}: knowledge has {'no arrowhead' if arrow else 'an arrowhead'} at {named[1]}"
    if found.kind == "cause":
        return f"{named[0]} would cause {named[1]}, which it doesn't"
    if found.kind == "collider":
        a, b, c = named
        i, j, k = found.vertices
        not_ = " not" if marks[i, j] == marks[k, j] == 2 else ""
        return f"{b} would{not_} be a common effect of {a} and {c}"
    return f"{named[0]}, {named[1]}: the mark at {named[1]} would be both an arrowhead and a tail"


def _warn(sentences: Sequence[str], attribute: str) -> None:
    more = f" (and {len(sentences) - _MOST_NAMED} more)" if len(sentences) > _MOST_NAMED else ""
    warn(
        f"background knowledge contradicts what the data say: {'; '.join(sentences[:_MOST_NAMED])}{more}. "
        f"{attribute} is as the data have it; restricted_{attribute} is as knowledge has it, without what "
        "would follow from the two together"
    )
