"""Discrete statistics: the distinct rows of codes and how often each occurs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rolearn.data.canonical import canonical_order, with_canonical_codes
from rolearn.data.copied_rows import rows_as_bytes
from rolearn.independence.discrete_kernels import TableArrays
from rolearn.independence.pairwise import one_number_of, shared_rows
from rolearn.independence.statistics import Statistics
from rolearn.runtime.errors import DataError, ParameterError

__all__ = ["DISCRETE_TESTS", "Discrete"]

DISCRETE_TESTS = ("g-square", "chi-square")

_MOST_LEVELS = 32_000


class Discrete(Statistics):
    """Columns of levels, tested by G-square or chi-square, with a multinomial likelihood.

    Contingency tables hold the combinations that occur, found by hashing: memory grows with the rows,
    whatever the product of levels. The degrees of freedom of x and y given a set are the sum, over the
    combinations of the set's levels that occur, of (levels of x that occur there - 1) times (levels of y that
    occur there - 1). Tests use the rows that are complete for their variables, the bic cost of a variable
    those complete for it and its parents, scaled to one number of rows.

    Attributes
    ----------
    arrays : TableArrays
    """

    has_local_likelihood = True
    quick = False  # a loop over all rows
    usual_penalty = 1.0  # of an edge's several parameters each

    def __init__(self, arrays: TableArrays, names: Sequence[str], n_samples: float | None) -> None:
        self.arrays, self.names, self.n_samples = arrays, tuple(names), n_samples
        self.test_name = DISCRETE_TESTS[int(arrays.pearson)]

    @classmethod
    def of_rows(
        cls, values: np.ndarray, n_levels: np.ndarray, names: Sequence[str], test: str = "g-square"
    ) -> Discrete:
        """Take rows of codes.

        Parameters
        ----------
        values : float64 array, shape (n_rows, p)
            Codes 0, 1, ... of levels; NaN where missing.
        n_levels : int array, shape (p,)
            At least 1 each.
        names : sequence of str
        test : "g-square" or "chi-square"

        Raises
        ------
        ParameterError
            When there is no such test.
        DataError
            When a column has more than 32,000 levels, or two share fewer than 5 rows; names them.
        """
        if test not in DISCRETE_TESTS:
            allowed = " and ".join(map(repr, DISCRETE_TESTS))
            raise ParameterError(f"test is {test!r}; of discrete columns there are {allowed}")
        coded = with_canonical_codes(values, n_levels)
        codes = np.where(np.isnan(coded), -1.0, coded).astype(np.int64)
        occurring = np.maximum(codes.max(axis=0, initial=0) + 1, 1)
        if occurring.max() > _MOST_LEVELS:
            name = names[int(occurring.argmax())]
            raise DataError(
                f"column {name!r} has {occurring.max()} levels; at most {_MOST_LEVELS} can be told apart, so "
                "leave it out, or treat it as continuous"
            )
        rows, weights = _distinct(codes.astype(np.int16))
        complete = bool((codes >= 0).all())
        arrays = TableArrays(
            codes=np.ascontiguousarray(rows.T),
            weights=weights.astype(np.float64),
            n_levels=occurring,
            n_samples=one_number_of(shared_rows(coded, names)),
            complete=complete,
            pearson=test == "chi-square",
            signal=np.zeros(1, np.uint8),
        )
        return cls(arrays, names, float(len(values)))

    def canonical_order(self) -> np.ndarray:
        """Order variables by the contents of their columns."""
        return canonical_order(self.arrays.codes.T)

    def n_used(self, names: Sequence[str]) -> float:
        """Give the number of rows that are complete for the variables."""
        known = (self.arrays.codes[self.positions(names)] >= 0).all(axis=0)
        return float(self.arrays.weights[known].sum())

    def arranged(self, positions: np.ndarray) -> Discrete:
        """Give the same statistics with their variables in this order."""
        old = self.arrays
        arrays = old._replace(
            codes=np.ascontiguousarray(old.codes[positions]), n_levels=old.n_levels[positions]
        )
        return Discrete(arrays, [self.names[i] for i in positions], self.n_samples)


def _distinct(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the distinct rows and how often each occurs."""
    rows = np.ascontiguousarray(codes)
    _, first, counts = np.unique(rows_as_bytes(rows), return_index=True, return_counts=True)
    return rows[first], counts
