"""What a search did, and how well its graph fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rolearn.figures.rows import ACCENT, axes_for, rows_of
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cost_trace", "markov_check"]


def cost_trace(trace: Sequence[tuple[float, float]] | Any, axes: Axes | None = None) -> Axes:
    """Draw the lowest cost of an order over the time of a search.

    Parameters
    ----------
    trace : sequence of (float, float), or a fitted ROL
        Seconds and cost, as ``trace_``.
    axes : matplotlib Axes, optional

    Raises
    ------
    ParameterError
        When there is nothing to draw, or matplotlib isn't installed.
    """
    try:
        points = np.array(getattr(trace, "trace_", trace), dtype=float).reshape(-1, 2)
    except (TypeError, ValueError):
        raise ParameterError(
            f"the trace is of type {type(trace).__name__}; give a fitted ROL or pairs of seconds and cost"
        ) from None
    if not len(points):
        raise ParameterError("the trace has no points; there is nothing to draw")
    axes = axes_for(axes)
    axes.step(points[:, 0], points[:, 1], where="post", color=ACCENT)
    axes.plot(points[:, 0], points[:, 1], ".", color=ACCENT)
    axes.set_xlabel("seconds")
    axes.set_ylabel("cost of the best order so far")
    return axes


def markov_check(table: Any, axes: Axes | None = None) -> Axes:
    """Draw the p-values of independences that a graph implies against those of a true one.

    Where the graph holds, p-values are spread evenly from 0 to 1 (those of one graph depend on each other, so
    expect some waves); points far below the line at its left are independences that the rows deny.

    Parameters
    ----------
    table : table with a column ``p_value``
    axes : matplotlib Axes, optional

    Raises
    ------
    ParameterError
        When there is nothing to draw, or matplotlib isn't installed.
    """
    values = [row["p_value"] for row in rows_of(table, ("p_value",), "the table")]
    p_values = np.sort(np.array([value for value in values if value is not None], dtype=float))
    p_values = p_values[np.isfinite(p_values)]
    if not len(p_values):
        raise ParameterError("the table has no p-values; there is nothing to draw")
    axes = axes_for(axes, (4.6, 4.6))
    expected = (np.arange(len(p_values)) + 0.5) / len(p_values)
    axes.plot([0, 1], [0, 1], color="#777777", linewidth=1, label="if the graph holds")
    axes.plot(expected, p_values, ".", color=ACCENT, label=f"{len(p_values)} implied independences")
    axes.set_xlabel("evenly spread")
    axes.set_ylabel("p-value")
    axes.set_aspect("equal")
    axes.legend(frameon=False)
    return axes
