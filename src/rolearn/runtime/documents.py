"""Settings, numbers and versions as the plain data that JSON holds, and files of text."""

from __future__ import annotations

import dataclasses
import math
import platform
from difflib import get_close_matches
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from rolearn._version import __version__
from rolearn.runtime.errors import DataError, ParameterError

__all__ = ["plain", "read_bytes_file", "read_text_file", "versions", "write_bytes_file", "write_text_file"]


def versions() -> dict[str, str]:
    """Give the versions that a result depends on."""
    return {
        "rolearn": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "numba")},
    }


def plain(value: Any) -> Any:
    """Turn a setting or a number into what JSON can hold; objects become their type and parameters."""
    if value is None or isinstance(value, (bool, int, str)):
        return value.name.lower() if isinstance(value, Enum) else value
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [plain(item) for item in value]
    return _plain_object(value)


def _plain_object(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return {"type": type(value).__name__, **plain(value.get_params())}
    name = getattr(value, "__qualname__", None)
    return f"{value.__module__}.{name}" if name else type(value).__name__


def read_bytes_file(path: str | Path) -> bytes:
    """Read a file.

    Raises
    ------
    DataError
        When it isn't there, with the name nearest to it in that folder, or can't be read.
    """
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file{_similar(Path(path))}") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; give the file in it") from None
    except OSError as error:
        raise DataError(f"{path} can't be read: {error.strerror or error}") from None


def _similar(path: Path) -> str:
    try:
        close = get_close_matches(path.name, [p.name for p in path.parent.iterdir()], n=1)
    except OSError:
        return ""
    return f"; did you mean {close[0]!r}?" if close else ""


def read_text_file(path: str | Path) -> str:
    """Read a UTF-8 file.

    Raises
    ------
    DataError
        As `read_bytes_file`, or when it isn't UTF-8.
    """
    try:
        return read_bytes_file(path).decode("utf-8-sig")  # as it is: names may hold line breaks
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text") from None


def write_text_file(path: str | Path, text: str) -> None:
    """Write a UTF-8 file.

    Raises
    ------
    ParameterError
        When the path can't be written.
    """
    write_bytes_file(path, text.encode("utf-8"))


def write_bytes_file(path: str | Path, content: bytes) -> None:
    """Write a file.

    Raises
    ------
    ParameterError
        When the path can't be written.
    """
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise ParameterError(f"{path} can't be written: {error.strerror or error}") from None
