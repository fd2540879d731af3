"""Plain text, one edge a line, for people; it isn't read back."""

from __future__ import annotations

from rolearn.export.format import Format

__all__ = ["FORMAT"]

FORMAT = Format("txt", (".txt",), lambda graph: f"{graph}\n", None)
