"""A linear program that is kept alive: HiGHS goes on from its last optimum when rows or columns change.

That there is no solution is believed once it was said again from scratch.
"""

from __future__ import annotations

import threading
from importlib.util import find_spec

import numpy as np

__all__ = ["HaltedError", "StuckError", "WarmProgram", "can_cut"]

_GLANCE = 0.02  # seconds
_LAST = 0.1  # seconds that the solver has to stop


def can_cut() -> bool:
    """Whether the solver is installed."""
    return find_spec("highspy") is not None


class HaltedError(Exception):
    """The budget's signal went up."""


class StuckError(Exception):
    """The solver gave up, for rounding."""


class WarmProgram:
    """Choose one column of each of p groups, in fractions, at the least cost, subject to rows.

    Parameters
    ----------
    p : int
        Groups.
    signal : uint8 array, shape (1,)
    """

    def __init__(self, p: int, signal: np.ndarray) -> None:
        import highspy

        class Silent(highspy.Highs):
            def enableCallbacks(self) -> None:  # noqa: N802 (said as it is made, with a banner)
                self.setOptionValue("output_flag", False)
                super().enableCallbacks()

        self.p, self.signal = p, signal
        self._highs = Silent()
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.HandleUserInterrupt = True
        self._optimal = highspy.HighsModelStatus.kOptimal
        self._infeasible = highspy.HighsModelStatus.kInfeasible
        for _ in range(p):
            self._highs.addRow(1.0, 1.0, 0, np.empty(0, np.int32), np.empty(0))
        self._shut = np.empty(0, bool)

    def add_columns(self, group: np.ndarray, costs: np.ndarray, rows: np.ndarray) -> None:
        """Add columns; `rows` (rows so far, columns) are their coefficients."""
        count = len(group)
        if not count:
            return
        matrix = np.zeros((count, self.p + len(rows)))
        matrix[np.arange(count), group] = 1.0
        matrix[:, self.p :] = rows.T
        start, index, value = _sparse(matrix)
        self._highs.addCols(
            count, costs, np.zeros(count), np.full(count, np.inf), len(value), start, index, value
        )
        self._shut = np.append(self._shut, np.zeros(count, bool))

    def add_rows(self, rows: np.ndarray, least: np.ndarray) -> None:
        """Add rows whose sums are to be `least` at least."""
        if not len(rows):
            return
        start, index, value = _sparse(rows)
        self._highs.addRows(len(rows), least, np.full(len(rows), np.inf), len(value), start, index, value)

    def drop_rows(self, places: np.ndarray) -> None:
        """Drop rows at these places."""
        if len(places):
            self._highs.deleteRows(len(places), (places + self.p).astype(np.int32))

    def drop_columns(self, places: np.ndarray) -> None:
        """Drop columns at these places."""
        if len(places):
            self._highs.deleteCols(len(places), places.astype(np.int32))
            self._shut = np.delete(self._shut, places)

    def allow(self, places: np.ndarray) -> None:
        """Allow the columns at these places alone."""
        shut = np.ones(len(self._shut), bool)
        shut[places] = False
        changed = np.flatnonzero(shut != self._shut).astype(np.int32)
        if len(changed):
            upper = np.where(shut[changed], 0.0, np.inf)
            self._highs.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper)
            self._shut = shut

    def solve(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Give weights of columns and prices of rows; None where there is no solution.

        Raises
        ------
        HaltedError
            When the signal went up meanwhile.
        StuckError
            When the solver gives up.
        """
        for again in (False, True):
            if again:
                self._highs.clearSolver()
            self._unless_signaled()
            status = self._highs.getModelStatus()
            if status == self._infeasible and again:
                return None
            if status == self._optimal:
                found = self._highs.getSolution()
                return np.array(found.col_value), np.array(found.row_dual)[self.p :]
        raise StuckError

    def _unless_signaled(self) -> None:
        if self.signal[0]:
            raise HaltedError
        errors: list[Exception] = []

        def run() -> None:
            try:
                self._highs.run()
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=run)  # no daemon: the solver can't be cut off as Python ends
        thread.start()
        while thread.is_alive():
            thread.join(_GLANCE)
            if self.signal[0]:
                self._highs.cancelSolve()
                thread.join(_LAST)
                raise HaltedError
        if errors:
            raise errors[0]


def _sparse(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, columns = np.nonzero(matrix)
    start = np.searchsorted(rows, np.arange(len(matrix))).astype(np.int32)
    return start, columns.astype(np.int32), matrix[rows, columns]
