import os

import pytest

from rolearn.runtime import cache_notes
from rolearn.runtime.cache_notes import all_compiled, claim_compiling, note_all_compiled


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for notes, and a compiled file."""
    kept = tmp_path / "kernel.nbi"
    kept.write_bytes(b"")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr("rolearn.runtime.compile.cached_file", lambda: kept)
    return kept


def test_what_is_noted_is_known(cache):
    assert not all_compiled()
    note_all_compiled()
    assert all_compiled()


def test_a_note_is_void_without_the_compiled_files(cache):
    note_all_compiled()
    cache.unlink()
    assert not all_compiled()


@pytest.mark.parametrize("text", ["", "no such state\n", "one\ntwo\nthree\n", "\xff"])
def test_other_text_is_no_note(cache, text):
    note_all_compiled()
    (note,) = cache.parent.joinpath("cache").iterdir()
    note.write_text(text, encoding="latin-1")
    assert not all_compiled()


@pytest.mark.parametrize("changed", ["_version", "_processor"])
def test_a_note_is_void_for_another_compiler_or_processor(cache, monkeypatch, changed):
    note_all_compiled()
    monkeypatch.setattr(cache_notes, changed, lambda *of: "another")
    assert not all_compiled()


def test_a_note_is_void_once_a_kernel_is_written_anew(cache, tmp_path, monkeypatch):
    package = tmp_path / "package"
    package.mkdir()
    kernel = package / "some_kernels.py"
    kernel.write_text("pass\n", encoding="utf-8")
    monkeypatch.setattr(cache_notes, "_PACKAGE", package)
    note_all_compiled()
    assert all_compiled()
    os.utime(kernel, (0, 0))
    assert not all_compiled()


def test_where_nothing_is_compiled_nothing_is_noted_and_nothing_is_missing(cache, monkeypatch):
    monkeypatch.setattr("rolearn.runtime.compile.cached_file", lambda: None)
    note_all_compiled()
    assert not all_compiled()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert all_compiled()


def test_one_process_compiles_at_a_time(cache):
    assert claim_compiling()
    assert not claim_compiling()
    (claim,) = cache.parent.joinpath("cache").iterdir()
    os.utime(claim, (0, 0))  # whoever that was, it has ended long ago
    assert claim_compiling()
    note_all_compiled()  # it is done
    assert claim_compiling()


def test_without_a_place_to_write_to_nobody_compiles_for_later(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernel.nbi" / "below a file"))
    assert not claim_compiling()
    note_all_compiled()
    assert not all_compiled()


def test_notes_are_beside_the_kernels_or_at_home(cache, tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(cache_notes, "_PACKAGE", tmp_path / "package")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    writable = [True]
    monkeypatch.setattr(os, "access", lambda path, mode: writable[0])
    assert cache_notes._note("compiled").parent == tmp_path / "package" / "runtime" / "__pycache__"
    writable[0] = False
    assert tmp_path in cache_notes._note("compiled").parents
    assert tmp_path / "package" not in cache_notes._note("compiled").parents
