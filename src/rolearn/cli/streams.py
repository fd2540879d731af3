"""Where things go: results to stdout, all else to stderr."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from rolearn.cli.values import check_choice
from rolearn.runtime.errors import RolearnWarning

__all__ = [
    "OutputError",
    "in_terminal",
    "output_format",
    "say",
    "shown_notes",
    "silence_stdout",
    "write_everywhere",
    "write_result",
]


class OutputError(Exception):
    """A result can't be written where it should go; says where and why."""


def say(sentence: str) -> None:
    """Write one line to stderr; where that can't be written, there is nobody to tell."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(" ".join(sentence.split()) + "\n")


def write_result(text: str) -> None:
    """Write text to stdout, with one newline at its end.

    A reader that has seen enough, such as head, may close the pipe.

    Raises
    ------
    OutputError
        When stdout is closed or can't be written, as on a full disk.
    """
    if sys.stdout is None:  # as with >&-
        raise OutputError("the result can't be written: standard output is closed")
    try:
        _write_all(sys.stdout, text if text.endswith("\n") else text + "\n")
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        raise OutputError(
            f"the result can't be written to standard output: {error.strerror or error}"
        ) from None


def write_everywhere(writes: Iterable[Callable[[], object]]) -> None:
    """Write in turn, the later ones also where an earlier one fails.

    Raises
    ------
    OutputError
        With all that failed.
    """
    failures = []
    for write in writes:
        try:
            write()
        except OutputError as error:
            failures.append(str(error))
    if failures:
        raise OutputError("; ".join(failures))


def _write_all(stream: TextIO, text: str) -> None:
    """Write all of a text.

    Without a buffer, as with PYTHONUNBUFFERED, a signal that meets a write into a full pipe ends it early,
    and the text layer doesn't look at how much was written.
    """
    stream.flush()
    rest = memoryview(text.encode(stream.encoding, stream.errors or "strict"))
    while rest:
        written = stream.buffer.write(rest)
        if written is None:  # the other end has made the pipe one that doesn't wait
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        rest = rest[written:]
    stream.flush()


def silence_stdout() -> None:
    """Let go of stdout, so that what is left in its buffer makes no second complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def in_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def output_format(asked: str | None, known: tuple[str, ...]) -> str:
    """Choose how stdout reads: what was asked, else a table in a terminal and JSON in a pipe.

    Raises
    ------
    ParameterError
        When what was asked isn't known.
    """
    if asked is None:
        return "table" if in_terminal() else "json"
    return check_choice("--format", asked, known)


@contextmanager
def shown_notes(quiet: bool = False, before: Sequence[str] = ()) -> Iterator[list[str]]:
    """Turn warnings of the package into ``note:`` lines on stderr, and collect them.

    Notes from before, such as those of a table that was read, come first.

    Yields
    ------
    list of str
        The notes so far, for the result's document; filled also when quiet.
    """
    notes: list[str] = []

    def note(text: str) -> None:
        notes.append(text)
        if not quiet:
            say(f"note: {text}")

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, RolearnWarning):
            note(str(message))

    for text in before:
        note(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RolearnWarning)
        warnings.showwarning = show
        yield notes
