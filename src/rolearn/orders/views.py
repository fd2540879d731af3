"""What a policy is shown of a state: which variables remain, and maybe statistics of each of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from rolearn.independence import Gaussian, Statistics
from rolearn.neighbors.boundaries import critical_value, default_level
from rolearn.orders.view_kernels import N_FEATURES, leave, see
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.threads import single_blas_thread

__all__ = ["VIEWS", "RemainingView", "StatisticsView", "View", "along", "view_of"]

# Added to the variances where the rows hardly carry a precision matrix: below one and a half rows a column.
_SHRINKAGE = 0.1


class View(ABC):
    """Several states side by side, each with variables that remain.

    Attributes
    ----------
    shape : tuple of int
        Of what is shown of one state.
    """

    shape: tuple[int, ...]

    @abstractmethod
    def start(self, states: int) -> None:
        """Bring all variables back, in so many states."""

    @abstractmethod
    def show(self) -> np.ndarray:
        """Give what is seen of each state: float32, shape (states, *shape)."""

    @abstractmethod
    def remove(self, variables: np.ndarray) -> None:
        """Remove one variable from each state."""


class RemainingView(View):
    """The paper's state: one for a variable that remains, else zero."""

    name: ClassVar[str] = "remaining"

    def __init__(self, statistics: Statistics) -> None:
        self.shape = (len(statistics.names),)
        self.start(1)

    def start(self, states: int) -> None:
        """Bring all variables back."""
        self.remaining = np.ones((states, *self.shape), np.float32)

    def show(self) -> np.ndarray:
        """Give the mask."""
        return self.remaining.copy()

    def remove(self, variables: np.ndarray) -> None:
        """Remove one variable from each state."""
        self.remaining[np.arange(len(variables)), variables] = 0.0


class StatisticsView(View):
    """For each variable what its partial correlations given all that remain say; see `view_kernels.see`.

    Nothing in it names a variable or counts on their number, so that a policy that sees no more can be taken
    from one table to another.
    """

    name: ClassVar[str] = "statistics"

    def __init__(self, statistics: Statistics) -> None:
        if not isinstance(statistics, Gaussian):
            raise ParameterError(
                f"state='statistics' needs rows or Gaussian statistics, not {type(statistics).__name__}; "
                "use state='remaining'"
            )
        p, self.n_samples = len(statistics.names), statistics.arrays.n_samples
        few = 2 * self.n_samples < 3 * p
        with single_blas_thread():
            self.first = np.linalg.inv(statistics.correlation + (_SHRINKAGE if few else 1e-9) * np.eye(p))
        self.critical = critical_value(default_level(p))
        self.shape = (p, N_FEATURES)
        self.members, self.sizes = np.zeros(p, np.int64), np.zeros(p, np.int64)
        self.start(1)

    def start(self, states: int) -> None:
        """Bring all variables back."""
        self.precision = np.tile(self.first, (states, 1, 1))
        self.remaining = np.ones((states, self.shape[0]), np.bool_)

    def show(self) -> np.ndarray:
        """Give the features, zero for variables that are gone."""
        seen = np.zeros((len(self.precision), *self.shape), np.float32)
        see(self.precision, self.remaining, self.n_samples, self.critical, self.members, self.sizes, seen)
        return seen

    def remove(self, variables: np.ndarray) -> None:
        """Take one Schur complement in each state."""
        leave(self.precision, self.remaining, variables)


VIEWS = {view.name: view for view in (RemainingView, StatisticsView)}


def view_of(name: str, statistics: Statistics) -> View:
    """Make the view of that name.

    Raises
    ------
    ParameterError
        When the statistics don't have what it shows.
    """
    return VIEWS[name](statistics)


def along(view: View, orders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Show all states on the way through some orders (orders, p).

    Returns
    -------
    seen : float32 array, shape (orders, p, *view.shape)
    remaining : bool array, shape (orders, p, p)
    """
    n, p = orders.shape
    seen = np.empty((n, p, *view.shape), np.float32)
    view.start(n)
    for t in range(p):
        seen[:, t] = view.show()
        view.remove(orders[:, t])
    return seen, remaining_along(orders)


def remaining_along(orders: np.ndarray) -> np.ndarray:
    """Give what remains at each place of some orders: bool, shape (orders, p, p)."""
    places = np.argsort(orders, axis=1)
    return places[:, None, :] >= np.arange(orders.shape[1])[None, :, None]
