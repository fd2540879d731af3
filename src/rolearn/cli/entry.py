"""Runs the command and turns whatever is raised into one line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rolearn.cli.exits import ExitCode
from rolearn.runtime.errors import ParameterError, RolearnError

__all__ = ["main", "run"]


def main() -> None:
    """Run the command on the arguments of the process; the entry point of ``rolearn``."""
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command and give its exit code; ROLEARN_DEBUG=1 shows the traceback of internal errors."""
    import typer

    from rolearn.cli.app import app

    try:
        code = app(args=list(arguments), prog_name="rolearn", standalone_mode=False)
        return int(code) if isinstance(code, int) else ExitCode.DONE
    except ParameterError as error:
        return _fail(str(error), ExitCode.USAGE)
    except RolearnError as error:
        return _fail(str(error), ExitCode.DATA)
    except BrokenPipeError:
        _silence_stdout()
        return ExitCode.DONE
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted before there was a result", ExitCode.INTERRUPTED)
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's own usage errors
            return _usage(error)
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


def _fail(sentence: str, code: ExitCode) -> int:
    line = " ".join(sentence.split())
    sys.stderr.write(f"error: {line}\n")
    return code


def _silence_stdout() -> None:
    """Let a reader that has seen enough, such as head, close the pipe without a complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
