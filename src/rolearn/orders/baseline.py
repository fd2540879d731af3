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
        p = costs.shape[1]
        masks = remaining.reshape(-1, p).astype(np.float32)  # float32 is exact for counts
        share = np.tile(np.arange(p) / p, len(costs))
        powers = np.stack([share, share**2, share**3, np.ones_like(share)], axis=1)
        expected = np.zeros(costs.shape)
        if self.weights is not None:
            linear = masks @ self.weights[:p].astype(np.float32) + powers @ self.weights[p:]
            expected = linear.reshape(costs.shape)
        self._fit(masks, powers, returns.ravel())
        gained = returns - expected
        gained -= gained.mean()
        deviation = gained.std()
        return gained / deviation if deviation > 1e-9 * (1.0 + np.abs(returns).max()) else 0.0 * gained

    def _fit(self, masks: np.ndarray, powers: np.ndarray, returns: np.ndarray) -> None:
        """Solve the normal equations, with a little on their diagonal."""
        wide = masks.astype(float)
        across = wide.T @ powers
        moments = np.block([[(masks.T @ masks).astype(float), across], [across.T, powers.T @ powers]])
        targets = np.concatenate([wide.T @ returns, powers.T @ returns])
        self.weights = np.linalg.solve(moments + _RIDGE * np.eye(len(moments)), targets)
