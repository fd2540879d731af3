"""Means of runs with their standard errors, as a text table and a figure."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rolearn.benchmarks.plans import Benchmark
from rolearn.benchmarks.published import published_f1
from rolearn.benchmarks.rows import Row
from rolearn.metrics.intervals import half_interval, half_interval_of_groups
from rolearn.runtime import alignment
from rolearn.runtime.errors import ParameterError

__all__ = ["aligned", "figure", "in_order", "summary"]

MEAN, PUBLISHED = "mean over problems", "paper's F1"
COLUMNS = (
    ("f1", "F1", 3),
    ("wrong_marks", "wrong marks", 1),
    ("arrowhead_f1", "arrowheads", 3),
    ("tail_f1", "tails", 3),
    ("circle_f1", "circles", 3),
)


def summary(rows: Sequence[Row], benchmark: str = "") -> str:
    """Give a line for each problem, place and method: runs that came to an end, means, standard errors.

    F1 of arrowheads, tails and circles stands beside that of skeletons; seconds are the median; the paired
    difference is that of F1 from our default's (the first method's where that isn't there), on runs that both
    ended, with the 80 % interval of its mean. Where there are several problems without places, the means over
    them come last. What the paper published is shown for a benchmark that is one of its tables.
    """
    heads = [
        "problem",
        "at",
        "method",
        "n",
        *(head for _, head, _ in COLUMNS),
        "valid",
        "s",
        "MB",
        "F1 less",
        PUBLISHED,
        "",
    ]
    groups: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault((row["problem"], row["at"]), {}).setdefault(row["method"], []).append(row)
    lines = []
    first = _reference(rows)
    heads[heads.index("F1 less")] = f"F1 less {first}'s"
    for (problem, at), methods in groups.items():
        for method, mine in methods.items():
            against = "" if method == first else paired(mine, methods.get(first, []))
            published_figure = published_f1(benchmark, problem, method)
            published = "" if published_figure is None else f"{published_figure:.2f}"
            lines.append([problem, at, method, *_cells(mine), against, published, _mishaps(mine)])
    placed = any(row["at"] for row in rows)
    if not placed and len(groups) > 1:
        lines += _over_problems(list(groups.values()), first)
    unused = set() if placed else {1}
    if not any(line[-2] for line in lines):
        unused.add(len(heads) - 2)
    return aligned(_without(heads, unused), [_without(line, unused) for line in lines])


def _without(cells: Sequence[str], places: set[int]) -> list[str]:
    return [cell for place, cell in enumerate(cells) if place not in places]


def _reference(rows: Sequence[Row]) -> str:
    """Choose the method that others are compared with."""
    methods = [row["method"] for row in rows]
    return "default" if "default" in methods else next(iter(methods), "")


def _over_problems(groups: Sequence[dict[str, list[Row]]], first: str) -> list[list[str]]:
    """Give a line for each method: means of the means of problems, over those where it came to an end."""
    lines = []
    for method in dict.fromkeys(method for methods in groups for method in methods):
        mine = [_done(methods.get(method, [])) for methods in groups]
        ended = [rows for rows in mine if rows]
        cells = []
        for column, _, digits in COLUMNS:
            means = [np.mean(values) for rows in ended if (values := numbers(rows, column))]
            cells.append(f"{np.mean(means):.{digits}f}" if means else "")
        apart = [
            differences
            for rows, methods in zip(mine, groups, strict=True)
            if (differences := _differences(rows, methods.get(first, []), "f1"))
        ]
        against = ""
        if method != first and apart:
            mean = float(np.mean([np.mean(differences) for differences in apart]))
            against = _with_interval(mean, half_interval_of_groups(apart))
        n = f"{len(ended)}/{len(groups)}"
        lines.append([MEAN, "", method, n, *cells, "", "", "", against, "", ""])
    return lines


def _done(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["status"] == "ok"]


def _cells(rows: list[Row]) -> list[str]:
    done = _done(rows)
    valid = [row["valid"] for row in done if row["valid"]]
    return [
        f"{len(done)}/{len(rows)}",
        *(mean_and_error(numbers(done, column), digits) for column, _, digits in COLUMNS),
        f"{valid.count('1')}/{len(valid)}" if valid else "",
        _median(numbers(done, "seconds"), 3),
        _median(numbers(done, "peak_mb"), 0),
    ]


def numbers(rows: Iterable[Row], column: str) -> list[float]:
    """Give the numbers that a column has."""
    return [float(row[column]) for row in rows if row[column]]


def mean_and_error(values: Sequence[float], digits: int) -> str:
    """Write a mean with its standard error."""
    if not len(values):
        return ""
    mean = f"{np.mean(values):.{digits}f}"
    if len(values) == 1:
        return mean
    return f"{mean} ±{np.std(values, ddof=1) / math.sqrt(len(values)):.{digits}f}"


def paired(rows: Iterable[Row], others: Iterable[Row], column: str = "f1") -> str:
    """Write the mean difference on the runs that both have, and its 80 % interval."""
    differences = _differences(rows, others, column)
    return _with_interval(float(np.mean(differences)), half_interval(differences)) if differences else ""


def _differences(rows: Iterable[Row], others: Iterable[Row], column: str) -> list[float]:
    """Give the differences on the runs that both have."""
    theirs = {row["run"]: float(row[column]) for row in others if row[column]}
    return [float(row[column]) - theirs[row["run"]] for row in rows if row[column] and row["run"] in theirs]


def _with_interval(mean: float, half: float) -> str:
    return f"{mean:+.3f}" if math.isnan(half) else f"{mean:+.3f} [{mean - half:+.3f}, {mean + half:+.3f}]"


def _median(values: Sequence[float], digits: int) -> str:
    return f"{np.median(values):.{digits}f}" if len(values) else ""


def _mishaps(rows: Iterable[Row]) -> str:
    """Count what didn't end well, in words."""
    said = [row["status"] for row in rows if row["status"] != "ok"]
    return "; ".join(f"{said.count(status)} {status}" for status in dict.fromkeys(said))


