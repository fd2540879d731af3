"""What knowledge says of given variables, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rolearn.knowledge.knowledge import Knowledge
from rolearn.runtime.errors import KnowledgeError
from rolearn.runtime.suggestions import did_you_mean

__all__ = ["Constraints", "constraints_of", "unconstrained"]

_MOST_NAMED = 5


@dataclass(frozen=True)
class Constraints:
    """Knowledge of p variables, by their positions.

    Attributes
    ----------
    not_cause : bool array, shape (p, p)
        [i, j]: i doesn't cause j, directly or through others.
    required : bool array, shape (p, p)
        [i, j]: i is a direct cause of j.
    adjacent : bool array, shape (p, p)
        Symmetric: the two are joined, whatever the data say; those required are.
    precedence : int8 array, shape (p, p)
        [i, j]: 1 where i has to leave before j, as effects do before their causes; -1 where after; else 0.
    """

    not_cause: np.ndarray
    required: np.ndarray
    adjacent: np.ndarray
    precedence: np.ndarray


def unconstrained(p: int) -> Constraints:
    """Give what no knowledge says: nothing."""
    none = np.zeros((p, p), np.bool_)
    return Constraints(none, none, none, np.zeros((p, p), np.int8))


def constraints_of(knowledge: Knowledge | None, names: Sequence[str]) -> Constraints:
    """Give what knowledge says of variables of these names.

    A name with a period where that of a variable has a space is taken for it: Tetrad writes names so.

    Raises
    ------
    KnowledgeError
        When it names others; suggests the nearest.
    """
    if not knowledge:
        return unconstrained(len(names))
    place = _places(knowledge, names)
    p = len(names)
    tier = np.full(p, -1)
    for number, tier_names in enumerate(knowledge.tiers):
        tier[[place[name] for name in tier_names]] = number
    placed = (tier >= 0)[:, None] & (tier >= 0)
    later = placed & (tier[:, None] > tier)
    closed = placed & (tier[:, None] == tier) & np.isin(tier, list(knowledge.no_causes_within))
    np.fill_diagonal(closed, False)
    required = _pairs(knowledge.required, place, p)
    adjacent = required | _pairs(knowledge.adjacent, place, p)
    first = later | required.T
    return Constraints(
        not_cause=later | closed | _pairs(knowledge.forbidden, place, p),
        required=required,
        # contiguous: kernels would be compiled for another layout by itself
        adjacent=np.ascontiguousarray(adjacent | adjacent.T),
        precedence=np.ascontiguousarray(first.astype(np.int8) - first.T.astype(np.int8)),
    )


def _pairs(pairs: Iterable[tuple[str, str]], place: dict[str, int], p: int) -> np.ndarray:
    marked = np.zeros((p, p), np.bool_)
    places = np.array([(place[a], place[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    marked[places[:, 0], places[:, 1]] = True
    return marked


def _places(knowledge: Knowledge, names: Sequence[str]) -> dict[str, int]:
    place = {name: i for i, name in enumerate(names)}
    spaced: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        spaced.setdefault(name.replace(" ", "."), []).append(i)
    unknown = []
    for name in knowledge.names:
        if name not in place:
            meant = spaced.get(name, ())
            if len(meant) == 1:
                place[name] = meant[0]
            else:
                unknown.append(name)
    if unknown:
        listed = [f"{name!r}{did_you_mean(name, names)}" for name in unknown[:_MOST_NAMED]]
        more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
        what = "no variable has this name" if len(unknown) == 1 else "no variables have these names"
        raise KnowledgeError(f"knowledge names {', '.join(listed)}{more}, but {what}")
    return place
