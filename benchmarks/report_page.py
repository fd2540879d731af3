"""How large is a report page, how long does it take to write, and how soon has Chromium drawn it?

python benchmarks/report_page.py [--variables 11,60,150,500] [--output results/report_page.csv]

Fitting and writing are in processor seconds. Drawn means two frames after the script has begun, by the clock:
graph, tables and details are there. Needs Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from chromium import Browser, chromium

import rolearn
from rolearn.data.simulation import random_dag, simulate

_COLUMNS = ["variables", "edges", "kilobytes", "fit_seconds", "written_seconds", "drawn_ms", "loads"]


def measured(n: int, browser: Browser, folder: Path, loads: int) -> dict[str, object]:
    hidden = max(n // 10, 1)
    dag = random_dag(n + hidden, 3.0 / (n + hidden - 1), np.random.default_rng(n))
    table = simulate(dag, 50 * n, hidden, seed=n).table
    started = time.process_time()
    model = rolearn.learn(table)
    fitted = time.process_time()
    path = folder / f"{n}.html"
    rolearn.write_report(model, path)
    written = time.process_time()
    drawn = []
    for _ in range(loads):
        with browser.open(path) as page:
            drawn.append(int(page.evaluate("Number(document.documentElement.dataset.drawn)")))
            assert page.complaints() == []
    return {
        "variables": n,
        "edges": model.pag_.n_edges,
        "kilobytes": round(path.stat().st_size / 1000),
        "fit_seconds": f"{fitted - started:.1f}",
        "written_seconds": f"{written - fitted:.1f}",
        "drawn_ms": round(median(drawn)),
        "loads": loads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--variables", default="11,60,150,500")
    parser.add_argument("--loads", type=int, default=5, help="of each page; the median counts")
    parser.add_argument("--output", default=str(Path(__file__).parent / "results" / "report_page.csv"))
    options = parser.parse_args()
    program = chromium()
    if program is None:
        sys.exit("Chromium is not on the PATH")
    rolearn.learn(np.random.default_rng(0).standard_normal((50, 3)))  # compiles
    with tempfile.TemporaryDirectory() as name, open(options.output, "w", newline="") as file:
        folder = Path(name)
        browser = Browser(program, folder / "profile")
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        for n in map(int, options.variables.split(",")):
            row = measured(n, browser, folder, options.loads)
            writer.writerow(row)
            print(row, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
