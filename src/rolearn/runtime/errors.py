"""The errors and warnings of the package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = [
    "DataError",
    "KnowledgeError",
    "ParameterError",
    "RolearnError",
    "RolearnWarning",
    "collected_warnings",
    "warn",
]

_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)


class RolearnError(Exception):
    """Any error that rolearn raises on purpose; its text is one sentence a user can act on."""


class DataError(RolearnError, ValueError):
    """The table, file or statistics can't be used; names the file, line or columns."""


class KnowledgeError(RolearnError, ValueError):
    """Background knowledge contradicts itself or names what isn't there."""


class ParameterError(RolearnError, ValueError):
    """An argument is outside what is allowed; says what is."""


class RolearnWarning(UserWarning):
    """Something was decided on the user's behalf; says what and why."""


def warn(message: str) -> None:
    """Warn of what was decided on the user's behalf, at the line that called the package."""
    collected = _collected.get()
    if collected is not None:
        collected.append(message)
        return
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "rolearn":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RolearnWarning, stacklevel=level + 1)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect the package's warnings of this thread in place of showing them: of many repeats, say.

    Yields
    ------
    list of str
        Those so far.
    """
    collected: list[str] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)
