"""What every kind of statistics offers to the rooms below."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rolearn.independence.question_kernels import p_value
from rolearn.runtime.compile import Kernel, kernel, uncompiled
from rolearn.runtime.errors import ParameterError

__all__ = ["Statistics", "p_value_of_positions"]


class Statistics(ABC):
    """Sufficient statistics over named variables, and the test over them.

    Attributes
    ----------
    names : tuple of str
        The variables, in the order of the arrays.
    arrays : NamedTuple
        What kernels read; its type chooses the test.
    n_samples : float or None
        Rows behind the statistics; None for a population answer.
    compiled : bool
        False where a test is a Python function, so that the kernels' text runs uncompiled.
    test_name : str
        What `ROL` calls the test; empty where it has no name there.
    quick : bool
        Whether one test takes so little that its text is best run as Python.
    has_local_likelihood : bool
        Whether the arrays answer the questions of `local_likelihood_kernels`.
    levels : tuple of tuple of str or None
        Of statistics made in one pass over a table: the levels of each column, None for one of numbers. Empty
        for others.
    notes : tuple of str
        What was decided while they were made, where that wasn't told as it was.
    usual_penalty : float
        How many times log n a parameter costs, where nobody says.
    """

    names: tuple[str, ...]
    arrays: Any
    n_samples: float | None = None
    compiled = True
    test_name: str = ""
    quick = True
    has_local_likelihood = False
    levels: tuple[tuple[str, ...] | None, ...] = ()
    notes: tuple[str, ...] = ()
    usual_penalty = 2.0

    @property
    def exact(self) -> bool:
        """Whether answers are the population's, so that no level applies."""
        return self.n_samples is None

    @abstractmethod
    def canonical_order(self) -> np.ndarray:
        """Positions in an order that depends on what the statistics say, not on how they are arranged."""

    @abstractmethod
    def arranged(self, positions: np.ndarray) -> Statistics:
        """Give the same statistics with their variables in this order."""

    def heeding(self, signal: np.ndarray) -> Any:
        """Give the arrays in a form that starts no more long work once the budget's signal is up."""
        arrays = self.arrays
        return arrays._replace(signal=signal) if hasattr(arrays, "signal") else arrays

    def kernel(self, function: Kernel) -> Kernel:
        """Give the kernel in the form these statistics can be called from."""
        return function if self.compiled else uncompiled(function)

    def p_value(self, x: str, y: str, given: Iterable[str] = ()) -> float:
        """Test that two variables are independent given a set of others.

        Raises
        ------
        ParameterError
            When a name is unknown or named twice.
        """
        positions = self.positions([x, y, *given])
        if len(set(positions)) < len(positions):
            raise ParameterError(f"the variables of a test must differ: {x}, {y} given {list(given)}")
        others = np.array(positions[2:], np.int64)
        run = _p_value if self.quick else self.kernel(p_value_of_positions)
        return float(run(self.arrays, positions[0], positions[1], others, len(others)))

    def n_used(self, names: Sequence[str]) -> float | None:
        """Give the number of rows behind a test that involves these variables; None if there are none."""
        return self.n_samples

    def positions(self, names: Iterable[str]) -> list[int]:
        """Give the position of each name.

        Raises
        ------
        ParameterError
            When one is unknown.
        """
        where = {name: i for i, name in enumerate(self.names)}
        asked = [str(name) for name in names]  # labels may be numbers
        unknown = [name for name in asked if name not in where]
        if unknown:
            there = ", ".join(sorted(self.names))
            raise ParameterError(f"there is no variable {unknown[0]!r}; there are {there}")
        return [where[name] for name in asked]


_p_value = uncompiled(p_value)


@kernel
def p_value_of_positions(statistics, x, y, given, size):
    """Give the p-value of a test, from Python."""
    return p_value(statistics, x, y, given, size)
