"""How time and memory grow with the rows of a file that is summed up in one pass.

    python benchmarks/out_of_core.py [--rows 500000,1000000,2000000,5000000] [--columns 20]
        [--formats parquet,csv] [--kinds numbers,mixed,levels]

Writes files batch by batch into a temporary folder, sums each up by the `from_file` of the statistics that
suit it in a process of its own, and writes `results/out_of_core.csv`: the size of the file and of its
numbers in memory, seconds, processor seconds, the most memory the process took, how much of it was there
before the first row, and the distinct rows of levels. Rows of a size that was measured before are replaced.

Numbers are normal, levels are text of four categories, half of the columns of mixed tables each. Columns of
levels follow the one before in nine of ten rows. The correlation of two columns of numbers is checked against
that of the rows as they were written.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import csv, parquet
from tables import RESULTS, read_csv, show_and_write

BATCH = 100_000
LEVELS = pyarrow.array(["never", "rarely", "often", "always"])
STATISTICS = {"numbers": "Gaussian", "mixed": "DegenerateGaussian", "levels": "Discrete"}
MEASURED = """
import json, resource, sys, time
import rolearn
from rolearn.data.batches import file_batches
import pyarrow.csv, pyarrow.parquet, threadpoolctl
kind = getattr(rolearn, sys.argv[2])
if sys.argv[2] == "Discrete":  # compiled by now
    kind.from_batches([[["a", "b"], ["b", "b"]] * 4 + [["a", "a"], ["b", "a"]] * 3])
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, started, processor = peak(), time.perf_counter(), time.process_time()
statistics = kind.from_file(sys.argv[1])
print(json.dumps({
    "seconds": time.perf_counter() - started, "processor_seconds": time.process_time() - processor,
    "peak_mb": peak(), "before_mb": before, "n": statistics.n_samples,
    "distinct": len(statistics.arrays.weights) if sys.argv[2] == "Discrete" else None,
    "r": statistics.arrays.correlation[0, 1] if sys.argv[2] == "Gaussian" else None,
}))
"""


def batches(n_rows: int, n_columns: int) -> Iterator[np.ndarray]:
    """Draw rows, the second column half of the first."""
    generator = np.random.default_rng([n_rows, n_columns])
    for start in range(0, n_rows, BATCH):
        rows = generator.standard_normal((min(BATCH, n_rows - start), n_columns))
        if n_columns > 1:
            rows[:, 1] += 0.5 * rows[:, 0]
        yield rows


def levels_of(generator: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw codes, each column that before it in nine of ten rows."""
    codes = generator.integers(0, 4, (n_rows, n_columns), dtype=np.int8)
    for j in range(1, n_columns):
        same = generator.random(n_rows, dtype=np.float32) < 0.9
        codes[same, j] = codes[same, j - 1]
    return codes


def write(path: Path, kind: str, n_rows: int, n_columns: int) -> float:
    """Write a file batch by batch; gives the correlation of its first two columns of numbers."""
    n_levels = {"numbers": 0, "mixed": n_columns // 2, "levels": n_columns}[kind]
    names = [f"c{i}" for i in range(n_columns)]
    types = [pyarrow.float64()] * (n_columns - n_levels) + [pyarrow.string()] * n_levels
    schema = pyarrow.schema(list(zip(names, types, strict=True)))
    writer_of = parquet.ParquetWriter if path.suffix == ".parquet" else csv.CSVWriter
    sums, generator = np.zeros((2, 2)), np.random.default_rng([n_rows, n_columns, 1])
    with writer_of(str(path), schema) as writer:
        for rows in batches(n_rows, n_columns - n_levels):
            codes = levels_of(generator, len(rows), n_levels) if n_levels else rows[:, :0]
            levels = [LEVELS.take(pyarrow.array(column)) for column in codes.T]
            writer.write_table(pyarrow.table([*map(pyarrow.array, rows.T), *levels], schema=schema))
            sums += rows[:, :2].T @ rows[:, :2] if rows.shape[1] else np.eye(2)  # means are 0 but for chance
    return float(sums[0, 1] / np.sqrt(sums[0, 0] * sums[1, 1]))


def measure(path: Path, kind: str, n_rows: int, n_columns: int) -> dict:
    """Sum up a file in a process of its own."""
    expected = write(path, kind, n_rows, n_columns)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path), STATISTICS[kind]],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["n"] == n_rows
    # the sums above don't take the means off
    assert found["r"] is None or abs(found["r"] - expected) < 20 / n_rows
    return {
        "kind": kind,
        "format": path.suffix[1:],
        "rows": n_rows,
        "columns": n_columns,
        "file_mb": f"{path.stat().st_size / 2**20:.0f}",
        "numbers_mb": f"{n_rows * n_columns * 8 / 2**20:.0f}",
        **{key: f"{found[key]:.2f}" for key in ("seconds", "processor_seconds")},
        **{key: f"{found[key]:.0f}" for key in ("peak_mb", "before_mb")},
        "distinct": "" if found["distinct"] is None else str(found["distinct"]),
    }


def _key(row: dict) -> tuple:
    kinds, formats = list(STATISTICS), ["parquet", "csv"]
    return kinds.index(row["kind"]), formats.index(row["format"]), int(row["columns"]), int(row["rows"])


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--rows", default="500000,1000000,2000000,5000000")
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--formats", default="parquet,csv")
    parser.add_argument("--kinds", default="numbers,mixed,levels")
    arguments = parser.parse_args()
    for kind in arguments.kinds.split(","):
        for suffix in arguments.formats.split(","):
            for n_rows in map(int, arguments.rows.split(",")):
                with tempfile.TemporaryDirectory() as folder:
                    row = measure(Path(folder) / f"table.{suffix}", kind, n_rows, arguments.columns)
                before = read_csv(RESULTS / "out_of_core.csv")
                rows = {_key(other): other for other in [*before, row]}
                show_and_write([rows[key] for key in sorted(rows)], RESULTS / "out_of_core.csv")


if __name__ == "__main__":
    main()
