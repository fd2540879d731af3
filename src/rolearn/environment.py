"""Removable orders as a reinforcement learning problem of Gymnasium: ``rolearn/RemovalOrder-v0``.

Importing this module registers the environment; ``import rolearn`` does where gymnasium is imported already.
``examples/masked_ppo.py`` trains another library's agent on it. Needs ``pip install 'rolearn[rl]'``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rolearn.estimators.inputs import read_input
from rolearn.estimators.settings import check_alpha, chosen_cost, suited_cost
from rolearn.orders.bic import BIC
from rolearn.orders.cost import NeighborCount, order_costs
from rolearn.orders.episodes import Episodes
from rolearn.orders.hill_climb import HillClimb
from rolearn.runtime.errors import ParameterError

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise ParameterError(
        "the environment needs gymnasium, which is not installed; pip install 'rolearn[rl]'"
    ) from None

__all__ = ["ID", "RemovalOrderEnv"]

ID = "rolearn/RemovalOrder-v0"


class RemovalOrderEnv(gymnasium.Env):
    """Remove variables one at a time; each costs what its removal costs (paper, section 4.3).

    The observation is the paper's state: an int8 array (p,), 1 for variables that remain and 0 for those
    that are gone, in the order of `variables`. The action is the variable to remove, the reward minus its
    local cost, so that an episode's rewards sum to minus `rolearn.order_cost` of its order. The episode
    terminates when none remains. A variable can be removed once: `action_masks` and ``info["action_mask"]``
    say which may be. ``info["order"]`` has the names removed so far and ``info["cost"]`` what they cost.

    Local costs are kept over episodes. Nothing is random; a seed changes nothing.

    Parameters
    ----------
    X : DataFrame of any library, array of shape (rows, columns), Table, Gaussian, Oracle or CallableTest
        As `rolearn.ROL.fit` takes it.
    cost, test, alpha, transform
        As for `rolearn.ROL`.

    Attributes
    ----------
    variables : tuple of str
        What the actions 0, 1, ... remove: the columns of X as they stand.
    episodes : Episodes
        Local costs as they are worked out and kept; it has variables in an order of its own.

    Raises
    ------
    DataError, ParameterError
        As `rolearn.ROL.fit`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        X: Any,
        cost: str | NeighborCount | BIC = "auto",
        test: Any = "auto",
        alpha: float = 0.05,
        transform: str | None = None,
    ) -> None:
        chosen, level = chosen_cost(cost), check_alpha(alpha)
        given = read_input(X, test, transform)
        statistics = given.statistics
        costs = order_costs(
            statistics, suited_cost(chosen, statistics, HillClimb()), level, np.zeros(1, np.uint8)
        )
        self.variables = given.names
        self.observation_space = spaces.MultiBinary(len(given.names))
        self.action_space = spaces.Discrete(len(given.names))
        self._places = np.array(statistics.positions(given.names))
        self.episodes = Episodes(costs)
        self._begin()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Bring all variables back.

        Parameters
        ----------
        seed : int, optional
            Kept as Gymnasium wants it, and used by nothing.
        options : dict, optional
            Ignored.

        Returns
        -------
        observation : int8 array, shape (p,)
        info : dict
        """
        super().reset(seed=seed)
        self._begin()
        return self._observation(), self._info()

    def _begin(self) -> None:
        self.episodes.reset()
        self._order: tuple[str, ...] = ()
        self._cost = 0.0

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Remove a variable.

        Parameters
        ----------
        action : int
            Its place in `variables`.

        Returns
        -------
        observation : int8 array, shape (p,)
        reward : float
            Minus the local cost.
        terminated : bool
            Whether no variable remains.
        truncated : bool
            Never.
        info : dict

        Raises
        ------
        ParameterError
            When there is no such variable, or it was removed before.
        """
        x = self._place_of(action)
        cost = self.episodes.remove(x)
        self._order += (self.variables[int(action)],)
        self._cost += cost
        done = not self.episodes.remaining.any()
        return self._observation(), -cost, done, False, self._info()

    def _place_of(self, action: Any) -> int:
        p = len(self.variables)
        if not self.action_space.contains(action):
            raise ParameterError(f"action is {action!r}; give an integer from 0 to {p - 1}")
        x = int(self._places[int(action)])
        if self.episodes.remaining[x]:
            return x
        if not self.episodes.remaining.any():
            raise ParameterError("the episode is over: no variable remains; call reset()")
        raise ParameterError(
            f"action {int(action)} removes {self.variables[int(action)]}, which was removed before; "
            "action_masks() says which variables remain"
        )

    def action_masks(self) -> np.ndarray:
        """Give which variables may be removed: bool array, shape (p,); sb3-contrib's agents ask for it."""
        return self.episodes.remaining[self._places].copy()

    def _observation(self) -> np.ndarray:
        return self.action_masks().astype(np.int8)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._observation(), "order": self._order, "cost": self._cost}


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point="rolearn.environment:RemovalOrderEnv")
