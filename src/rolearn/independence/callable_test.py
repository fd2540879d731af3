"""A test of the user's own, called by name and run by the same text uncompiled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rolearn.independence.question_kernels import (
    leave_two_out,
    leave_two_out_by_tests,
    p_value,
    pairs_given_rest,
    pairs_given_rest_by_tests,
)
from rolearn.independence.statistics import Statistics
from rolearn.runtime.errors import DataError, ParameterError
from rolearn.runtime.names import variable_names

__all__ = ["CallableArrays", "CallableTest"]

Test = Callable[[str, str, tuple[str, ...]], float]


class CallableArrays(NamedTuple):
    """A function of positions (x, y, given) to a p-value, and the signal after which it isn't asked."""

    answer: Callable
    signal: np.ndarray


@p_value.register(CallableArrays)
def callable_p_value(statistics, x, y, given, size):
    """Ask the user's test; 0.0, that is dependent, without asking once the signal is up."""
    return 0.0 if statistics.signal[0] else statistics.answer(x, y, given[:size])


leave_two_out.register(CallableArrays)(leave_two_out_by_tests)
pairs_given_rest.register(CallableArrays)(pairs_given_rest_by_tests)


class CallableTest(Statistics):
    """Statistics that a user's function answers: ``test(x, y, given) -> p-value``, all by name.

    Each question is asked once, with its names in a fixed order, and the answer kept.

    Parameters
    ----------
    test : callable
    names : sequence of str
    n_samples : float
        The rows the test looks at; it is told to nothing but the reports.

    Raises
    ------
    ParameterError
        When test is no callable, or names aren't distinct.

    Examples
    --------
    >>> import rolearn
    >>> test = rolearn.CallableTest(lambda x, y, given: 0.5 if {x, y} == {"A", "B"} else 0.0, ["A", "B", "C"])
    >>> print(rolearn.learn(test).pag_)
    A o-o C
    B o-o C
    """

    compiled = False

    def __init__(self, test: Test, names: Sequence[str], n_samples: float = math.inf) -> None:
        if not callable(test):
            raise ParameterError(f"test is {test!r}; give a callable (x, y, given) -> p-value")
        self.names = variable_names(names, len(names))
        self.n_samples = n_samples
        self.test = test
        self.answers: dict[tuple[tuple[str, str], tuple[str, ...]], float] = {}
        self.arrays = CallableArrays(self._answer, np.zeros(1, np.uint8))

    def canonical_order(self) -> np.ndarray:
        """Keep the order as it is: a function can't be looked into."""
        return np.arange(len(self.names))

    def arranged(self, positions: np.ndarray) -> CallableTest:
        """Give the same test with its variables in this order, sharing the answers."""
        other = CallableTest(self.test, [self.names[i] for i in positions], self.n_samples or math.inf)
        other.answers = self.answers
        return other

    def _answer(self, x: int, y: int, given: np.ndarray) -> float:
        # sorted positions: the canonical order of the variables, so that renaming them changes nothing
        a, b = (self.names[i] for i in sorted((int(x), int(y))))
        others = tuple(self.names[i] for i in sorted(int(i) for i in given))
        key = ((a, b), others)
        if key not in self.answers:
            self.answers[key] = self._checked(self.test(a, b, others), key)
        return self.answers[key]

    def _checked(self, answer: float, key: tuple[tuple[str, str], tuple[str, ...]]) -> float:
        (a, b), given = key
        what = f"the test of {a} and {b} given {', '.join(given) or 'nothing'}"
        try:
            value = float(answer)
        except (TypeError, ValueError):
            raise DataError(f"{what} gave {answer!r}; a p-value in [0, 1] is needed") from None
        if not 0.0 <= value <= 1.0:
            raise DataError(f"{what} gave {value}; a p-value in [0, 1] is needed")
        return value
