"""What benchmarks ask other learners comes back as an answer, whatever happens there."""

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from peers import calls, catalog

ANSWER = {"kind": "pag", "seconds": 1.5, "processor_seconds": 1.4, "peak_mb": 20}
HEAD = "import json, os, signal, sys, time\n"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Call a peer whose adapter is the given text."""
    adapter = tmp_path / "adapter.py"
    peer = catalog.Peer("there", str(adapter), "1.0")
    monkeypatch.setitem(catalog.PEERS, "there", peer)
    monkeypatch.setitem(catalog.METHODS, "method", catalog.Method("there", "search", (("penalty", 2.0),)))

    def call(text, **options):
        adapter.write_text(HEAD + text)
        return calls.call("method", np.zeros((4, 3)), **options)

    return call


def test_marks_arrive_at_their_ends(ask):
    edges = [(0, 1, "tail", "arrowhead"), (2, 1, "circle", "arrowhead")]
    outcome = ask(f"open(sys.argv[2], 'w').write({json.dumps({**ANSWER, 'edges': edges})!r})")
    assert outcome.status == "ok"
    assert outcome.marks.tolist() == [[0, 2, 0], [3, 0, 1], [0, 2, 0]]
    assert (outcome.kind, outcome.seconds) == ("pag", 1.5)


def test_what_goes_wrong_is_a_status(ask):
    assert ask("print('half way'); sys.exit('no memory')").status == "failed: no memory (exit code 1)"
    assert ask("os.kill(os.getpid(), signal.SIGSEGV)").status == "failed: no word (exit code -11)"
    assert ask("pass").status == "failed: no result"
    assert ask("open(sys.argv[2], 'w').write('{')").status == "failed: no result"


def test_over_the_limit_is_killed_with_its_children(ask, tmp_path):
    noted = tmp_path / "child"
    text = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(noted)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)"
    )
    started = time.monotonic()
    assert ask(text, limit=2).status == "over the limit"
    assert time.monotonic() - started < 20
    assert gone(int(noted.read_text()))


def gone(process: int) -> bool:
    """Tell whether a process ends soon; one that nobody has asked about since it ended counts."""
    for _ in range(50):
        try:
            os.kill(process, 0)
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.1)
    return False


def test_a_peer_that_is_not_set_up_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(catalog, "ENVIRONMENTS", tmp_path)
    assert calls.call("flop", np.zeros((4, 3))).status == "not installed"


def test_ours_is_run_like_a_peer():
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((2000, 3))
    rows[:, 2] += rows[:, 0] + rows[:, 1]
    outcome = calls.call("rolearn-no-latents", rows, limit=300)
    assert outcome.status == "ok"
    assert outcome.marks.tolist() == [[0, 0, 2], [0, 0, 2], [3, 3, 0]]
    assert outcome.seconds > 0
    assert outcome.peak_mb > 10
