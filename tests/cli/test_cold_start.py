import json
import os
import subprocess
import sys

import pytest

from rolearn.cli import cold_start
from rolearn.cli.cold_start import compile_for_later, prepare_kernels
from rolearn.cli.warm_up import IN_BACKGROUND, LAST_SEARCH_FIRST, main
from rolearn.runtime.cache_notes import all_compiled, being_compiled, claim_compiling, note_all_compiled

compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
BEGINNING = "compiling once for this machine"


@pytest.fixture
def no_notes(tmp_path, monkeypatch):
    """Nothing is noted, and kernels are to be compiled."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr("rolearn.runtime.compile.collect_rarely", lambda: None)
    monkeypatch.setattr("rolearn.runtime.compile.has_compiler", lambda: True)
    monkeypatch.setattr("rolearn.runtime.cache_notes.all_compiled", all_compiled)


@pytest.fixture
def started(no_notes, monkeypatch):
    """The processes that are started, none of which is."""
    commands = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **how: commands.append(command[3:]))
    return commands


def with_processors(monkeypatch, n):
    monkeypatch.setattr(cold_start, "_n_processors", lambda: n)


@pytest.mark.parametrize(("processors", "expected"), [(1, []), (2, [[LAST_SEARCH_FIRST]])])
def test_a_second_process_compiles_what_is_needed_last(started, monkeypatch, processors, expected):
    with_processors(monkeypatch, processors)
    prepare_kernels(quiet=True)
    assert started == expected
    prepare_kernels(quiet=True)
    assert started == expected  # one is at it


@pytest.mark.parametrize("kept", [[], ["some.nbi"]])
@pytest.mark.parametrize("processors", [1, 2])
def test_compiling_is_announced(started, monkeypatch, capsys, kept, processors):
    with_processors(monkeypatch, processors)
    monkeypatch.setattr("rolearn.runtime.compile.cached_files", lambda: kept)
    prepare_kernels(quiet=True)
    assert capsys.readouterr().err == ""
    prepare_kernels(quiet=False)  # while another process compiles, if there can be one
    assert capsys.readouterr().err.startswith(BEGINNING) is (not kept or processors == 2)


@pytest.mark.parametrize(
    ("processors", "expected"),
    [
        (1, [[IN_BACKGROUND, LAST_SEARCH_FIRST]]),
        (2, [[IN_BACKGROUND, LAST_SEARCH_FIRST]]),
        (4, [[IN_BACKGROUND, LAST_SEARCH_FIRST], [IN_BACKGROUND]]),
    ],
)
def test_others_compile_for_later(started, monkeypatch, capsys, processors, expected):
    with_processors(monkeypatch, processors)
    compile_for_later(quiet=False)
    assert started == expected
    assert "in the background" in capsys.readouterr().err
    compile_for_later(quiet=True)
    assert started == expected
    assert capsys.readouterr().err == ""


def test_a_process_that_cannot_be_started_is_no_error(started, monkeypatch, capsys):
    def refuse(command, **how):
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    compile_for_later(quiet=False)
    assert capsys.readouterr().err == ""
    assert not being_compiled()


def test_nothing_is_announced_once_all_is_compiled(started, monkeypatch, capsys):
    monkeypatch.setattr("rolearn.runtime.cache_notes.all_compiled", lambda: True)
    prepare_kernels(quiet=False)
    assert started == []
    assert capsys.readouterr().err == ""


@compiled
@pytest.mark.parametrize("how", [[], [IN_BACKGROUND, LAST_SEARCH_FIRST]])
def test_the_process_beside_notes_that_all_is_compiled(no_notes, tmp_path, monkeypatch, how):
    monkeypatch.setattr(os, "nice", lambda by: None, raising=False)
    assert not all_compiled()
    assert claim_compiling()
    main(how)
    assert all_compiled()
    assert [path.suffix for path in tmp_path.iterdir() if path.is_file()] == [".compiled"]


def test_a_process_that_fails_gives_up_its_claim(no_notes, monkeypatch):
    def fail(**how):
        raise MemoryError

    monkeypatch.setattr("rolearn.cli.warm_up._compile", fail)
    assert claim_compiling()
    with pytest.raises(MemoryError):
        main([])
    assert not being_compiled()
    assert not all_compiled()


def test_a_demo_within_another_process_leaves_the_compiler_alone(no_notes, monkeypatch, command):
    def stop():
        raise AssertionError("its kernels are others' as well")

    monkeypatch.setattr("rolearn.runtime.compile.stop_compiling", stop)
    assert command("demo", "--quiet").code == 0


def test_a_folder_with_a_module_of_the_same_name_does_no_harm(tmp_path):
    (tmp_path / "rolearn.py").write_text("raise SystemExit(9)", encoding="utf-8")
    script = cold_start._WARM_UP.replace("main(sys.argv[1:])", "print(main.__module__)")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "rolearn.cli.warm_up\n"


DEMO = """
import atexit, sys
import numpy
slow = {"numba", "scipy", "pyarrow", "rich", "numpy.ma", "rolearn.orders.exact_search"}
slow -= set(sys.modules)  # older numpy loads masked arrays itself
atexit.register(lambda: sys.stderr.write(f"imported: {sorted(slow & set(sys.modules))}\\n"))
from rolearn.cli import main
main()
"""


@pytest.mark.parametrize("first", [True, False])
def test_a_demo_is_done_without_a_compiler_and_finds_the_same(
    no_notes, command, tmp_path, first, monkeypatch
):
    if first:
        assert claim_compiling()  # so that no process is started beside
    else:
        kept = tmp_path / "some.nbc"
        kept.write_bytes(b"")
        monkeypatch.setattr("rolearn.runtime.compile.cached_files", lambda: [kept])
        note_all_compiled()
    shown = subprocess.run([sys.executable, "-c", DEMO, "demo"], capture_output=True, text=True, check=True)
    assert ("in the background" in shown.stderr) is first
    assert shown.stderr.endswith("imported: []\n")
    assert not list(tmp_path.rglob("*.nbi"))
    found, expected = json.loads(shown.stdout), json.loads(command("demo", "--quiet").out)
    assert found["edges"] == expected["edges"]
    assert found["order"] == expected["order"]
    assert found["cost"] == pytest.approx(expected["cost"], abs=1e-6)


def test_a_usage_error_compiles_nothing(no_notes, process, tmp_path):
    assert "format" in process("demo", "--format", "nonsense").error
    assert list(tmp_path.iterdir()) == []
