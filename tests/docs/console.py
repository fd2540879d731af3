"""Console blocks of pages: a command a line after ``$``, and what a terminal then shows.

``python tests/docs/console.py PAGE...`` writes what is really shown into pages.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COLORS = re.compile("\x1b\\[[0-9;]*m")
_SECONDS = re.compile(r" in [\d.e+-]+ s;")


def blocks(page: str) -> list[list[tuple[str, str]]]:
    """The blocks of a page, each the commands with what they show."""
    return [steps(match[1]) for match in BLOCK.finditer(page)]


def steps(block: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def shown(command: str, folder: Path) -> str:
    """What a command shows where stdout is a terminal; stderr, which is none here, comes after it."""
    ours, theirs = os.openpty()
    binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": binaries, "COLUMNS": "80", "TERM": "dumb"}
    with subprocess.Popen(
        ["sh", "-c", command], cwd=folder, env=environment, stdout=theirs, stderr=subprocess.PIPE
    ) as running:
        os.close(theirs)
        out = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the command is
            while chunk := os.read(ours, 1 << 16):
                out += chunk
        assert running.stderr is not None
        errors = running.stderr.read()
    os.close(ours)
    assert running.returncode == 0, errors.decode()
    text = _COLORS.sub("", (out.replace(b"\r\n", b"\n") + errors).decode())
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("compiling once")]
    return "".join(lines)


def same(found: str, expected: str) -> bool:
    """Whether two texts are the same but for seconds, which differ from run to run."""
    return _SECONDS.sub("", found).split() == _SECONDS.sub("", expected).split()


def rewritten(page: str) -> str:
    """The page with what its commands show now."""
    with tempfile.TemporaryDirectory() as folder:

        def again(match: re.Match[str]) -> str:
            lines = [f"$ {command}\n{shown(command, Path(folder))}" for command, _ in steps(match[1])]
            return "```console\n" + "".join(lines) + "```"

        return BLOCK.sub(again, page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
