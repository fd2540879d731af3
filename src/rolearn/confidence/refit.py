"""One resample: some of the rows, prepared and fitted as all of them are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.confidence.repeats import Clock
from rolearn.data.table import Table
from rolearn.estimators.inputs import Input
from rolearn.estimators.rol import ROL
from rolearn.independence import test_by_name
from rolearn.runtime.errors import DataError, KnowledgeError, ParameterError, collected_warnings

__all__ = ["RESAMPLES", "Frame", "Refit", "check_test", "drawn_rows", "refit"]

RESAMPLES = ("half", "bootstrap")


@dataclass(frozen=True)
class Frame:
    """All about a table but its rows.

    What all rows left out or kept without edges no resample looks at again: it might choose another of
    several copies, and two variables of one column would share the edges.

    Attributes
    ----------
    table : Table
        Without rows, and without the columns that all rows left out or kept without edges.
    columns : tuple of str
        All that the table had.
    isolated : tuple of str
        Those to be kept without edges.
    """

    table: Table
    columns: tuple[str, ...]
    isolated: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, given: Input) -> tuple[Frame, np.ndarray]:
        """Give the frame of a table that was read and found in order so far, and the values to resample."""
        gone = {*given.dropped, *given.isolated}
        used = [i for i, name in enumerate(table.names) if name not in gone]
        values = table.values[:, used] if gone else table.values
        names, kinds = tuple(table.names[i] for i in used), tuple(table.kinds[i] for i in used)
        bare = replace(table, names=names, kinds=kinds, values=values[:0])
        return cls(bare, table.names, given.isolated), values


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
    number: int, clock: Clock, values: np.ndarray, frame: Frame, settings: Mapping[str, Any], resample: str
) -> Refit | None:
    """Fit a resample; None where it was stopped.

    Parameters
    ----------
    number : int
        Of the resample.
    clock : Clock
    values : float64 array, shape (n_rows, n_columns)
        Of the columns of the frame's table.
    frame : Frame
    settings : mapping
        The parameters of a `ROL`, its random state an integer.
    resample : "half" or "bootstrap"
    """
    seed = settings["random_state"]
    rows = drawn_rows(len(values), resample, seed, number)
    own_seed = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
    test = _test_of(settings["test"], rows, frame.columns)
    model = ROL(**{**settings, "test": test, "random_state": own_seed})
    budget = clock.share()
    with collected_warnings() as notes:
        try:
            table = replace(frame.table, values=np.ascontiguousarray(values[rows]))
            given = model._read(table, again=True)
            model._learn(replace(model._plan(), brief=True), given, budget)
        except (DataError, KnowledgeError) as error:
            return Refit((), np.zeros((0, 0), np.int8), str(error), tuple(notes))
    if budget.signal[0] or budget.reason is not None:
        return None
    names, marks = (
        (*model.graph_.names, *frame.isolated),
        np.pad(model.graph_.marks, (0, len(frame.isolated))),
    )
    return Refit(names, marks, None, tuple(notes))


def check_test(test: Any) -> None:
    """Refuse a test of the user's that knows the whole table alone.

    Raises
    ------
    ParameterError
        Saying what it lacks.
    """
    if callable(test) and not callable(getattr(test, "of_rows", None)):
        raise ParameterError(
            "test is a callable that keeps rows of its own, which a resample doesn't reach; give an object "
            "that is called as the test and has a method of_rows(rows), which makes the test over those rows "
            "(an integer array of their positions)"
        )


def _test_of(test: Any, rows: np.ndarray, columns: tuple[str, ...]) -> Any:
    if not callable(test):
        return test
    made = test.of_rows(rows)
    if not callable(made):
        raise ParameterError(
            f"of_rows of the test gave a {type(made).__name__}; it has to give a test over those rows"
        )
    return test_by_name(made, columns)
