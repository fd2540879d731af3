"""What was meant by a name that isn't there."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Give " (did you mean ...?)" with the nearest names, or nothing where none is near."""
    folded = {other.casefold(): other for other in known}
    near = get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    if not near:
        return ""
    return f" (did you mean {' or '.join(repr(folded[other]) for other in near)}?)"
