"""Checks of single parameters, in the words that all rooms use for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_integer

__all__ = ["check_choice", "check_count", "check_flag"]


def check_choice(parameter: str, value: Any, allowed: Iterable[str]) -> str:
    """Give a value that is one of the words allowed.

    Raises
    ------
    ParameterError
        Naming the parameter, the value and what is allowed; so do all functions here.
    """
    words = tuple(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise ParameterError(f"{parameter} is {value!r}; allowed are {', '.join(map(repr, words))}")


def check_count(parameter: str, value: Any, least: int = 1, or_none: bool = False) -> int:
    """Give an integer that is no less than `least`; a caller that takes None, too, says so and keeps it."""
    if is_integer(value) and value >= least:
        return int(value)
    raise ParameterError(
        f"{parameter} is {value!r}; give an integer of at least {least}{', or None' if or_none else ''}"
    )


def check_flag(parameter: str, value: Any) -> bool:
    """Give what is True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise ParameterError(f"{parameter} is {value!r}; give True or False")
