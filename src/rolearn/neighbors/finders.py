"""The neighbor finders by name."""

from __future__ import annotations

from typing import Any

from rolearn.neighbors.finder_kernels import LMarvelFinder, RslFinder
from rolearn.runtime.errors import ParameterError

__all__ = ["FINDERS", "finder_named"]

FINDERS = {"rsl": RslFinder, "l-marvel": LMarvelFinder}


def finder_named(name: str, alpha: float) -> Any:
    """Make the finder with this name and level.

    Raises
    ------
    ParameterError
        When there is none of this name.
    """
    if name not in FINDERS:
        raise ParameterError(f"finder is {name!r}; allowed are {', '.join(map(repr, FINDERS))}")
    return FINDERS[name](float(alpha))
