"""One resample: some of the rows, prepared and fitted as all of them are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.confidence.repeats import Clock
from rolearn.data.table import Table
from rolearn.estimators.rol import ROL
from rolearn.runtime.errors import DataError, KnowledgeError, ParameterError, collected_warnings

__all__ = ["RESAMPLES", "Refit", "check_test", "drawn_rows", "refit"]

RESAMPLES = ("half", "bootstrap")


@dataclass(frozen=True)
class Refit:
    """What a resample gave.

    Attributes
    ----------
    names : tuple of str
        The variables of the graph.
    marks : int8 array, shape (len(names), len(names))
    problem : str or None
        Why the resample couldn't be fitted, as where a column is constant in it; it then has no variables.
    notes : tuple of str
        What was decided on the user's behalf in it.
    """

    names: tuple[str, ...]
    marks: np.ndarray
    problem: str | None = None
    notes: tuple[str, ...] = ()


def drawn_rows(n_rows: int, resample: str, seed: int, number: int) -> np.ndarray:
    """Draw the rows of a resample; they depend on nothing but these four.

    Parameters
    ----------
    n_rows : int
    resample : "half" or "bootstrap"
        Half of the rows, none twice; or as many as there are, drawn with replacement.
    seed, number : int

    Returns
    -------
    int64 array
        In increasing order.
    """
    generator = np.random.default_rng([seed, number])
    if resample == "half":
        return np.sort(generator.permutation(n_rows)[: (n_rows + 1) // 2])
    return np.sort(generator.integers(0, n_rows, n_rows))


def refit(
    number: int, clock: Clock, values: np.ndarray, frame: Table, settings: Mapping[str, Any], resample: str
) -> Refit | None:
    """Fit a resample; None where it was stopped.

    Parameters
    ----------
    number : int
        Of the resample.
    clock : Clock
    values : float64 array, shape (n_rows, n_columns)
    frame : Table
        All else about the table, without rows.
    settings : mapping
        The parameters of a `ROL`, its random state an integer.
    resample : "half" or "bootstrap"
    """
    seed = settings["random_state"]
    rows = drawn_rows(len(values), resample, seed, number)
    own_seed = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
    test = _test_of(settings["test"], rows)
    model = ROL(**{**settings, "test": test, "random_state": own_seed})
    budget = clock.share()
    with collected_warnings() as notes:
        try:
            table = replace(frame, values=np.ascontiguousarray(values[rows]))
            model._learn(replace(model._plan(), brief=True), model._read(table), budget)
        except (DataError, KnowledgeError) as error:
            return Refit((), np.zeros((0, 0), np.int8), str(error), tuple(notes))
    if budget.signal[0] or budget.reason is not None:
        return None
    return Refit(model.graph_.names, np.array(model.graph_.marks), None, tuple(notes))


def check_test(test: Any) -> None:
    """Refuse a test of the user's that knows the whole table alone.

    Raises
    ------
    ParameterError
        Saying what it lacks.
    """
    if callable(test) and not callable(getattr(test, "of_rows", None)):
        raise ParameterError(
            "test is a callable that keeps rows of its own, which a resample doesn't reach; "
            "give it a method of_rows(rows) that makes the test over those rows (an integer array)"
        )


def _test_of(test: Any, rows: np.ndarray) -> Any:
    return test.of_rows(rows) if callable(test) else test
