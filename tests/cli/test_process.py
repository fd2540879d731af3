"""The command as a process of its own: streams, exit codes, signals and start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from rolearn.cli import entry
from rolearn.cli.streams import shown_notes
from rolearn.runtime.errors import RolearnWarning


def test_data_from_standard_input(process, collider):
    outcome = process("learn", "-", "-q", stdin=collider.read_text())
    assert (outcome.code, outcome.err) == (0, "")
    assert len(json.loads(outcome.out)["edges"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("learn", "nowhere.csv"), 3),
        (("learn", "nowhere.csv", "--alpha", "x"), 2),
        (("learn",), 2),
        (("evaluate", "a.json", "b.json"), 3),
        (("convert", "a.json"), 2),
    ],
)
def test_errors_are_one_line(process, arguments, code):
    outcome = process(*arguments)
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.error
    assert "Traceback" not in outcome.err


def test_empty_standard_input(process):
    outcome = process("learn", "-")
    assert outcome.code == 3
    assert "standard input is empty" in outcome.error


def test_a_closed_pipe_is_no_error(collider):
    """As with ``rolearn simulate ... | head -1``."""
    source = "from rolearn.cli import main; main()"
    arguments = ["simulate", "--network", "munin1", "--samples", "2000"]
    child = subprocess.Popen(
        [sys.executable, "-c", source, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(60) == 0


def test_help_starts_without_the_heavy_imports():
    source = (
        "import sys\nfrom rolearn.cli.entry import run\nrun(['learn', '--help'])\n"
        "heavy = set('numpy numba scipy pandas pyarrow networkx rich narwhals sklearn'.split())\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env=dict(os.environ)
    )
    assert done.stderr.strip() == "[]"


def test_learning_starts_without_what_it_does_not_need(collider):
    source = (
        "import sys\nfrom rolearn.cli.entry import run\n"
        f"assert run(['learn', {str(collider)!r}, '-q']) == 0\n"
        "heavy = set('pandas networkx rich sklearn scipy.stats matplotlib'.split())\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "[]"


def test_internal_errors_are_one_line(monkeypatch, capsys):
    def broken(**_):
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("rolearn.cli.app.app", broken)
    monkeypatch.delenv("ROLEARN_DEBUG", raising=False)
    assert entry.run([]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "internal: RuntimeError: first line second line" in error
    assert "ROLEARN_DEBUG=1" in error
    monkeypatch.setenv("ROLEARN_DEBUG", "1")
    assert entry.run([]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_without_a_result(monkeypatch, capsys):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rolearn.cli.app.app", interrupted)
    assert entry.run([]) == 130
    assert capsys.readouterr().err == "error: interrupted before there was a result\n"


def test_warnings_become_notes(capsys):
    import warnings

    for quiet in (False, True):
        with shown_notes(quiet) as notes:
            for _ in range(2):
                warnings.warn("a decision\nof ours", RolearnWarning, stacklevel=1)
            warnings.warn("somebody else's", DeprecationWarning, stacklevel=1)
        assert len(notes) == 2
        assert capsys.readouterr().err == ("" if quiet else "note: a decision of ours\n" * 2)
