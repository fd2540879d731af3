"""The tables and figures of `rolearn benchmark` on the site, from benchmarks/results/paper.

``<!-- side by side: table2 f1 -->`` in a page becomes a table of means, a method in each row,
``<!-- means: table2 -->`` the means over its problems with paired differences,
``<!-- figure: table2 -->`` the benchmark's figure, ``<!-- ended: table2 weak -->`` how many runs of these
benchmarks came to an end, ``<!-- beside the paper: table2 -->`` F1 with what the paper has, and
``<!-- structures -->`` the sizes of the networks.
"""

from __future__ import annotations

import csv
import re
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

from generated import table

from rolearn.benchmarks.plans import BENCHMARKS
from rolearn.benchmarks.published import published_f1
from rolearn.benchmarks.rows import read_rows
from rolearn.benchmarks.summary import MEAN, in_order, summary

FOLDER = Path(__file__).parent.parent / "benchmarks" / "results" / "paper"
_DIGITS = {"f1": 3, "wrong_marks": 1, "valid": 2, "seconds": 2, "processor_seconds": 2, "peak_mb": 0}
Rows = list[dict[str, str]]


def on_files(files, config, **_: object):
    """Add the figures to the site (called by mkdocs)."""
    from mkdocs.structure.files import File

    for path in sorted(FOLDER.glob("*.svg")):
        files.append(File.generated(config, f"figures/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put tables and figures into a page (called by mkdocs)."""
    markdown = re.sub(
        r"<!-- side by side: ([\w-]+) (\w+)((?: [\w.,-]+)*) -->",
        lambda match: side_by_side(match[1], match[2], match[3].split()),
        markdown,
    )
    markdown = re.sub(r"<!-- means: ([\w-]+) -->", lambda match: means(match[1]), markdown)
    markdown = re.sub("<!-- structures -->", lambda _: structures(), markdown)
    markdown = re.sub(
        r"<!-- beside the paper: ([\w-]+) -->", lambda match: beside_the_paper(match[1]), markdown
    )
    markdown = re.sub(r"<!-- ended:((?: [\w-]+)+) -->", lambda match: ended(match[1].split()), markdown)
    return re.sub(r"<!-- figure: ([\w-]+) -->", lambda match: figure(match[1]), markdown)


def figure(benchmark: str) -> str:
    """Show a figure, with its data."""
    return f"![Means of {benchmark} with 80 % intervals](figures/{benchmark}.svg)"


def means(benchmark: str) -> str:
    """Give the last lines of the benchmark's summary, and its heads."""
    heads, *lines = summary(one_version(benchmark), benchmark).splitlines()
    last = [line for line in lines if line.startswith(MEAN)]
    return "\n".join(["```text", *(line[len(MEAN) :].rstrip() for line in [heads, *last]), "```"])


def beside_the_paper(benchmark: str) -> str:
    """Give mean F1 and what the paper has, of the methods that it has."""
    groups: dict[str, dict[str, list[float]]] = {}
    for row in one_version(benchmark):
        if row["f1"] and published_f1(benchmark, row["problem"], row["method"]) is not None:
            groups.setdefault(row["method"], {}).setdefault(row["problem"], []).append(float(row["f1"]))
    problems = list(dict.fromkeys(problem for means in groups.values() for problem in means))
    lines = [
        [
            f"`{method}`",
            *(
                f"{mean(values[problem]):.2f}, {published_f1(benchmark, problem, method):.2f}"
                if problem in values
                else ""
                for problem in problems
            ),
        ]
        for method, values in groups.items()
    ]
    return table(["method", *problems], lines)


def structures() -> str:
    """Show the networks of table 2: vertices, edges, degrees."""
    with (FOLDER / "structures.csv").open(newline="") as file:
        heads, *lines = csv.reader(file)
    return table([head.replace("_", " ") for head in heads], lines)


def ended(benchmarks: list[str]) -> str:
    """Tell of each method how many runs ended of how many, and how the others went."""
    rows = {benchmark: one_version(benchmark) for benchmark in benchmarks}
    methods = dict.fromkeys(
        method for name, of_one in rows.items() for method in in_order(of_one, BENCHMARKS[name])
    )
    lines = [
        [
            f"`{method}`",
            *(_endings([row for row in of_one if row["method"] == method]) for of_one in rows.values()),
        ]
        for method in methods
    ]
    return table(["method", *benchmarks], lines)


def _endings(rows: Rows) -> str:
    statuses = [row["status"] for row in rows]
    done = statuses.count("ok")
    if done == len(rows):
        return f"{done}" if rows else ""
    over = sum(status.startswith("over") for status in statuses)
    others = {"over the limit": over, "failed": len(rows) - done - over}
    said = ", ".join(f"{count} {how}" for how, count in others.items() if count)
    return f"{done} of {len(rows)}: {said}"


def one_version(benchmark: str) -> Rows:
    """Read a benchmark's rows, of which none may be superseded: means would be over both.

    Raises
    ------
    ValueError
        When two rows are of the same run of a method.
    """
    rows = read_rows(FOLDER / f"{benchmark}.csv")
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        run = (row["problem"], row["at"], row["run"], row["method"])
        if run in seen:
            raise ValueError(f"{benchmark}.csv has two rows of {run}; leave the last version's")
        seen.add(run)
    return rows


def side_by_side(benchmark: str, score: str, places: list[str]) -> str:
    """Give means with standard errors, by method, problem and place (all, or those given).

    Fewer runs than others have are marked; a word says why there is no figure.
    """
    rows = [row for row in one_version(benchmark) if not places or row["at"] in places]
    groups: dict[tuple[str, str], dict[str, Rows]] = {}
    for row in rows:
        groups.setdefault((row["problem"], row["at"]), {}).setdefault(row["method"], []).append(row)
    several = len({problem for problem, _ in groups}) > 1
    heads = [" ".join([problem] * several + [at] * bool(at)) or problem for problem, at in groups]
    lines = []
    for method in in_order(rows, BENCHMARKS[benchmark]):
        cells = [_cell(group.get(method, []), score, _most(group)) for group in groups.values()]
        mine = [row for row in rows if row["method"] == method]
        if any(row[score] for row in mine) or all(row["status"] != "ok" for row in mine):
            lines.append([f"`{method}`", *cells])
    return table(["method", *heads], lines)


def _most(group: dict[str, Rows]) -> int:
    """Give how many runs of a problem the method with most of them has."""
    return max(len(rows) for rows in group.values())


def _cell(rows: Rows, score: str, most: int) -> str:
    values = [float(row[score]) for row in rows if row[score]]
    if not values:
        said = next((row["status"] for row in rows if row["status"] != "ok"), "")
        return said.replace("over the limit of", "over").split(":")[0]
    digits = _DIGITS.get(score, 3)
    text = f"{mean(values):.{digits}f}"
    if len(values) > 1 and score in ("f1", "wrong_marks"):
        text += f" ±{stdev(values) / sqrt(len(values)):.{digits}f}"
    return text if len(values) == most else f"{text} ({len(values)} of {most})"
