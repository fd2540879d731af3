"""What was meant by a name that isn't there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["did_you_mean", "meant_or_there"]

_MOST_LISTED = 8


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Give " (did you mean ...?)" with the nearest names, or nothing where none is near."""
    near = _nearest(name, known)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""


def meant_or_there(name: str, known: Sequence[str]) -> str:
    """Give "did you mean ...?" with the nearest names, or "there are ..." where none is near."""
    if near := _nearest(name, known):
        return f"did you mean {' or '.join(map(repr, near))}?"
    more = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
    return f"there are {', '.join(map(repr, known[:_MOST_LISTED]))}{more}"


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    folded = {other.casefold(): other for other in known}
    return [folded[other] for other in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)]