def aligned(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Align columns, words to the left and numbers to the right."""
    words = ("problem", "method", "network", "")
    return alignment.aligned([heads, *lines], right={i for i, head in enumerate(heads) if head not in words})


def in_order(rows: Iterable[Row], benchmark: Benchmark) -> list[str]:
    """Give the methods that rows are of in the order of the plan, others after them."""
    there = dict.fromkeys(row["method"] for row in rows)
    return list(dict.fromkeys([*(name for name in benchmark.methods if name in there), *there]))


def figure(rows: Sequence[Row], benchmark: Benchmark) -> bytes:
    """Draw the scores of a benchmark as SVG: panels for each problem, or one for all without places.

    Raises
    ------
    ParameterError
        When matplotlib isn't installed, or no run came to an end.
    """
    from rolearn.export.matplotlib_picture import require_matplotlib
    from rolearn.figures import benchmark as draw

    require_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    shown = [row for row in rows if row[benchmark.scores[0]]]
    if not shown:
        raise ParameterError("no run came to an end")
    methods = in_order(rows, benchmark)
    problems: list[str | None] = [None]
    if benchmark.axis:
        problems = list(dict.fromkeys(row["problem"] for row in shown))
    parts = [(score, problem) for score in benchmark.scores for problem in problems]
    across = 1
    if benchmark.axis:  # a row for each score, or two scores side by side
        across = len(problems) if len(problems) > 1 else min(2, len(parts))
    down = -(-len(parts) // across)
    made = Figure(figsize=((4.6 if benchmark.axis else 11) * across + 1.8, 3.4 * down), layout="constrained")
    panels = list(made.subplots(down, across, squeeze=False).flat)
    keys: dict[str, Any] = {}
    for number, axes in enumerate(panels):
        score, problem = parts[number] if number < len(parts) else ("", None)
        mine = [row for row in rows if score and problem in (None, row["problem"]) and row[score]]
        if not mine:
            axes.set_axis_off()
            continue
        draw(mine, score, benchmark.axis, benchmark.against, axes, methods)
        keys |= {key.get_label(): key for key in axes.get_legend_handles_labels()[0]}
        axes.get_legend().remove()
        if problem is not None and len(problems) > 1:
            axes.set_title(problem)
    names = [method for method in methods if method in keys]
    handles = [keys[name] for name in names]
    made.legend(handles=handles, labels=names, loc="outside right upper", frameon=False, fontsize=8)
    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rolearn"}):  # the same rows give the same file
        made.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
