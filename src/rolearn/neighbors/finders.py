"""The neighbor finders by name."""

from __future__ import annotations

from typing import Any

from rolearn.neighbors.collider_set_kernels import MbcsFinder
from rolearn.neighbors.finder_kernels import LMarvelFinder, RslFinder
from rolearn.runtime.parameters import check_choice

__all__ = ["FINDERS", "finder_named"]

FINDERS = {"rsl": RslFinder, "l-marvel": LMarvelFinder, "mbcs": MbcsFinder}


def finder_named(name: str, alpha: float) -> Any:
    """Make the finder with this name and level.

    Raises
    ------
    ParameterError
        When there is none of this name.
    """
    return FINDERS[check_choice("finder", name, FINDERS)](float(alpha))
