"""What the site works out when it is built, so that it can't be out of date.

``<!-- measured: accuracy -->`` in a page becomes a table from benchmarks/results, and
``<!-- help: learn -->`` the help of a command; ``<!-- method: flop -->`` becomes a method's file.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

TOP = Path(__file__).parent.parent
RESULTS = TOP / "benchmarks" / "results"
METHODS = TOP / "src" / "rolearn" / "benchmarks" / "methods"
Rows = list[dict[str, str]]
_MEASURED = "0.1.0+bd18b2d2"  # accuracy.csv may have several; nothing in it says which is the last

_PROBLEMS = {
    "er50": "random, 50 of 55 variables",
    "er50-many-rows": "the same, 500 rows a variable",
    "er100-no-latents": "random, 100 variables, none hidden",
    "insurance": "Insurance, 24 of 27",
    "water": "Water, 29 of 32",
    "ecoli70": "Ecoli70, 43 of 46",
    "hailfinder": "Hailfinder, 53 of 56",
    "hepar2": "Hepar2, 65 of 70",
    "arth150": "Arth150, 100 of 107",
    "weak5000": "weak effects, 50 of 55, 5000 rows",
    "weak1000": "weak effects, 50 of 55, 1000 rows",
}


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put the tables and helps into a page (called by mkdocs)."""
    markdown = re.sub(r"<!-- method: (\w+) -->", lambda match: method_file(match[1]), markdown)
    markdown = re.sub(r"<!-- measured: (\w+) -->", lambda match: TABLES[match[1]](), markdown)
    return re.sub(r"<!-- help: (\w+) -->", lambda match: help_of(match[1]), markdown)


def method_file(name: str) -> str:
    """Show the file of a benchmark's method."""
    return f"```python\n{(METHODS / f'{name}.py').read_text(encoding='utf-8')}```"


def help_of(command: str) -> str:
    """Run a command for its help."""
    program = [sys.executable, "-c", "from rolearn.cli import main; main()", command, "--help"]
    text = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    return f"```text\n$ rolearn {command} --help\n{text.rstrip()}\n```"


def read(name: str) -> Rows:
    """Read a CSV of the results."""
    with (RESULTS / name).open(newline="") as file:
        return list(csv.DictReader(file))


def latest(rows: Rows, keys: Iterable[str]) -> Rows:
    """Keep the last row of each key: a measurement takes the place of earlier ones."""
    found = {tuple(row[key] for key in keys): row for row in rows}
    return list(found.values())


