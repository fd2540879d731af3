"""Ctrl-C at any time, in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rolearn.cli import entry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

N_COLUMNS = 300
BEFORE = "error: interrupted before there was a result\n"
READY = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell of the tests has set
from rolearn.cli import main
sys.stderr.write("ready\\n")
sys.stderr.flush()
main()
"""
MEANWHILE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from rolearn.cli import main
import {module} as module
original = module.{name}

def interrupted(*given):
    for _ in range({times}):
        os.kill(os.getpid(), signal.SIGINT)
    return original(*given)

module.{name} = interrupted
main()
"""


def interrupted_at(module, name, times, *arguments):
    """Run the command with Ctrl-Cs as soon as a function of it is called."""
    source = MEANWHILE.format(module=module, name=name, times=times)
    return subprocess.run(
        [sys.executable, "-c", source, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_before_there_is_a_result(collider):
    done = interrupted_at("rolearn.data.readers", "read_table", 1, "learn", collider)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", BEFORE)


def test_before_the_search_has_an_order(collider):
    done = interrupted_at("rolearn.estimators.rol", "read_input", 1, "learn", collider, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", BEFORE)


def test_c_code_that_fails_in_its_own_way_by_ctrl_c(monkeypatch, capsys):
    def interrupted(*, obj, **_):
        obj.count += 1
        raise ImportError("numpy.core.multiarray failed to import")

    monkeypatch.setattr("rolearn.cli.app.app", interrupted)
    assert entry.run([]) == 130
    assert capsys.readouterr().err == BEFORE


def test_what_typer_makes_of_it(monkeypatch, capsys):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("rolearn.data.networks.load_network", interrupted)
    assert entry.run(["simulate", "--network", "asia", "--samples", "5"]) == 130
    assert capsys.readouterr().err == BEFORE


def test_while_the_result_is_written(collider, tmp_path):
    learned = tmp_path / "learned.json"
    done = interrupted_at("rolearn.cli.fitting", "result_document", 1, "learn", collider, "-o", learned)
    assert done.returncode == 4, done.stderr
    assert len(json.loads(done.stdout)["edges"]) == 2
    assert learned.read_text(encoding="utf-8") == done.stdout
    assert "the search was done when it was interrupted; the result is complete" in done.stderr


def test_twice_while_the_result_is_written(collider):
    done = interrupted_at("rolearn.cli.fitting", "result_document", 2, "learn", collider)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.endswith("error: interrupted while the result was written; it is incomplete\n")
    assert "Traceback" not in done.stderr


def test_other_commands():
    done = interrupted_at(
        "rolearn.data.writers", "table_text", 1, "simulate", "--network", "asia", "--samples", 5
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", BEFORE)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A table that takes a second or two, and the command that learns it, its kernels compiled."""
    rng = np.random.default_rng(0)
    weights = np.triu((rng.random((N_COLUMNS, N_COLUMNS)) < 4 / N_COLUMNS) * 0.7, 1)
    values = rng.standard_normal((600, N_COLUMNS)) @ np.linalg.inv(np.eye(N_COLUMNS) - weights)
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    header = ",".join(f"v{i}" for i in range(N_COLUMNS))
    np.savetxt(path, values, delimiter=",", header=header, comments="", fmt="%.5g")
    command = [sys.executable, "-c", READY, "learn", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    started = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return command, time.monotonic() - started


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "unbuffered"),
    [*((share, "") for share in (0.05, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8)), (1.4, ""), (1.4, "1")],
)
def test_at_any_time(wide, share, unbuffered):
    """The last ones come while the process waits for a reader of its result."""
    command, usual = wide
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert child.stderr.readline() == "ready\n"
    time.sleep(share * usual)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert "Traceback" not in err
    assert child.returncode in (0, 4, 130), err
    if child.returncode == 130:
        assert out == ""
        assert err.endswith(BEFORE)
        return
    document = json.loads(out)
    assert len(document["order"]) == N_COLUMNS
    pairs = {frozenset(found["pair"]) for found in document["separating_sets"]}
    assert len(pairs) + len(document["edges"]) == N_COLUMNS * (N_COLUMNS - 1) // 2
