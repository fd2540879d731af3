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

COMMAND = [sys.executable, "-c", "from rolearn.cli import main; main()"]


def test_data_from_standard_input(process, collider):
    outcome = process("learn", "-", "-q", stdin=collider.read_text())
    assert (outcome.code, outcome.err) == (0, "")
    assert len(json.loads(outcome.out)["edges"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("learn", "nowhere.csv"), 3),
        (("learn", "nowhere.csv", "--alpha", "x"), 3),
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


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_without_arguments(process, arguments):
    outcome = process(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert len(outcome.out.splitlines()) > 10
    assert outcome.out.startswith("Usage: rolearn [OPTIONS] COMMAND [ARGS]...\n\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [("learn", "-q", "DATA"), ("--help",), ("--version",)])
def test_a_full_disk(collider, tmp_path, arguments):
    given = [str(collider) if part == "DATA" else part for part in arguments]
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *given], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "can't be written" in done.stderr
    assert "internal" not in done.stderr
    assert "report" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_behind_one_file_leaves_the_others(process, collider, tmp_path):
    (tmp_path / "full.csv").symlink_to("/dev/full")
    outcome = process(
        "learn", "-q", collider, "-o", tmp_path / "full.csv", "-o", tmp_path / "graph.json", "--format", "csv"
    )
    assert outcome.code == 1
    assert outcome.error.startswith(f"{tmp_path / 'full.csv'} can't be written")
    assert "A,C" in outcome.out
    assert json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))["nodes"] == list("ABCD")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's way to close a stream")
def test_closed_streams(collider):
    for closing, code, part in ((">&-", 1, "standard output is closed"), ("<&-", 3, "standard input is")):
        script = f'"$@" {closing}'
        data = str(collider) if code == 1 else "-"
        done = subprocess.run(
            ["sh", "-c", script, "sh", *COMMAND, "learn", "-q", data],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code
        assert part in done.stderr
        assert "internal" not in done.stderr


def test_warnings_become_notes(capsys):
    import warnings

    for quiet in (False, True):
        with shown_notes(quiet) as notes:
            for _ in range(2):
                warnings.warn("a decision\nof ours", RolearnWarning, stacklevel=1)
            warnings.warn("somebody else's", DeprecationWarning, stacklevel=1)
        assert len(notes) == 2
        assert capsys.readouterr().err == ("" if quiet else "note: a decision of ours\n" * 2)
