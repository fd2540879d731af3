"""What a sweep found: a graph for each setting, and what changes from one to the next."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rolearn.confidence.patterns import PatternCounts, PatternFrequency
from rolearn.graphs import CPDAG, PAG
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

__all__ = ["Point", "Setting", "Sweep"]


@dataclass(frozen=True)
class Point:
    """The graph at one setting, the cost of its order, and what was decided on the user's behalf."""

    graph: PAG | CPDAG
    cost: float
    notes: tuple[str, ...] = ()


class Setting(NamedTuple):
    """One setting of a sweep.

    Attributes
    ----------
    alpha : float
    penalty : float or None
        None where the cost has none.
    n_edges : int
    cost : float
        Of the order found; costs at different penalties can't be compared.
    changed_by_alpha, changed_by_penalty : int or None
        How many marks (ordered pairs) differ from the graph at the next lower level, or penalty; None where
        there is none.
    stability : float
        The share of marks that agree with those of the graphs at the neighboring settings, in the mean;
        NaN where there are none.
    """

    alpha: float
    penalty: float | None
    n_edges: int
    cost: float
    changed_by_alpha: int | None
    changed_by_penalty: int | None
    stability: float


class Sweep:
    """Graphs over levels and penalties.

    Attributes
    ----------
    alphas_, penalties_ : tuple
        The settings, from low to high; a penalty is None where the cost has none.
    edge_frequencies_ : float array, shape (p, p)
        At which share of the settings each pair is adjacent.
    n_stopped_ : int
        Settings that weren't done at the time limit or a Ctrl-C.
    stop_reason_ : StopReason or None
    feature_names_in_ : array of str
    """

    def __init__(
        self,
        alphas: Sequence[float],
        penalties: Sequence[float | None],
        points: Sequence[Point | None],
        names: Sequence[str],
        stop_reason: StopReason | None,
    ) -> None:
        settings = [(a, b) for a in alphas for b in penalties]
        self._points: dict[tuple[float | None, float | None], Point | None] = dict(
            zip(settings, points, strict=True)
        )
        self.alphas_ = tuple(sorted(alphas))
        self.penalties_ = tuple(sorted(penalties, key=lambda value: value or 0.0))
        self.stop_reason_ = stop_reason
        self.n_stopped_ = sum(point is None for point in points)
        self.feature_names_in_ = np.array(names, dtype=object)
        every = np.arange(len(names))
        self._counts = PatternCounts(names, ((p.graph.marks, every) for p in points if p is not None))

    @property
    def edge_frequencies_(self) -> np.ndarray:
        """At which share of the settings each pair is adjacent, (p, p)."""
        return self._counts.edge_shares()

    def graph(self, alpha: float | None = None, penalty: float | None = None) -> PAG | CPDAG:
        """Give the graph at a setting; what the sweep has one value of may be left out.

        Raises
        ------
        ParameterError
            When there is no such setting, or it was not done.
        """
        level = _only("alpha", alpha, self.alphas_)
        weight = _only("penalty", penalty, self.penalties_)
        point = self._points.get((level, weight))
        if point is None:
            raise ParameterError(f"the sweep was stopped before alpha={level}, penalty={weight}")
        return point.graph

    def frequencies(self, a: Hashable, b: Hashable) -> dict[str, float]:
        """Give at which share of the settings the edge has each pattern, read from a to b.

        Raises
        ------
        ParameterError
            When there is no such variable, or both are the same.
        """
        return self._counts.of_pair(a, b)

    def pattern_table(self) -> list[PatternFrequency]:
        """List the share of settings with each pattern for every pair."""
        return self._counts.table()

    def table(self) -> list[Setting]:
        """List the settings that were done, by penalty and level, from low to high."""
        found = []
        for j, penalty in enumerate(self.penalties_):
            for i, alpha in enumerate(self.alphas_):
                point = self._points[alpha, penalty]
                if point is None:
                    continue
                places = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
                around = [self._changed(point, *place) for place in places]
                known = [change for change in around if change is not None]
                n_marks = point.graph.marks.size - len(point.graph.names)
                stability = 1.0 - float(np.mean(known)) / max(n_marks, 1) if known else float("nan")
                found.append(
                    Setting(alpha, penalty, point.graph.n_edges, point.cost, around[0], around[2], stability)
                )
        return found

    def _changed(self, point: Point, i: int, j: int) -> int | None:
        """Count the marks that differ from the setting there, if there is one."""
        if not (0 <= i < len(self.alphas_) and 0 <= j < len(self.penalties_)):
            return None
        other = self._points[self.alphas_[i], self.penalties_[j]]
        return None if other is None else int(np.count_nonzero(point.graph.marks != other.graph.marks))

    def __str__(self) -> str:
        lines = ["   alpha  penalty  edges          cost  changed  stability"]
        for one in self.table():
            changes = [c for c in (one.changed_by_alpha, one.changed_by_penalty) if c is not None]
            changed = ",".join(map(str, changes)) or "-"
            penalty = "-" if one.penalty is None else f"{one.penalty:g}"
            lines.append(
                f"{one.alpha:>8g}  {penalty:>7}  {one.n_edges:>5}  {one.cost:>12.2f}  {changed:>7}"
                f"  {one.stability:>9.3f}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Sweep({len(self._points) - self.n_stopped_} of {len(self._points)} settings)"


def _only(parameter: str, value: float | None, known: Sequence[float | None]) -> float | None:
    if value is None and len(known) == 1:
        return known[0]
    if value not in known:
        raise ParameterError(f"{parameter} is {value!r}; the sweep has {', '.join(map(str, known))}")
    return value
