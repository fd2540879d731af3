"""How sure edges are, over resamples of the rows or over settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.export.labels import visible
from rolearn.figures.rows import COLORS, axes_for, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["edge_frequencies", "sweep"]

_PATTERNS = ("-->", "<--", "o->", "<-o", "<->", "o-o", "---", "--o", "o--")


def edge_frequencies(table: Any, axes: Axes | None = None, most: int = 30) -> Axes:
    """Draw how often each pair was adjacent, and with which marks: one bar a pair, the surest on top.

    Parameters
    ----------
    table : table with columns ``source``, ``target``, ``pattern`` and ``frequency``
        A `Bootstrap`, or as its ``table()``; the pattern "none" is no edge.
    axes : matplotlib Axes, optional
    most : int
        Pairs to show.

    Raises
    ------
    ParameterError
        When the table lacks a column or rows, or matplotlib isn't installed.
    """
    rows = rows_of(table, ("source", "target", "pattern", "frequency"), "the table")
    pairs: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        if row["pattern"] != "none":
            shares = pairs.setdefault((row["source"], row["target"]), {})
            shares[row["pattern"]] = shares.get(row["pattern"], 0.0) + row["frequency"]
    ranked = sorted(pairs.items(), key=lambda item: (-sum(item[1].values()), item[0]))[:most]
    shown = [(pair, shares) for pair, shares in ranked if sum(shares.values()) > 0]
    axes = axes_for(axes, (7.0, 1.2 + 0.26 * max(len(shown), 2)))
    starts = np.zeros(len(shown))
    for pattern, color in zip(_PATTERNS, COLORS, strict=True):
        widths = np.array([shares.get(pattern, 0.0) for _, shares in shown])
        if widths.any():
            axes.barh(
                range(len(shown)), widths, left=starts, color=color, edgecolor="white", label=f"A {pattern} B"
            )
            starts += widths
    axes.set_yticks(range(len(shown)), [visible(f"{a}, {b}") for (a, b), _ in shown], parse_math=False)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of resamples (A is the first of the pair)")
    if shown:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return axes


def sweep(table: Any, axes: Axes | None = None, setting: str = "alpha") -> Axes:
    """Draw the number of edges, and how much of the graph stays, over a setting.

    Parameters
    ----------
    table : table with a column of the setting, ``n_edges``, and perhaps ``stability``
        A `Sweep`, or as its ``table()``. Where another setting varies too, the figure has one line for
        each of its values.
    axes : matplotlib Axes, optional
    setting : str
        "alpha" or "penalty".

    Raises
    ------
    ParameterError
        When the table lacks a column or rows, or matplotlib isn't installed.
    """
    rows = rows_of(table, (setting, "n_edges"), "the table")
    axes = axes_for(axes)
    other = "penalty" if setting == "alpha" else "alpha"
    values = sorted({row.get(other) for row in rows}, key=lambda value: value or 0.0)
    for k, value in enumerate(values):
        line = sorted((row[setting], row["n_edges"]) for row in rows if row.get(other) == value)
        label = "edges" if len(values) == 1 else f"edges, {other} {value:g}"
        axes.plot(*zip(*line, strict=True), "o-", color=COLORS[k % len(COLORS)], label=label)
    axes.set_xlabel(setting)
    axes.set_ylabel("edges")
    axes.set_ylim(bottom=0)
    if setting == "alpha" and min(row["alpha"] for row in rows) > 0:
        axes.set_xscale("log")
    stable = sorted((row[setting], row["stability"]) for row in rows if _known(row.get("stability")))
    if stable and len(values) == 1:
        beside = axes.twinx()
        beside.plot(*zip(*stable, strict=True), "s--", color=COLORS[1], label="marks that stay")
        beside.set_ylim(0, 1.02)
        beside.set_ylabel("share of marks that stay at the next setting")
        axes.plot([], [], "s--", color=COLORS[1], label="marks that stay")
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4)
    return axes


def _known(value: float | None) -> bool:
    return value is not None and bool(np.isfinite(value))
