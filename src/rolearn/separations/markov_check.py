"""Whether the independences that a graph implies hold in the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rolearn.runtime.records import Records

__all__ = ["Independence", "MarkovCheck"]


class Independence(NamedTuple):
    """An independence that a graph implies, and the p-value of its test.

    Attributes
    ----------
    a, b : str
    given : tuple of str
        A minimal set that separates the two in the graph.
    p_value : float
        Small where the data speak against it.
    """

    a: str
    b: str
    given: tuple[str, ...]
    p_value: float


class MarkovCheck(Records[Independence]):
    """A row an independence that the graph implies, from the least to the most believable.

    Attributes
    ----------
    alpha : float
        The level that rejections are counted at.
    """

    def __init__(self, rows: Iterable[Independence], alpha: float, exact: bool) -> None:
        super().__init__(Independence, sorted(rows, key=lambda row: (row.p_value, row.a, row.b)))
        self.alpha = alpha
        self._exact = exact

    @property
    def p_values(self) -> np.ndarray:
        """All p-values, ascending."""
        return np.array([row.p_value for row in self], dtype=float)

    @property
    def share_below(self) -> float:
        """The share of p-values below alpha: about alpha where all independences hold; nan without any."""
        return float((self.p_values < self.alpha).mean()) if len(self) else float("nan")

    @property
    def uniformity(self) -> float:
        """The p-value of Kolmogorov and Smirnov's test that the p-values are uniform.

        As a guide only: the tests share their rows, so their p-values aren't independent of each other, and
        the search chose the graph by the same rows. Without any p-values, and for an oracle's, it is nan.
        """
        if not len(self) or self._exact:
            return float("nan")
        from scipy.stats import kstest

        return float(kstest(self.p_values, "uniform").pvalue)

    @property
    def summary(self) -> str:
        """What the check found, in a sentence."""
        if not len(self):
            return "The graph implies no independences: all pairs are adjacent."
        below = int((self.p_values < self.alpha).sum())
        counted = f"{below} of {len(self)} implied independences have p < {self.alpha:g}"
        if self._exact:
            return f"{counted}; the answers are exact."
        return (
            f"{counted} ({self.share_below:.1%}, where {self.alpha:.1%} are expected if all hold); "
            f"the p-value of their being uniform is {self.uniformity:.2g}."
        )

    def __reduce__(self):
        return type(self), (list(self), self.alpha, self._exact)
