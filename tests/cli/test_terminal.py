"""What is shown when stdout or stderr is a terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rolearn.export import write_graph
from rolearn.graphs import PAG

pty = pytest.importorskip("pty")

COMMAND = [sys.executable, "-c", "from rolearn.cli import main; main()"]


def read_all(descriptor):
    chunks = []
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # Linux says so when the other end of a terminal is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(descriptor)
    return b"".join(chunks).decode().replace("\r\n", "\n")


def on_terminal(stream, *arguments):
    """Run the command with stdout or stderr on a terminal; give its exit code and both streams."""
    master, slave = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: slave}
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    child = subprocess.Popen([*COMMAND, *map(str, arguments)], **streams, env=env)
    os.close(slave)
    terminal = read_all(master)
    pipes = child.communicate(timeout=120)
    piped = (pipes[1] if stream == "stdout" else pipes[0]).decode()
    return child.returncode, terminal, piped


@pytest.fixture
def graphs(tmp_path):
    write_graph(PAG.from_edges(["A o-> B"]), tmp_path / "first.json")
    write_graph(PAG.from_edges(["A --> B"]), tmp_path / "second.json")
    return tmp_path / "first.json", tmp_path / "second.json"


def test_tables_in_a_terminal(graphs):
    code, shown, _ = on_terminal("stdout", "compare", *graphs)
    assert code == 0
    assert shown == "A o-> B  |  A --> B\n"
    code, shown, _ = on_terminal("stdout", "evaluate", *graphs)
    assert code == 0
    assert "wrong marks 1 of 2 ordered pairs" in shown


def test_a_format_that_was_asked_for_in_a_terminal(graphs):
    code, shown, _ = on_terminal("stdout", "compare", *graphs, "--format", "json")
    assert code == 0
    assert len(json.loads(shown)["differences"]) == 1


def test_edge_list_in_a_terminal(collider):
    code, shown, _ = on_terminal("stdout", "learn", collider)
    expected = PAG.from_edges(["A o-> C", "B o-> C"], nodes=["A", "B", "C", "D"])
    assert code == 0
    assert shown == f"{expected}\n"


def test_demo_explains_the_marks_in_a_terminal():
    code, shown, said = on_terminal("stdout", "demo")
    assert code == 0
    assert "raf" in shown
    assert "{" not in shown
    assert "A o-> B  B is not a cause of A" in said


def test_progress_goes_to_a_terminal_and_is_wiped(collider):
    code, shown, out = on_terminal("stderr", "learn", collider)
    assert code == 0
    assert len(json.loads(out)["edges"]) == 2
    assert "\x1b[" in shown  # the bar, and its removal
    assert "4 variables, 400 rows: 2 edges" in shown
    code, shown, _ = on_terminal("stderr", "learn", collider, "--quiet")
    assert (code, shown) == (0, "")


@pytest.fixture
def endless(tmp_path, collider):
    """A table on which l-marvel would search for years, once the kernels are compiled."""
    subprocess.run(
        [*COMMAND, "learn", str(collider), "--finder", "l-marvel"], check=True, capture_output=True
    )
    rng = np.random.default_rng(1)
    values = rng.standard_normal((2000, 60)) @ rng.standard_normal((60, 60))
    path = tmp_path / "endless.csv"
    np.savetxt(path, values, delimiter=",", header=",".join(f"v{i}" for i in range(60)), comments="")
    return [*COMMAND, "learn", str(path), "--finder", "l-marvel"]


def check_stopped(out, learned, reason):
    document = json.loads(out)
    assert document["stop_reason"] == reason
    assert len(document["order"]) == 60
    assert json.loads(learned.read_text(encoding="utf-8")) == document


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_writes_the_best_so_far(tmp_path, endless):
    learned = tmp_path / "learned.json"
    child = subprocess.Popen(
        [*endless, "-o", str(learned)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(8)  # to start and have an order, on a busy machine
    interrupted = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert time.monotonic() - interrupted < 20
    assert child.returncode == 4, err
    assert "interrupted; this is the best order so far" in err
    assert "Traceback" not in err
    check_stopped(out, learned, "interrupted")


@pytest.mark.slow
def test_the_time_limit_is_kept(tmp_path, endless):
    learned = tmp_path / "learned.json"
    subprocess.run([*endless, "--time-limit", "0.2"], capture_output=True, check=False)  # compiled by now
    started = time.monotonic()
    done = subprocess.run(
        [*endless, "--time-limit", "1", "-o", str(learned)], capture_output=True, text=True, check=False
    )
    assert time.monotonic() - started < 1 + 8  # to start, to finish, to write, and a busy machine
    assert done.returncode == 4, done.stderr
    assert "the time limit was reached" in done.stderr
    check_stopped(done.stdout, learned, "time_limit")
