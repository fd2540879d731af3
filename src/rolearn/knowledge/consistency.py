"""Whether statements contradict each other, whatever the data."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rolearn.runtime.errors import KnowledgeError

__all__ = ["check_consistency"]

Pair = tuple[str, str]


def check_consistency(
    tiers: tuple[tuple[str, ...], ...],
    forbidden: Iterable[Pair],
    required: Iterable[Pair],
    no_causes_within: Iterable[int],
) -> None:
    """Refuse required causes that go in a circle, or that are forbidden as they are or by way of others.

    Raises
    ------
    KnowledgeError
        Naming the chain of required causes and what speaks against it.
    """
    effects: dict[str, list[str]] = {}
    for a, b in required:
        effects.setdefault(a, []).append(b)
    barred: dict[str, list[str]] = {}
    for a, b in forbidden:
        barred.setdefault(a, []).append(b)
    tier_of = {name: number for number, names in enumerate(tiers) for name in names}
    closed = set(no_causes_within)
    for start in sorted(effects):
        came_from = _reached(start, effects)
        if start in came_from:
            raise KnowledgeError(f"required causes go in a circle: {_chain(start, start, came_from)}")
        against = next((b for b in barred.get(start, ()) if b in came_from), None)
        if against is not None:
            chain = _chain(start, against, came_from)
            raise KnowledgeError(f"{start} -> {against} is forbidden, but required is {chain}; take one back")
        for end in came_from if start in tier_of else ():
            chain = _chain(start, end, came_from)
            if tier_of.get(end, tier_of[start]) < tier_of[start]:
                raise KnowledgeError(
                    f"required is {chain}, but {start} is in a later tier than {end}; take one back"
                )
            if end in tier_of and tier_of[end] == tier_of[start] and tier_of[start] in closed:
                raise KnowledgeError(
                    f"required is {chain}, but no_causes_within has the tier of both; take one back"
                )


def _reached(start: str, effects: dict[str, list[str]]) -> dict[str, str]:
    """Give all that a variable causes, each with what it is reached from; itself only in a circle."""
    came_from: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        v = waiting.popleft()
        for w in effects.get(v, ()):
            if w not in came_from:
                came_from[w] = v
                waiting.append(w)
    return came_from


def _chain(start: str, end: str, came_from: dict[str, str]) -> str:
    chain = [end, came_from[end]]
    while chain[-1] != start:
        chain.append(came_from[chain[-1]])
    return " -> ".join(chain[::-1])
