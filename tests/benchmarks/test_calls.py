"""What benchmarks ask other learners comes back as an answer, whatever happens there."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from rolearn import DataError, ParameterError
from rolearn.benchmarks import registry
from rolearn.benchmarks.calls import Calls, call
from rolearn.benchmarks.registry import find_methods, known_methods

HEAD = """
import os, signal, sys, time
import numpy as np
from adapter import Found

VERSION = "1.0"
METHODS = {"method": {"penalty": 2.0}}

def search(name, rows, options):
    return lambda: learn(rows, options)

def learn(rows, options):
    whole = rows.shape[1] > 4  # not the few columns that come first
"""
ROWS = np.zeros((8, 6))


@pytest.fixture
def method_file(tmp_path):
    """Write a method file with the given text in ``learn``, and give its path."""

    def write(*lines):
        path = tmp_path / "a_method.py"
        path.write_text(HEAD + "".join(f"    {line}\n" for line in lines))
        return str(path)

    return write


def ask(path, **options):
    return Calls().ask(find_methods([path])[0], ROWS, **options)


def test_marks_arrive_at_their_ends(method_file):
    edges = "[(0, 1, 'tail', 'arrowhead'), (2, 1, 'circle', 'arrowhead')]"
    outcome = ask(method_file(f"return Found('pag', {edges} if whole else [])"))
    assert outcome.status == "ok"
    assert outcome.marks[:3, :3].tolist() == [[0, 2, 0], [3, 0, 1], [0, 2, 0]]
    assert outcome.kind == "pag"


def test_loading_is_not_timed(method_file):
    outcome = ask(method_file("time.sleep(0.05 if whole else 0.5)", "return Found('pag', [])"), limit=0.4)
    assert outcome.status == "ok"
    assert 0.05 <= outcome.seconds < 0.4
    assert outcome.start_seconds >= 0.5


def test_what_fails_on_the_few_columns_that_come_first_is_run_on_all(method_file):
    outcome = ask(method_file("if not whole: raise ValueError('too few')", "return Found('pag', [])"))
    assert outcome.status == "ok"


def test_options_of_the_call_go_before_those_of_the_file(method_file):
    path = method_file("assert options == {'penalty': 3.0, 'alpha': 0.1}", "return Found('pag', [])")
    assert ask(path, options={"penalty": 3.0, "alpha": 0.1}).status == "ok"


def test_what_goes_wrong_is_a_status(method_file):
    path = method_file("print('half way'); sys.exit('no memory')")
    assert ask(path).status == "failed: no memory (exit code 1)"
    path = method_file("os.kill(os.getpid(), signal.SIGSEGV)")
    assert ask(path).status == "failed: no word (exit code -11)"
    assert ask(method_file("sys.exit(0)")).status == "failed: no result"
    assert ask(method_file("return Found('pag', [(0, 1, 'arrow', 'tail')])")).status == "failed: no result"
    assert ask(method_file("return Found('pag', [(0, 99, 'tail', 'tail')])")).status == "failed: no result"


def test_over_the_limit_is_killed_with_its_children(method_file, tmp_path):
    noted = tmp_path / "child"
    path = method_file(
        "if not whole: return",
        "import subprocess",
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])",
        f"open({str(noted)!r}, 'w').write(str(child.pid))",
        "time.sleep(60)",
    )
    started = time.monotonic()
    assert ask(path, limit=2).status == "over the limit of 2 s"
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
    monkeypatch.setenv("ROLEARN_PEERS", str(tmp_path))
    assert call("flop", ROWS).status == "not installed"
    peer = known_methods()["flop"].peer
    peer.home.mkdir()
    (peer.home / "receipt.txt").write_text("other packages")
    assert not peer.installed


def test_setting_up_says_why_it_fails(monkeypatch, tmp_path, method_file):
    monkeypatch.setenv("ROLEARN_PEERS", str(tmp_path / "environments"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    path = Path(method_file("return Found('pag', [])"))
    path.write_text("PACKAGES = ('rolearn-has-no-such-package',)\n" + path.read_text())
    peer = find_methods([str(path)])[0].peer
    with pytest.raises(ParameterError, match=r"packages of a-method can't be installed: .*no-such-package"):
        registry.set_up(peer)
    assert not peer.installed


def test_methods_are_named_or_files(method_file):
    path = method_file("return Found('pag', [])")
    assert [method.name for method in find_methods(["default", path, "default"])] == ["default", "method"]
    with pytest.raises(ParameterError, match=r"no method 'defualt' .did you mean 'default'"):
        find_methods(["defualt"])
    with pytest.raises(DataError, match=r"nowhere\.py can't be read"):
        find_methods(["nowhere.py"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("METHODS = {", "can't be read as a method file"),
        ("METHODS = dict(a=1)", "can't be read as a method file"),
        ("x = 1", "it needs METHODS"),
        ("METHODS = {'a': 1}", "it needs METHODS"),
        ("METHODS = {'a': {}}\nPACKAGES = 'numpy'", "PACKAGES of .* is no tuple"),
    ],
)
def test_broken_method_files_are_refused(tmp_path, text, said):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(DataError, match=said):
        find_methods([str(tmp_path / "mine.py")])


def test_names_are_taken_once(tmp_path):
    for folder, name in (("a", "default"), ("b", "mine"), ("c", "mine")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.py").write_text(f"METHODS = {{{name!r}: {{}}}}")
    with pytest.raises(ParameterError, match="choose another name"):
        find_methods([str(tmp_path / "a" / "m.py")])
    with pytest.raises(ParameterError, match="two files"):
        find_methods([str(tmp_path / "b" / "m.py"), str(tmp_path / "c" / "m.py")])


def test_versions_tell_texts_apart(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("METHODS = {'mine': {}}")
    before = find_methods([str(path)])[0].version
    path.write_text("METHODS = {'mine': {'a': 1}}")
    assert find_methods([str(path)])[0].version != before
    assert known_methods()["default"].version.count("+") == 1
    assert known_methods()["flop"].version == "0.3.0"


def test_ours_is_run_like_a_peer():
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((2000, 3))
    rows[:, 2] += rows[:, 0] + rows[:, 1]
    outcome = call("default-no-latents", rows, limit=300)
    assert outcome.status == "ok"
    assert outcome.marks.tolist() == [[0, 0, 2], [0, 0, 2], [3, 3, 0]]
    assert outcome.seconds > 0
    assert outcome.peak_mb > 10
