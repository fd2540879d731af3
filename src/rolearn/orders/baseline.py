"""The linear feature baseline of policy gradients (Duan et al. 2016), fitted to the returns seen so far."""

from __future__ import annotations

import numpy as np

__all__ = ["LinearBaseline"]

_RIDGE = 1e-5


class LinearBaseline:
    """Expected return of a state: linear in what remains, and cubic in the share of the way that is done.

    Attributes
    ----------
    weights : float array or None
        One a feature; None before the first fit, when 0 is expected.
    """

    def __init__(self) -> None:
        self.weights: np.ndarray | None = None

    def advantages(self, remaining: np.ndarray, costs: np.ndarray) -> np.ndarray:
        """Give how much better than expected each removal went on, and learn from it.

        Parameters
        ----------
        remaining : bool array, shape (orders, p, p)
        costs : float array, shape (orders, p)
            Local costs; the return of a state is minus the sum of those from there on.

        Returns
        -------
        float array, shape (orders, p)
            With mean 0 and standard deviation 1, or zero where all went alike.
        """
        returns = -np.cumsum(costs[:, ::-1], axis=1)[:, ::-1]
        features = _features(remaining)
        expected = 0.0 if self.weights is None else (features @ self.weights).reshape(costs.shape)
        self._fit(features, returns.ravel())
        gained = returns - expected
        gained -= gained.mean()
        deviation = gained.std()
        return gained / deviation if deviation > 1e-9 * (1.0 + np.abs(returns).max()) else 0.0 * gained

    def _fit(self, features: np.ndarray, returns: np.ndarray) -> None:
        moments = features.T @ features + _RIDGE * np.eye(features.shape[1])
        self.weights = np.linalg.solve(moments, features.T @ returns)


def _features(remaining: np.ndarray) -> np.ndarray:
    n, p, _ = remaining.shape
    share = np.broadcast_to(np.arange(p) / p, (n, p))[..., None]
    features = [remaining, share, share**2, share**3, np.ones_like(share)]
    return np.concatenate(features, axis=2).reshape(n * p, -1)
