"""How time and memory grow with the rows of a file that is summed up in one pass.

    python benchmarks/out_of_core.py [--rows 500000,1000000,2000000] [--columns 20] [--formats parquet,csv]

Writes files of normal columns batch by batch into a temporary folder, sums each up by `Gaussian.from_file`
in a process of its own, and writes `results/out_of_core.csv`: the size of the file and of its numbers in
memory, seconds, processor seconds, the most memory the process took, and how much of it was there before
the first row. The correlation of two columns is checked against that of the rows as they were written.
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
from tables import RESULTS, show_and_write

BATCH = 100_000
MEASURED = """
import json, resource, sys, time
import rolearn
from rolearn.data.batches import file_batches
import pyarrow.csv, pyarrow.parquet, threadpoolctl
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, started, processor = peak(), time.perf_counter(), time.process_time()
statistics = rolearn.Gaussian.from_file(sys.argv[1])
print(json.dumps({
    "seconds": time.perf_counter() - started, "processor_seconds": time.process_time() - processor,
    "peak_mb": peak(), "before_mb": before, "n": statistics.n_samples, "r": statistics.correlation[0, 1],
}))
"""


def batches(n_rows: int, n_columns: int) -> Iterator[np.ndarray]:
    """Draw rows, the second column half of the first."""
    generator = np.random.default_rng([n_rows, n_columns])
    for start in range(0, n_rows, BATCH):
        rows = generator.standard_normal((min(BATCH, n_rows - start), n_columns))
        rows[:, 1] += 0.5 * rows[:, 0]
        yield rows


def write(path: Path, n_rows: int, n_columns: int) -> float:
    """Write a file batch by batch; gives the correlation of its first two columns."""
    names = [f"c{i}" for i in range(n_columns)]
    schema = pyarrow.schema([(name, pyarrow.float64()) for name in names])
    kind = parquet.ParquetWriter if path.suffix == ".parquet" else csv.CSVWriter
    sums = np.zeros((2, 2))
    with kind(str(path), schema) as writer:
        for rows in batches(n_rows, n_columns):
            writer.write_table(pyarrow.table(dict(zip(names, rows.T, strict=True)), schema))
            sums += rows[:, :2].T @ rows[:, :2]  # their means are 0 but for chance
    return float(sums[0, 1] / np.sqrt(sums[0, 0] * sums[1, 1]))


def measure(path: Path, n_rows: int, n_columns: int) -> dict:
    """Sum up a file in a process of its own."""
    expected = write(path, n_rows, n_columns)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["n"] == n_rows
    assert abs(found["r"] - expected) < 20 / n_rows  # the sums above don't take the means off
    return {
        "format": path.suffix[1:],
        "rows": n_rows,
        "columns": n_columns,
        "file_mb": f"{path.stat().st_size / 2**20:.0f}",
        "numbers_mb": f"{n_rows * n_columns * 8 / 2**20:.0f}",
        **{key: f"{found[key]:.2f}" for key in ("seconds", "processor_seconds")},
        **{key: f"{found[key]:.0f}" for key in ("peak_mb", "before_mb")},
    }


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--rows", default="500000,1000000,2000000,5000000")
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--formats", default="parquet,csv")
    arguments = parser.parse_args()
    rows = []
    for suffix in arguments.formats.split(","):
        for n_rows in map(int, arguments.rows.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                rows.append(measure(Path(folder) / f"table.{suffix}", n_rows, arguments.columns))
    show_and_write(rows, RESULTS / "out_of_core.csv")


if __name__ == "__main__":
    main()
