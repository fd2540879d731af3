"""Scores of methods over runs: means and their 80 % intervals, as in the paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.figures.rows import COLORS, axes_for, rows_of
from rolearn.metrics.intervals import half_interval
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["benchmark"]

_MARKERS = "osD^vP*Xd"
_MOST_BANDS = 6  # of more methods bands would cover each other
_LOGARITHMIC = {"seconds", "peak_mb", "rows", "alpha"}


def benchmark(
    table: Any,
    score: str = "f1",
    axis: str = "",
    against: str = "",
    axes: Axes | None = None,
    methods: Sequence[str] = (),
) -> Axes:
    """Draw the mean of a score over runs with its 80 % interval, for each method.

    Intervals along an axis are bands for up to six methods, bars for more.

    Parameters
    ----------
    table : table
        As ``rolearn benchmark`` writes it: columns ``problem``, ``at``, ``method`` and the scores.
    score : str
        The column to show.
    axis : str
        What ``at`` is. Lines go along it; without it, problems stand side by side.
    against : str
        A column for the horizontal axis whose means replace ``at``, as in a ROC plot.
    axes : matplotlib Axes, optional
    methods : sequence of str, optional
        All methods of the figure that the axes are part of, in order: with the same ones a method looks the
        same in each part. Those of the table come after these.

    Raises
    ------
    ParameterError
        When no row has the score, or matplotlib isn't installed.
    """
    rows = [
        row for row in rows_of(table, ("problem", "at", "method", score), "the table") if _has(row, score)
    ]
    if not rows:
        raise ParameterError(f"no run has a value of {score!r}; there is nothing to draw")
    axes = axes_for(axes)
    present = {row["method"] for row in rows}
    methods = list(dict.fromkeys([*methods, *(row["method"] for row in rows)]))
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    for number, method in enumerate(methods):
        if method not in present:
            continue
        mine = [row for row in rows if row["method"] == method]
        style: dict[str, Any] = {
            "color": COLORS[number % len(COLORS)],
            "marker": _MARKERS[(number + number // len(COLORS)) % len(_MARKERS)],
            "markersize": 4,
        }
        if axis:
            style |= {"label": method, "linewidth": 1.2}
            _line(axes, mine, score, against, style, with_band=len(methods) <= _MOST_BANDS)
        else:
            shift = 0.8 * ((number + 0.5) / len(methods) - 0.5)
            columns = [
                problems.index(problem) + shift for problem in dict.fromkeys(row["problem"] for row in mine)
            ]
            means, halves = _means(mine, "problem", score)
            axes.errorbar(columns, means, halves, fmt="none", ecolor=style["color"], capsize=2)
            axes.plot(columns, means, linestyle="none", label=method, **style)
    if not axis:
        axes.set_xticks(range(len(problems)), problems)
    axes.set_xlabel((against or axis).replace("_", " "))
    axes.set_ylabel(score.replace("_", " "))
    if score in _LOGARITHMIC:
        axes.set_yscale("log")
    if axis in _LOGARITHMIC and not against:
        axes.set_xscale("log")
        places = sorted({float(row["at"]) for row in rows})
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.xaxis.minorticks_off()
    axes.legend(frameon=False, fontsize=7, ncols=2)
    return axes


def _line(
    axes: Axes, rows: list[dict[str, Any]], score: str, against: str, style: dict[str, Any], with_band: bool
) -> None:
    rows = sorted(rows, key=lambda row: float(row["at"]))
    means, halves = _means(rows, "at", score)
    if against:
        places, _ = _means(rows, "at", against)
    else:
        places = np.array([float(at) for at in dict.fromkeys(row["at"] for row in rows)])
    axes.plot(places, means, **style)
    if with_band:
        axes.fill_between(
            places, means - halves, means + halves, color=style["color"], alpha=0.15, linewidth=0
        )
    else:
        axes.errorbar(places, means, halves, fmt="none", ecolor=style["color"], elinewidth=0.7, alpha=0.6)


def _means(rows: list[dict[str, Any]], by: str, score: str) -> tuple[np.ndarray, np.ndarray]:
    """Give means, and half the widths of their 80 % intervals by Student's t, 0 for single values."""
    groups: dict[Any, list[float]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(float(row[score]))
    means = np.array([np.mean(values) for values in groups.values()])
    halves = [half_interval(values) if len(values) > 1 else 0.0 for values in groups.values()]
    return means, np.array(halves)


def _has(row: dict[str, Any], column: str) -> bool:
    """Whether there is a number; a CSV read by pandas has nan for an empty cell."""
    value = row[column]
    return value is not None and value != "" and math.isfinite(float(value))
