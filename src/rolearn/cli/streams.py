"""Where things go: results to stdout, all else to stderr."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rolearn.runtime.errors import ParameterError, RolearnWarning

__all__ = ["check_writable", "output_format", "say", "shown_notes", "write_result"]


def say(sentence: str) -> None:
    """Write one line to stderr."""
    sys.stderr.write(" ".join(sentence.split()) + "\n")


def write_result(text: str) -> None:
    """Write text to stdout, with one newline at its end."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def output_format(asked: str | None, known: tuple[str, ...]) -> str:
    """Choose how stdout reads: what was asked, else a table in a terminal and JSON in a pipe.

    Raises
    ------
    ParameterError
        When what was asked isn't known.
    """
    if asked is None:
        return "table" if sys.stdout.isatty() else "json"
    if asked not in known:
        raise ParameterError(f"--format {asked} is unknown; give one of {', '.join(known)}")
    return asked


def check_writable(path: str) -> None:
    """Find out before long work whether its result can be written.

    Raises
    ------
    ParameterError
        When the path is a folder, its folder isn't there, or either can't be written.
    """
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise ParameterError(f"{path} is a folder; give a file name in it")
    if not folder.is_dir():
        raise ParameterError(f"{path} can't be written: there is no folder {folder}")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise ParameterError(f"{path} can't be written: permission denied")


@contextmanager
def shown_notes(quiet: bool = False) -> Iterator[list[str]]:
    """Turn warnings of the package into ``note:`` lines on stderr, and collect them.

    Yields
    ------
    list of str
        The notes so far, for the result's document; filled also when quiet.
    """
    notes: list[str] = []

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, RolearnWarning):
            return
        notes.append(str(message))
        if not quiet:
            say(f"note: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", RolearnWarning)
        warnings.showwarning = show
        yield notes
