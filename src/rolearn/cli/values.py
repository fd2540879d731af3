"""What the values of options may be, in the command's own words and checked before any work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rolearn.runtime.errors import ParameterError

__all__ = ["check_choice", "gigabytes", "level", "listed", "penalty", "seconds", "threads", "whole_number"]


def check_choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """Give a value that is one of those allowed.

    Raises
    ------
    ParameterError
        Naming the option, the value and what is allowed; so do all functions here.
    """
    if value not in allowed:
        verb = "is" if len(allowed) == 1 else "are"
        raise ParameterError(f"{option} is {value!r}; allowed {verb} {', '.join(allowed)}")
    return value


def level(option: str, text: str) -> float:
    """Read a level of a test, between 0 and 1."""
    value = _number(text)
    if value is None or not 0.0 < value < 1.0:
        raise ParameterError(f"{option} is {_shown(text)}; give a level between 0 and 1, such as 0.05")
    return value


def penalty(option: str, text: str) -> float:
    """Read what an edge costs."""
    value = _number(text)
    if value is None or not 0.0 < value < float("inf"):
        raise ParameterError(f"{option} is {_shown(text)}; give a number greater than 0, such as 2")
    return value


def listed(option: str, text: str, one: Callable[[str, str], float]) -> list[float]:
    """Read numbers between commas, each as `one` does and none twice."""
    values = [one(option, part.strip()) for part in text.split(",")]
    twice = [value for k, value in enumerate(values) if value in values[:k]]
    if twice:
        raise ParameterError(f"{option} has {twice[0]:g} twice; give each value once")
    return values


def seconds(option: str, text: str) -> float:
    """Read a number of seconds."""
    value = _number(text)
    if value is None or not value >= 0.0:
        raise ParameterError(f"{option} is {_shown(text)}; give a number of seconds of at least 0")
    return value


def gigabytes(option: str, text: str) -> float:
    """Read an amount of memory."""
    value = _number(text)
    if value is None or not 0.0 < value < float("inf"):
        raise ParameterError(f"{option} is {_shown(text)}; give a number of gigabytes greater than 0")
    return value


def whole_number(option: str, text: str, least: int) -> int:
    """Read an integer of at least `least`."""
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise ParameterError(f"{option} is {_shown(text)}; give a whole number of at least {least}")
    return value


def threads(option: str, text: str) -> int:
    """Read a number of threads; -1 stands for all cores."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < -1 or value == 0:
        raise ParameterError(f"{option} is {_shown(text)}; give a number of threads, or -1 for all cores")
    return value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _shown(text: str) -> str:
    return repr(text) if _number(text) is None else text
