"""Notes on the compiled kernels on disk: all that a default fit needs are there, or a process is at them.

They are read without numba, whose import takes a second on a slow machine.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

__all__ = [
    "all_compiled",
    "being_compiled",
    "claim_compiling",
    "give_up_claim",
    "keep_claim",
    "note_all_compiled",
]

_PACKAGE = Path(__file__).parents[1]
_CLAIM_SECONDS = 60.0  # a claim is kept up by whoever holds it; an older one's holder was ended
_IN_KEY = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX", "NUMBA_DISABLE_JIT")


def all_compiled() -> bool:
    """Whether all kernels of a default fit are in the cache on disk, as far as is noted.

    True, too, where nothing is compiled.
    """
    if _disabled():
        return True
    for note in _notes("compiled"):
        with suppress(OSError, ValueError):
            state, *kept = note.read_text(encoding="utf-8").splitlines()
            if state == _state() and kept and all(Path(path).exists() for path in kept):
                return True
    return False


def note_all_compiled() -> None:
    """Note that they are; where nothing is kept, nothing is noted."""
    from rolearn.runtime.compile import cached_files

    kept = cached_files()
    if kept:
        with suppress(OSError):
            _write("compiled", "\n".join([_state(), *map(str, kept)]))
    give_up_claim()


def being_compiled() -> bool:
    """Whether some process has claimed to compile, and was alive within the last minute."""
    for note in _notes("compiling"):
        with suppress(OSError):
            if 0.0 <= time.time() - note.stat().st_mtime < _CLAIM_SECONDS:
                return True
    return False


def claim_compiling() -> bool:
    """Take it on to have them compiled; False if another process is at it, or where nothing can be noted."""
    if being_compiled():
        return False
    give_up_claim()  # of one that has ended
    return _write("compiling", "", mode="x")


def keep_claim() -> None:
    """Say that whoever claimed it is alive."""
    for note in _notes("compiling"):
        with suppress(OSError):
            os.utime(note)


def give_up_claim() -> None:
    """Let another process claim it."""
    for note in _notes("compiling"):
        with suppress(OSError):
            note.unlink()


def _write(what: str, text: str, mode: str = "w") -> bool:
    """Write a note at the first place where that can be done."""
    for note in _notes(what):
        try:
            note.parent.mkdir(parents=True, exist_ok=True)
            with note.open(mode, encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            return False
        except OSError:
            continue
        return True
    return False


def _notes(what: str) -> Iterator[Path]:
    """Give where a note can lie: where numba is told to keep kernels, else beside them, else at home."""
    tree = hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:12]
    name = f"rolearn-{tree}-{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}.{what}"
    told = os.environ.get("NUMBA_CACHE_DIR")
    if told:
        yield Path(told) / name
        return
    yield _PACKAGE / "runtime" / "__pycache__" / name
    with suppress(RuntimeError):  # nobody's home
        yield Path.home() / ".cache" / "rolearn" / name


def _state() -> str:
    """Give what compiled kernels depend on: versions, settings, the processor and their texts."""
    texts = [path.stat() for path in sorted(_PACKAGE.rglob("*.py")) if not path.is_symlink()]
    parts = [
        *(_installed(package) for package in ("numba", "llvmlite", "numpy")),
        platform.python_version(),
        *(os.environ.get(name, "") for name in _IN_KEY),
        _processor(),
        *(f"{text.st_mtime_ns} {text.st_size}" for text in texts),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _disabled() -> bool:
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT") or 0) != 0
    except ValueError:  # numba takes it for 0
        return False


def _installed(package: str) -> str:
    """Tell one installation of a package from another; to look its version up takes longer."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return ""
    state = os.stat(spec.origin)
    return f"{spec.origin} {state.st_mtime_ns} {state.st_size}"


def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n\n", 1)[0].splitlines()
        told = ("vendor_id", "cpu family", "model", "flags", "Features", "CPU part")
        return "\n".join(line for line in lines if line.startswith(told))
    return platform.processor()
