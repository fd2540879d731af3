"""How often tests of discrete and mixed columns reject an independence that holds.

    python benchmarks/calibration.py [--draws 400] [-o calibration.csv]

Given columns of levels, x and y depend on the first two of these and not on each other. For each test the
share of draws with p below .05, and the mean p; "plain" ones are without the scaling of the statistic to its
mean that `rolearn.independence.discrete_kernels` does. `skewed` levels are the rarer the higher.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.stats import chi2
from tables import RESULTS, show_and_write

from rolearn.independence import DegenerateGaussian, Discrete

# rows, levels, columns given, skewed
CASES = [
    (100, 2, 2, False),
    (100, 3, 2, False),
    (100, 3, 3, False),
    (1000, 3, 2, True),
    (1000, 3, 3, False),
    (1000, 4, 3, False),
    (5000, 3, 3, True),
    (5000, 4, 2, True),
    (5000, 4, 3, False),
]


def draw(n: int, levels: int, n_given: int, skewed: bool, generator: np.random.Generator) -> np.ndarray:
    """Draw codes of x, y and those given."""
    uniform = generator.random((n, n_given))
    given = (levels * (uniform**3 if skewed else uniform)).astype(int)
    stratum = given[:, 0] * levels + (given[:, 1] if n_given > 1 else 0)
    weights = 1.0 + generator.standard_normal((levels**2, levels)) ** 2 / 2
    bounds = np.cumsum(weights / weights.sum(1, keepdims=True), axis=1)[stratum, :-1]
    pair = [(generator.random((n, 1)) > bounds).sum(1) for _ in range(2)]
    return np.column_stack([*pair, given]).astype(float)


def plain(codes: np.ndarray, levels: int) -> tuple[float, float]:
    """Give the p-values of G-square and chi-square as they are, with the same degrees of freedom."""
    keys = np.unique(codes[:, 2:], axis=0, return_inverse=True)[1].reshape(-1)
    cells = np.zeros((keys.max() + 1, levels, levels))
    np.add.at(cells, (keys, codes[:, 0].astype(int), codes[:, 1].astype(int)), 1)
    rows, columns = cells.sum(2), cells.sum(1)
    expected = rows[:, :, None] * columns[:, None, :] / cells.sum((1, 2))[:, None, None]
    degrees = (((rows > 0).sum(1) - 1) * ((columns > 0).sum(1) - 1)).sum()
    there = cells > 0
    ratio = 2 * (cells[there] * np.log(cells[there] / expected[there])).sum()
    pearson = ((cells - expected)[expected > 0] ** 2 / expected[expected > 0]).sum()
    return float(chi2.sf(ratio, degrees)), float(chi2.sf(pearson, degrees))


def p_values(codes: np.ndarray, levels: int) -> dict[str, float]:
    """Give the p-value of x and y by each test."""
    names = [f"c{i}" for i in range(codes.shape[1])]
    counts = np.full(len(names), levels)
    ours = {test: Discrete.of_rows(codes, counts, names, test) for test in ("g-square", "chi-square")}
    ours["degenerate-gaussian"] = DegenerateGaussian.of_rows(codes, counts, names)
    found = {test: made.p_value("c0", "c1", names[2:]) for test, made in ours.items()}
    found["plain g-square"], found["plain chi-square"] = plain(codes, levels)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "calibration.csv")
    arguments = parser.parse_args()
    rows = []
    for n, levels, n_given, skewed in CASES:
        generator = np.random.default_rng([n, levels, n_given, skewed])
        drawn = [
            p_values(draw(n, levels, n_given, skewed, generator), levels) for _ in range(arguments.draws)
        ]
        row = {"rows": n, "levels": levels, "given": n_given, "skewed": int(skewed)}
        for test in drawn[0]:
            p = np.array([found[test] for found in drawn])
            row[f"{test} below .05"] = f"{(p < 0.05).mean():.3f}"
            row[f"{test} mean"] = f"{p.mean():.2f}"
        rows.append(row)
    show_and_write(rows, arguments.output)


if __name__ == "__main__":
    main()
