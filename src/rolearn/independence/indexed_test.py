"""Tests that take column positions in place of names: the objects of causal-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rolearn.runtime.errors import ParameterError

__all__ = ["takes_positions", "test_by_name"]


def takes_positions(test: Any) -> bool:
    """Whether a test is an object that holds its own table, as causal-learn's ``CIT(data, method)``."""
    return callable(test) and len(getattr(getattr(test, "data", None), "shape", ())) == 2


def test_by_name(test: Any, names: Sequence[str]) -> Callable[[str, str, tuple[str, ...]], float]:
    """Give a test over names; one that takes positions is asked about those of the names.

    Nothing of causal-learn is imported: an object that can be called and has a two-dimensional ``data`` is
    called as ``test(i, j, (k, ...))``, by positions of columns. So its kernel tests work here::

        from causallearn.utils.cit import CIT

        model = rolearn.learn(table, test=CIT(table.to_numpy(), "kci"))

    Parameters
    ----------
    test : callable
    names : sequence of str
        Of the columns, in the order of the object's data.

    Raises
    ------
    ParameterError
        When the object's data has another number of columns.
    """
    if not takes_positions(test):
        return test
    width = test.data.shape[1]
    if width != len(names):
        raise ParameterError(
            f"test holds a table of {width} columns and the data has {len(names)}; make the test from the "
            "same columns in the same order"
        )
    position = {name: i for i, name in enumerate(names)}

    def asked_by_name(x: str, y: str, given: tuple[str, ...]) -> float:
        return test(position[x], position[y], tuple(position[name] for name in given))

    return asked_by_name
