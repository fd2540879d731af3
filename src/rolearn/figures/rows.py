"""Plain tables, whoever made them, and axes to draw them in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rolearn.export.matplotlib_picture import require_matplotlib
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ACCENT", "COLORS", "axes_for", "rows_of"]

# Okabe and Ito's colors, told apart also by those who see few of them
ACCENT = "#0072B2"
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#999999", "#000000")


def rows_of(table: Any, needed: tuple[str, ...], what: str) -> list[dict[str, Any]]:
    """Give the rows of a table as dicts; of what has a ``table()``, as a bootstrap or sweep, those of that.

    Raises
    ------
    ParameterError
        When it is no table, has no rows, or lacks a column; names it.
    """
    if callable(getattr(table, "table", None)):
        table = table.table()
    if hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif hasattr(table, "to_dict"):
        rows = table.to_dict("records")
    elif not isinstance(table, Iterable):
        raise ParameterError(f"{what} is of type {type(table).__name__}; give one with {', '.join(needed)}")
    else:
        rows = [_as_dict(row, what) for row in table]
    if not rows:
        raise ParameterError(f"{what} has no rows; there is nothing to draw")
    for name in needed:
        if name not in rows[0]:
            raise ParameterError(f"{what} has no column {name!r}; it has {', '.join(map(str, rows[0]))}")
    return rows


def _as_dict(row: Any, what: str) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    if hasattr(row, "_asdict"):
        return row._asdict()
    raise ParameterError(f"{what} is no table: its rows are {type(row).__name__}, not named tuples or dicts")


def axes_for(axes: Axes | None, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """Give the axes, or those of a new figure in pyplot, so that notebooks and ``plt.show()`` show it.

    Raises
    ------
    ParameterError
        When matplotlib isn't installed.
    """
    require_matplotlib()
    if axes is not None:
        return axes
    from matplotlib import pyplot

    _, made = pyplot.subplots(figsize=size, layout="constrained")
    return made
