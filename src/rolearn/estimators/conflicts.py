"""Contradictions among separating sets, in words."""

from __future__ import annotations

from typing import NamedTuple

from rolearn.graphs.orientation import Conflict

__all__ = ["NamedConflict"]


class NamedConflict(NamedTuple):
    """A contradiction by names; its text says what it is.

    ``kind`` is "collider" for an unshielded triple (a, b, c) that the graph shows otherwise than its
    separating set has it, or "rule" for an edge (a, b) whose mark at b was concluded both ways at once.
    """

    kind: str
    variables: tuple[str, ...]

    @classmethod
    def of(cls, conflict: Conflict, names: tuple[str, ...]) -> NamedConflict:
        """Name the vertices of a conflict."""
        return cls(conflict.kind, tuple(names[i] for i in conflict.vertices))

    def __str__(self) -> str:
        if self.kind == "collider":
            a, b, c = self.variables
            return (
                f"{a}, {b}, {c}: what separates {a} and {c} contradicts the marks at {b}, "
                "which other separating sets require"
            )
        a, b = self.variables
        return f"{a}, {b}: separating sets require both an arrowhead and a tail at {b}; the arrowhead stands"
