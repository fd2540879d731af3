"""The command: exit codes and streams here, one file a subcommand beside it."""

from rolearn.cli.entry import main

__all__ = ["main"]
