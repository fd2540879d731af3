import os

import pytest

from rolearn.runtime import cache_notes
from rolearn.runtime.cache_notes import (
    all_compiled,
    being_compiled,
    claim_compiling,
    give_up_claim,
    keep_claim,
    note_all_compiled,
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Two compiled files, and no note."""
    files = [tmp_path / "graphs.nbi", tmp_path / "orders.nbi"]
    for file in files:
        file.write_bytes(b"")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr("rolearn.runtime.compile.cached_files", lambda: files)
    return files


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of one file."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "some_kernels.py").write_text("pass\n", encoding="utf-8")
    monkeypatch.setattr(cache_notes, "_PACKAGE", folder)
    return folder


def the_note(tmp_path):
    (note,) = (tmp_path / "cache").iterdir()
    return note


def test_what_is_noted_is_known(kept):
    assert not all_compiled()
    note_all_compiled()
    assert all_compiled()


@pytest.mark.parametrize("k", [0, 1])
def test_a_note_is_void_without_the_compiled_files(kept, k):
    note_all_compiled()
    kept[k].unlink()
    assert not all_compiled()


@pytest.mark.parametrize("text", ["", "no such state\n", "one\ntwo\nthree\n", "\xff"])
def test_other_text_is_no_note(kept, tmp_path, text):
    note_all_compiled()
    the_note(tmp_path).write_text(text, encoding="latin-1")
    assert not all_compiled()


@pytest.mark.parametrize("changed", ["_installed", "_processor"])
def test_a_note_is_void_for_another_compiler_or_processor(kept, monkeypatch, changed):
    note_all_compiled()
    monkeypatch.setattr(cache_notes, changed, lambda *of: "another")
    assert not all_compiled()


def test_an_installation_is_known_by_its_file(tmp_path, monkeypatch):
    assert cache_notes._installed("no_such_package") == ""
    package = tmp_path / "some_package"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = cache_notes._installed("some_package")
    assert before != ""
    os.utime(package / "__init__.py", (0, 0))
    assert cache_notes._installed("some_package") != before


def test_a_note_is_void_for_a_processor_that_numba_is_told_of(kept, monkeypatch):
    note_all_compiled()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert not all_compiled()


def test_a_note_is_void_once_a_kernel_is_written_anew(kept, package):
    note_all_compiled()
    assert all_compiled()
    os.utime(package / "some_kernels.py", (0, 0))
    assert not all_compiled()


def test_links_that_lead_nowhere_are_no_kernels(kept, package):
    try:
        (package / ".#some_kernels.py").symlink_to("nobody@nowhere")
    except OSError:
        pytest.skip("no links here")
    note_all_compiled()
    assert all_compiled()


def test_where_nothing_is_compiled_nothing_is_noted(kept, monkeypatch):
    monkeypatch.setattr("rolearn.runtime.compile.cached_files", lambda: [])
    note_all_compiled()
    assert not all_compiled()


@pytest.mark.parametrize(("setting", "expected"), [("1", True), ("0", False), ("", False), ("false", False)])
def test_nothing_is_missing_where_nothing_is_compiled(kept, monkeypatch, setting, expected):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", setting)
    assert all_compiled() is expected


def test_one_process_compiles_at_a_time(kept, tmp_path):
    assert not being_compiled()
    assert claim_compiling()
    assert being_compiled()
    assert not claim_compiling()
    os.utime(the_note(tmp_path), (0, 0))  # whoever that was, it has ended long ago
    assert not being_compiled()
    assert claim_compiling()
    os.utime(the_note(tmp_path), (0, 0))
    keep_claim()
    assert not claim_compiling()
    give_up_claim()
    assert claim_compiling()
    note_all_compiled()  # it is done
    assert not being_compiled()


def test_without_a_place_to_write_to_nobody_compiles_for_later(kept, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kept[0] / "below a file"))
    assert not claim_compiling()
    assert not being_compiled()
    note_all_compiled()
    assert not all_compiled()


@pytest.mark.parametrize("beside", [True, False])
def test_notes_are_beside_the_kernels_or_at_home(kept, package, tmp_path, monkeypatch, beside):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    if not beside:
        (package / "runtime").write_text("in the way of a folder", encoding="utf-8")
    assert claim_compiling()
    assert (tmp_path / "home").exists() is not beside
    assert not claim_compiling()
    note_all_compiled()
    assert all_compiled()


def test_nobodys_home_is_no_error(kept, package, monkeypatch):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache_notes.Path, "home", nowhere)
    (package / "runtime").write_text("in the way of a folder", encoding="utf-8")
    assert not all_compiled()
    assert not claim_compiling()
