"""Runs the command and turns whatever is raised into one line on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from rolearn.cli.exits import ExitCode, UsageError
from rolearn.cli.interrupts import Interrupts
from rolearn.runtime.errors import RolearnError

__all__ = ["main", "run"]

_UNWRITABLE = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EROFS", "EBADF")
    if hasattr(errno, name)
}


def main() -> None:
    """Run the command on the arguments of the process; the entry point of ``rolearn``."""
    interrupts = Interrupts()
    try:
        interrupts.listen()
        code = _flushed(run(sys.argv[1:], interrupts))
    except KeyboardInterrupt:
        code = _interrupted(interrupts)
    interrupts.ignore()
    if code == ExitCode.INTERRUPTED:  # don't wait for threads that are still at work
        with suppress(OSError, AttributeError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def run(arguments: Sequence[str], interrupts: Interrupts | None = None) -> int:
    """Run the command and give its exit code; ROLEARN_DEBUG=1 shows the traceback of internal errors."""
    interrupts = interrupts or Interrupts()
    import typer

    from rolearn.cli.app import app
    from rolearn.cli.streams import OutputError, silence_stdout

    try:
        asked = list(arguments) or ["--help"]
        code = app(args=asked, prog_name="rolearn", standalone_mode=False, obj=interrupts)
        if code == ExitCode.INTERRUPTED:  # what typer makes of a Ctrl-C
            return _interrupted(interrupts)
        return int(code) if isinstance(code, int) else ExitCode.DONE
    except UsageError as error:
        return _fail(str(error), ExitCode.USAGE)
    except RolearnError as error:
        return _fail(str(error), ExitCode.DATA)
    except OutputError as error:
        return _fail(str(error), ExitCode.INTERNAL)
    except BrokenPipeError:
        silence_stdout()
        return ExitCode.DONE
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(interrupts)
    except Exception as error:
        return _unexpected(error, interrupts)


def _unexpected(error: Exception, interrupts: Interrupts) -> int:
    if hasattr(error, "format_message"):  # typer's own usage errors
        return _usage(error)
    if interrupts.count:  # some C code answers the exception of a Ctrl-C with one of its own
        return _interrupted(interrupts)
    if isinstance(error, OSError) and error.errno in _UNWRITABLE:
        return _unwritable(error)
    return _internal(error)


def _usage(error: Exception) -> int:
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "rolearn"
    message = message[:1].lower() + message[1:]
    return _fail(f"{message}; see {command} --help", ExitCode.USAGE)


def _internal(error: Exception) -> int:
    if os.environ.get("ROLEARN_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return _fail(
        f"internal: {type(error).__name__}: {error}; please report it (ROLEARN_DEBUG=1 shows the traceback)",
        ExitCode.INTERNAL,
    )


def _interrupted(interrupts: Interrupts) -> int:
    return _fail(interrupts.sentence, ExitCode.INTERRUPTED)


def _unwritable(error: OSError) -> int:
    from rolearn.cli.streams import silence_stdout

    silence_stdout()
    return _fail(f"the output can't be written: {error.strerror or error}", ExitCode.INTERNAL)


def _flushed(code: int) -> int:
    """Flush stdout, where help and version may still wait, and give the exit code."""
    from rolearn.cli.streams import silence_stdout

    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        return _unwritable(error)
    return code


def _fail(sentence: str, code: ExitCode) -> int:
    from rolearn.cli.streams import say

    say(f"error: {sentence}")
    return code