def table(head: list[str], rows: Iterable[list[str]], n_words: int = 1) -> str:
    """Write a table; its first `n_words` columns are words, the others numbers."""
    lines = [head, ["---"] * n_words + ["---:"] * (len(head) - n_words), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def accuracy() -> str:
    """Give the default learner's figures on seeded problems, means over repetitions."""
    rows = [row for row in read("accuracy.csv") if row["version"] == _MEASURED]
    rows = [row for row in rows if row["method"] == "rolearn" and row["status"] == "ok"]
    if not rows:
        raise ValueError(f"accuracy.csv has no version {_MEASURED}; name the one to show in {__file__}")

    def line(problem: str, title: str) -> list[str]:
        of = [row for row in rows if row["problem"] == problem]
        figures = [f"{mean(float(row[key]) for row in of):{form}}" for key, form in _ACCURACY]
        valid = f"{sum(row['valid'] == '1' for row in of)} of {len(of)}"
        return [title, str(len(of)), *figures[:2], valid, figures[2]]

    known = {row["problem"] for row in rows}
    lines = [line(problem, title) for problem, title in _PROBLEMS.items() if problem in known]
    return table(["problem", "draws", "skeleton F1", "wrong marks", "valid PAG", "seconds"], lines)


_ACCURACY = (("f1", ".3f"), ("wrong_marks", ".1f"), ("seconds", ".1f"))


def speed() -> str:
    """Give time and memory over the number of variables."""
    rows = [row for row in read("speed_flop.csv") if row["status"] == "ok"]
    wanted = {
        "rolearn": "rolearn",
        "rolearn-no-latents-one-start": "without latents, one start",
        "flop": "FLOP",
    }
    lines = [
        [
            row["variables"],
            row["degree"],
            row["rows"],
            wanted[row["method"]],
            f"{float(row['seconds']):.1f}",
            row["peak_mb"],
        ]
        for row in latest(rows, ("variables", "degree", "rows", "repetition", "method"))
        if row["method"] in wanted
    ]
    return table(["variables", "degree", "rows", "method", "seconds", "peak MB"], lines)


def growth() -> str:
    """Give processor seconds over the number of variables and their degree."""
    wanted = ("rolearn", "rolearn-one-start", "rolearn-no-latents-one-start")
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in read("speed_growth.csv"):
        found.setdefault((row["variables"], row["degree"]), {})[row["method"]] = row["processor_seconds"]
    lines = [
        [variables, degree, *(f"{float(seconds[method]):.1f}" for method in wanted)]
        for (variables, degree), seconds in found.items()
    ]
    return table(["variables", "degree", "default", "one start", "one start without latents"], lines)


def exact() -> str:
    """Give how far value iteration reaches."""
    lines = [
        [row["n"], row["cost_kind"], f"{float(row['seconds']):.1f}", row["peak_gb"]]
        for row in read("exact_growth.csv")
        if row["proved"] == "True"
    ]
    return table(["variables", "cost", "seconds", "peak GB"], lines)


def page() -> str:
    """Give the size of report pages, the time to write and to draw them."""
    lines = [
        [row["variables"], row["edges"], row["kilobytes"], row["written_seconds"], row["drawn_ms"]]
        for row in read("report_page.csv")
    ]
    return table(["variables", "edges", "kB", "to write, processor s", "to draw in Chromium, ms"], lines)


def mixed() -> str:
    """Give the figures of mixed and discrete tables, beside others', means over draws."""
    methods = {
        "rolearn": "rolearn",
        "boss-fci": "Tetrad BOSS-FCI, penalty 2",
        "tetrad-fci": "Tetrad FCI",
        "fci-gsq": "causal-learn FCI",
        "pc-gsq": "causal-learn PC",
    }
    found: dict[tuple[str, str], Rows] = {}
    for row in read("mixed_discrete.csv"):
        if row["method"] in methods and row["status"] == "ok":
            found.setdefault((row["problem"], row["method"]), []).append(row)
    lines = [
        [
            problem,
            methods[method],
            *(f"{mean(float(row[key]) for row in found[problem, method]):{form}}" for key, form in _MIXED),
        ]
        for problem in dict.fromkeys(problem for problem, _ in found)
        for method in methods
        if (problem, method) in found
    ]
    return table(["table", "method", "skeleton F1", "wrong marks", "processor s"], lines, 2)


_MIXED = (("f1", ".3f"), ("wrong_marks", ".1f"), ("processor_seconds", ".2f"))


def missing() -> str:
    """Give the accuracy with missing cells, by what is done about them."""
    ways = ("complete", "listwise", "as chosen")
    found = {
        (row["rows"], row["missing"], row["way"]): row["skeleton F1"] for row in read("imperfect_missing.csv")
    }
    cases = dict.fromkeys((rows, share) for rows, share, _ in found)
    lines = [
        [f"{rows}, {float(share):.0%}", *(found.get((rows, share, way), "too few rows") for way in ways)]
        for rows, share in cases
    ]
    return table(["rows, cells missing", "complete table", "listwise", "pairwise"], lines)


def knowledge() -> str:
    """Give what true background knowledge costs and gains, means over draws."""
    found: dict[str, Rows] = {}
    for row in read("knowledge.csv"):
        found.setdefault(row["knowledge"], []).append(row)
    keys = (("seconds", ".2f"), ("settled", ".0f"), ("wrong_of_data", ".0f"))
    lines = [
        [name, *(f"{mean(float(row[key]) for row in rows):{form}}" for key, form in keys)]
        for name, rows in found.items()
        if name != "empty"
    ]
    return table(["knowledge", "seconds", "marks settled", "wrong marks in `pag_`"], lines)


def bootstrap() -> str:
    """Give the time of bootstraps."""
    lines = [
        [
            f"{row['columns']} columns, {row['rows']} rows",
            row["resamples"],
            row["resample"],
            f"{float(row['processor_seconds']):.1f}",
        ]
        for row in read("bootstrap_time.csv")
    ]
    return table(["table", "resamples", "drawn", "processor s"], lines)


def memory() -> str:
    """Give time and memory of one pass over a file."""
    lines = [
        [
            row["kind"],
            row["format"],
            f"{int(row['rows']):,}",
            row["file_mb"],
            f"{float(row['processor_seconds']):.1f}",
            row["peak_mb"],
            row["before_mb"],
            f"{int(row['distinct']):,}" if row["distinct"] else "",
        ]
        for row in read("out_of_core.csv")
    ]
    head = ["columns", "file", "rows", "its MB", "processor s", "peak MB", "of it before reading", "distinct"]
    return table(head, lines)


def proofs() -> str:
    """Give which orders were proved to be the cheapest, by best-first search and by cutting planes."""
    rows = [{**row, "method": "best-first"} for row in read("exact_proofs.csv")] + read(
        "exact_cutting_planes.csv"
    )
    lines = [
        [
            row["problem"],
            row["variables"],
            row["method"],
            *_proof(row),
            f"{float(row['processor_seconds']):.0f}",
        ]
        for row in sorted(rows, key=lambda row: row["problem"].startswith("degree"))
    ]
    return table(["network", "variables", "method", "proved", "gap", "processor s"], lines)


def _proof(row: dict[str, str]) -> tuple[str, str]:
    return ("yes", "0") if row["proved"] == "True" else ("no", f"{float(row['gap']):,.0f}")


TABLES: dict[str, Callable[[], str]] = {
    "accuracy": accuracy,
    "speed": speed,
    "growth": growth,
    "exact": exact,
    "page": page,
    "mixed": mixed,
    "missing": missing,
    "knowledge": knowledge,
    "bootstrap": bootstrap,
    "memory": memory,
    "proofs": proofs,
}
