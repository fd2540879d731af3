import json
import os
import subprocess
import sys

import pytest

from rolearn.cli.cold_start import prepare_kernels, spare_small_table
from rolearn.cli.warm_up import IN_BACKGROUND, LAST_SEARCH_FIRST, main
from rolearn.runtime.cache_notes import all_compiled, claim_compiling

compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Of an empty cache, the processes that are started, none of which is; and whether this one compiles."""
    commands = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **how: commands.append(command[3:]))
    monkeypatch.setattr("rolearn.runtime.compile.stop_compiling", lambda: commands.append("no compiler"))
    monkeypatch.setattr("rolearn.runtime.compile.collect_rarely", lambda: None)
    return commands


@pytest.mark.parametrize(("processors", "expected"), [(1, []), (2, [[LAST_SEARCH_FIRST]])])
def test_a_second_process_compiles_what_is_needed_last(started, monkeypatch, processors, expected):
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    prepare_kernels(quiet=True)
    assert started == expected
    prepare_kernels(quiet=True)
    assert started == expected  # one is at it


@pytest.mark.parametrize("cold", [True, False])
def test_compiling_is_announced(started, monkeypatch, capsys, cold):
    monkeypatch.setattr("rolearn.runtime.compile.cache_is_cold", lambda: cold)
    prepare_kernels(quiet=False)
    assert ("compiling once for this machine" in capsys.readouterr().err) is cold
    prepare_kernels(quiet=True)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("processors", "expected"),
    [
        (1, ["no compiler", [IN_BACKGROUND]]),
        (2, ["no compiler", [IN_BACKGROUND]]),
        (4, ["no compiler", [IN_BACKGROUND], [IN_BACKGROUND, LAST_SEARCH_FIRST]]),
    ],
)
def test_a_small_table_does_not_wait_for_the_compiler(started, monkeypatch, capsys, processors, expected):
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    spare_small_table(quiet=False)
    assert started == expected
    assert "in the background" in capsys.readouterr().err
    spare_small_table(quiet=True)
    assert started == [*expected, "no compiler"]
    assert capsys.readouterr().err == ""


def test_nothing_is_announced_once_all_is_compiled(started, monkeypatch, capsys):
    monkeypatch.setattr("rolearn.runtime.cache_notes.all_compiled", lambda: True)
    prepare_kernels(quiet=False)
    spare_small_table(quiet=False)
    assert started == []
    assert capsys.readouterr().err == ""


@compiled
def test_the_process_beside_notes_that_all_is_compiled(started, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "nice", lambda by: None, raising=False)
    assert not all_compiled()
    assert claim_compiling()
    main([IN_BACKGROUND, LAST_SEARCH_FIRST])
    assert all_compiled()
    assert [path.suffix for path in tmp_path.iterdir() if path.is_file()] == [".compiled"]


def test_a_demo_within_another_process_leaves_the_compiler_alone(started, command):
    assert command("demo", "--quiet").code == 0
    assert "no compiler" not in started


FIRST = """
import atexit, sys
atexit.register(lambda: sys.stderr.write(f"numba: {'numba' in sys.modules}\\n"))
from rolearn.cli import main
main()
"""


def test_a_first_demo_is_done_without_a_compiler_and_finds_the_same(command, tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
        assert claim_compiling()  # so that no process is started beside
    first = subprocess.run(
        [sys.executable, "-c", FIRST, "demo"], env=environment, capture_output=True, text=True, check=True
    )
    assert "in the background" in first.stderr
    assert first.stderr.endswith("numba: False\n")
    assert not list(tmp_path.rglob("*.nbi"))
    found, expected = json.loads(first.stdout), json.loads(command("demo", "--quiet").out)
    assert found["edges"] == expected["edges"]
    assert found["order"] == expected["order"]
    assert found["cost"] == pytest.approx(expected["cost"], abs=1e-6)
