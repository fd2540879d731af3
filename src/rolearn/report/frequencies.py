"""How often resamples gave each edge, checked, and turned to the way the page has each pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

from rolearn.confidence.patterns import PATTERNS
from rolearn.graphs.edge import parse_edge
from rolearn.runtime.errors import ParameterError

__all__ = ["NONE", "Frequencies", "by_pair"]


class Resamples(Protocol):
    """What `rolearn.bootstrap` gives, as far as it is read here."""

    def frequencies(self, a: str, b: str) -> Mapping[str, float]:
        """Give the share of each picture of the edge from a to b, and of "none"."""


Frequencies = Mapping[tuple[str, str], Mapping[str, float]] | Resamples

NONE = "none"
_PICTURES = sorted(set(PATTERNS) - {NONE})


def by_pair(frequencies: Frequencies, names: Sequence[str]) -> dict[tuple[int, int], dict[str, float]]:
    """Give frequencies by positions i < j, pictures read from i to j, the most frequent first.

    Pairs that were never adjacent are left out: most are not, in a large graph.

    Raises
    ------
    ParameterError
        For a name, picture or share that can't be.
    """
    place = {name: i for i, name in enumerate(names)}
    found: dict[tuple[int, int], dict[str, float]] = {}
    for pair, shares in _pairs(frequencies, names):
        for name in pair:
            if name not in place:
                raise ParameterError(f"frequencies name {name!r}, which is no variable of the model")
        i, j = (place[name] for name in pair)
        read = {_turned(shape, i > j): _share(pair, share) for shape, share in shares.items()}
        ranked = sorted(read.items(), key=lambda item: (-item[1], item[0]))
        if any(shape != NONE and share > 0 for shape, share in ranked):
            found[min(i, j), max(i, j)] = {shape: share for shape, share in ranked if share > 0}
    return found


def _pairs(
    frequencies: Frequencies, names: Sequence[str]
) -> Iterable[tuple[tuple[str, str], Mapping[str, float]]]:
    if isinstance(frequencies, Mapping):
        return frequencies.items()
    if not hasattr(frequencies, "frequencies"):
        what = type(frequencies).__name__
        raise ParameterError(f"frequencies is a {what}; give a Bootstrap, a Sweep, or shares by pair")
    listed = (((a, b), frequencies.frequencies(a, b)) for a, b in combinations(names, 2))
    # without any resample all are NaN
    return [(pair, shares) for pair, shares in listed if not any(map(math.isnan, shares.values()))]


def _turned(shape: str, around: bool) -> str:
    if shape == NONE:
        return shape
    if shape not in _PICTURES:
        raise ParameterError(
            f"frequencies have the edge {shape!r}; edges are {', '.join(_PICTURES)}, or {NONE!r}"
        )
    return parse_edge(("", shape, "")).reversed().picture if around else shape


def _share(pair: tuple[str, str], share: float) -> float:
    if not 0.0 <= share <= 1.0:
        raise ParameterError(f"the frequencies of {pair} have a share of {share!r}; shares are from 0 to 1")
    return round(float(share), 4)
