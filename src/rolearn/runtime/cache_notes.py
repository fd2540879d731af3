"""Notes on the compiled kernels on disk: all that a default fit needs are there, or a process is at them.

They are read without numba, whose import takes a second on a slow machine.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["all_compiled", "claim_compiling", "note_all_compiled"]

_PACKAGE = Path(__file__).parents[1]
_CLAIM_SECONDS = 300.0  # whoever has compiled for longer than that was ended


def all_compiled() -> bool:
    """Whether all kernels of a default fit are in the cache on disk, as far as is noted.

    True, too, where nothing is compiled.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    try:
        state, kept = _note("compiled").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return state == _state() and Path(kept).exists()


def note_all_compiled() -> None:
    """Note that they are; where nothing is kept, nothing is noted."""
    from rolearn.runtime.compile import cached_file

    kept = cached_file()
    if kept is not None:
        _write("compiled", f"{_state()}\n{kept}\n")
    with suppress(OSError):
        _note("compiling").unlink(missing_ok=True)


def claim_compiling() -> bool:
    """Take it on to have them compiled; False if another process did within the last five minutes."""
    try:
        age = time.time() - _note("compiling").stat().st_mtime
    except OSError:
        age = _CLAIM_SECONDS
    return not 0.0 <= age < _CLAIM_SECONDS and _write("compiling", "")


def _write(what: str, text: str) -> bool:
    note = _note(what)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, encoding="utf-8")
    except OSError:
        return False
    return True


def _note(what: str) -> Path:
    """Give the path of a note: where numba is told to keep kernels, else beside them, else at home."""
    told = os.environ.get("NUMBA_CACHE_DIR")
    beside = _PACKAGE / "runtime" / "__pycache__"
    if told:
        folder = Path(told)
    elif os.access(beside if beside.exists() else beside.parent, os.W_OK):
        folder = beside
    else:
        folder = Path.home() / ".cache" / "rolearn"
    tree = hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:12]
    return folder / f"rolearn-{tree}-py{sys.version_info[0]}{sys.version_info[1]}.{what}"


def _state() -> str:
    """Give what compiled kernels depend on: versions, the processor and their texts."""
    texts = [path.stat() for path in sorted(_PACKAGE.rglob("*_kernels.py"))]
    parts = [
        *(_version(package) for package in ("numba", "llvmlite", "numpy")),
        platform.python_version(),
        _processor(),
        *(f"{text.st_mtime_ns} {text.st_size}" for text in texts),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n\n", 1)[0].splitlines()
        told = ("vendor_id", "cpu family", "model", "flags", "Features", "CPU part")
        return "\n".join(line for line in lines if line.startswith(told))
    return platform.processor()
