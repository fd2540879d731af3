from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from rolearn.cli.entry import run


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line on stderr, checked to be one and to be an error."""
        lines = [line for line in self.err.splitlines() if not line.startswith("compiling once")]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("error: ")
        return lines[0].removeprefix("error: ")


@pytest.fixture(autouse=True)
def nothing_to_announce(monkeypatch):
    """Let commands in this process take all kernels for compiled: they say nothing, and start no process."""
    monkeypatch.setattr("rolearn.runtime.cache_notes.all_compiled", lambda: True)


@pytest.fixture
def command(capsys):
    """Run the command in this process."""

    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def process():
    """Run the command as users do."""

    def call(*arguments, stdin="", env=None):
        done = subprocess.run(
            [sys.executable, "-c", "from rolearn.cli import main; main()", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            env={**os.environ, **(env or {})},
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def collider(tmp_path):
    """A file whose graph is A o-> C <-o B, with D apart."""
    rng = np.random.default_rng(0)
    a, b, d = rng.standard_normal((3, 400))
    c = a + b + 0.5 * rng.standard_normal(400)
    path = tmp_path / "collider.csv"
    np.savetxt(path, np.column_stack([a, b, c, d]), delimiter=",", header="A,B,C,D", comments="")
    return path
