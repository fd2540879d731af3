"""What is learned from tables with missing cells; which columns are said to suit Gaussian tests badly.

``missing``: mean skeleton F1 of the complete table, its complete rows, and pairs of columns with floors under
the eigenvalues of their correlations. ``warnings``: the share of columns, and of tables, that warn.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from problems import causes_first, draw_rows
from tables import RESULTS, show_and_write

from rolearn import Gaussian, RolearnWarning, learn
from rolearn.data.fit_of_normal import bent_pairs, far_from_normal
from rolearn.data.missing import pair_counts
from rolearn.data.moments import correlation_matrix, pairwise_correlations
from rolearn.independence import Statistics
from rolearn.independence.pairwise import PairwiseGaussian, nearest_correlation, one_number_of

N_COLUMNS = 10
NAMES = [f"X{i + 1}" for i in range(N_COLUMNS)]
CASES = ((2000, 0.3), (2000, 0.1), (300, 0.3), (300, 0.1))
SHARES = {"half the noise": 0.25, "as chosen": 0.5, "the noise": 1.0}
FLOORS = (0.001, 0.1)


def ways(rows: np.ndarray, holed: np.ndarray) -> Iterator[tuple[str, Statistics]]:
    """Give statistics by the name of how they treat missing cells."""
    yield "complete", Gaussian(correlation_matrix(rows), len(rows), NAMES)
    whole = holed[~np.isnan(holed).any(axis=1)]
    if len(whole) > 2 * N_COLUMNS:
        yield "listwise", Gaussian(correlation_matrix(whole), len(whole), NAMES)
    correlation, counts = pairwise_correlations(holed), pair_counts(holed)
    noise = np.sqrt(N_COLUMNS * (1 / one_number_of(counts) - 1 / len(rows)))
    floors = {f"floor {floor}": floor for floor in FLOORS}
    floors |= {name: max(share * noise, FLOORS[0]) for name, share in SHARES.items()}
    for name, floor in floors.items():
        yield name, PairwiseGaussian.of_pairs(nearest_correlation(correlation, floor), counts, NAMES)


def missing(repetitions: int) -> list[dict]:
    """Compare the ways on random DAGs of 10 columns with 2.5 neighbors each."""
    found = []
    for n_rows, share in CASES:
        scores: dict[str, list[float]] = {}
        for repetition in range(repetitions):
            generator = np.random.default_rng([repetition, n_rows])
            upper = np.triu(generator.random((N_COLUMNS, N_COLUMNS)) < 2.5 / (N_COLUMNS - 1), 1)
            rows = draw_rows(upper, causes_first(upper), n_rows, generator, 0.5, 1.2)
            holed = np.where(generator.random(rows.shape) < share, np.nan, rows)
            for name, statistics in ways(rows, holed):
                skeleton = learn(statistics).skeleton_
                both = 2 * np.sum(skeleton & (upper | upper.T))
                f1 = both / max(skeleton.sum() + 2 * upper.sum(), 1)
                scores.setdefault(name, []).append(float(f1))
        for name, values in scores.items():
            found.append(
                {"rows": n_rows, "missing": share, "way": name, "skeleton F1": f"{np.mean(values):.3f}"}
            )
    return found


def linear(generator: np.random.Generator, n_rows: int) -> np.ndarray:
    """Draw normal columns that depend linearly on each other."""
    chosen = generator.random((N_COLUMNS, N_COLUMNS)) < 0.3
    weights = np.triu(generator.standard_normal(chosen.shape) * chosen, 1)
    return generator.standard_normal((n_rows, N_COLUMNS)) @ (np.eye(N_COLUMNS) + weights)


def curved(generator: np.random.Generator, n_rows: int) -> np.ndarray:
    """Draw y = x^2 / 2 + noise, and a column apart."""
    x, noise, apart = generator.standard_normal((3, n_rows))
    return np.column_stack([x, 0.5 * x**2 + noise, apart])


TABLES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal, linear": linear,
    "normal, curved": curved,
    "uniform": lambda generator, n: generator.random((n, 1)),
    "Laplace": lambda generator, n: generator.laplace(size=(n, 1)),
    "gamma(2)": lambda generator, n: generator.gamma(2, size=(n, 1)),
    "t, 3 degrees": lambda generator, n: generator.standard_t(3, (n, 1)),
    "exponential": lambda generator, n: generator.exponential(size=(n, 1)),
    "lognormal, sd 1": lambda generator, n: np.exp(generator.standard_normal((n, 1))),
}


def said(repetitions: int) -> list[dict]:
    """Count the tables that are said to be far from normal, or curved."""
    found = []
    for name, draw in TABLES.items():
        for n_rows in (20, 50, 200, 1000, 5000):
            generator = np.random.default_rng(n_rows)
            far = curve = 0
            for _ in range(repetitions):
                rows = draw(generator, n_rows)
                far += bool(far_from_normal(rows).any())
                curve += bool(bent_pairs(rows))
            found.append(
                {
                    "columns": name,
                    "rows": n_rows,
                    "far from normal": f"{far / repetitions:.4f}",
                    "curved": f"{curve / repetitions:.4f}",
                }
            )
    return found


def main() -> None:
    """Run one of the two and write its CSV."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["missing", "warnings"])
    parser.add_argument("--repetitions", type=int, default=None)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", RolearnWarning)
    run, usual = {"missing": (missing, 20), "warnings": (said, 400)}[arguments.what]
    show_and_write(run(arguments.repetitions or usual), RESULTS / f"imperfect_{arguments.what}.csv")


if __name__ == "__main__":
    main()
