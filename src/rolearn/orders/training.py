"""The rounds of a policy-gradient search, from its warm start to where it stops."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from rolearn.neighbors.ledger import Asked
from rolearn.orders.agent import Agent, Drawn, HaltedError
from rolearn.orders.checkpoint import fingerprint, load, load_policy, save
from rolearn.orders.cost import SAME_COST, OrderCosts
from rolearn.orders.demonstrations import Demonstrations, demonstrated
from rolearn.orders.elite import Elite
from rolearn.orders.episodes import Episodes
from rolearn.orders.one_thread import one_thread
from rolearn.orders.precedence import allowed_order
from rolearn.orders.progress import Trace
from rolearn.orders.views import view_of
from rolearn.runtime.budget import StopReason
from rolearn.runtime.errors import ParameterError

if TYPE_CHECKING:
    from rolearn.orders.policy_gradient import PolicyGradient

__all__ = ["Training"]

_IMITATED = 8  # the cheapest demonstrations
_IMITATIONS = 300  # the most steps of imitation
_SURE = -0.1  # mean log probability of a demonstrated choice at which imitation ends
_SAVE_EVERY = 10.0  # seconds
_OTHERS = 4  # cheap orders handed on


class Training:
    """A search over policies under way.

    Attributes
    ----------
    best : int64 array, shape (p,)
        The cheapest order so far.
    best_cost : float
        What it costs; NaN while that is not known.
    rounds : int
        Rounds done.
    """

    def __init__(
        self, settings: PolicyGradient, costs: OrderCosts, trace: Trace, generator: np.random.Generator
    ) -> None:
        self.settings, self.costs, self.trace, self.generator = settings, costs, trace, generator
        self.signal = trace.budget.signal
        self.episodes = Episodes(costs)
        self.elite = Elite()
        self.demonstrations = Demonstrations()
        self.best, self.best_cost = allowed_order(np.arange(costs.n_variables), costs.precedence), np.nan
        self.rounds, self.idle, self.least_mean, self.improved = 0, 0, np.inf, False
        self.saved_at = -np.inf

    def run(self) -> StopReason:
        """Make rounds until one of the reasons to stop."""
        with one_thread():
            try:
                return self._run()
            except HaltedError:
                return self.trace.budget.reason or StopReason.INTERRUPTED

    def _run(self) -> StopReason:
        self.agent = self._agent()
        self.fingerprint = fingerprint(self.costs, self._decisive())
        path = self.settings.checkpoint
        before = None if path is None else load(path, self.fingerprint)
        if before is not None:
            self._restore(before)
        else:
            self._begin()
        self.kept = self._state()
        try:
            while True:
                reason = self._reason()
                if reason is not None:
                    return reason
                self._round()
        finally:
            self._save()

    def _agent(self) -> Agent:
        settings = self.settings
        device = settings.device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        view = view_of(settings.state, self.costs.statistics)
        agent = Agent(
            view, device, settings.learning_rate, self.generator, self.signal, self.costs.precedence
        )
        if settings.policy is not None:
            try:
                agent.policy.load_state_dict(load_policy(settings.policy))
            except RuntimeError:
                raise ParameterError(
                    f"policy {settings.policy} was learned on another state, or on other variables; with "
                    "state='statistics' in both searches it fits any table"
                ) from None
        return agent

    def _decisive(self) -> tuple:
        """Give the settings that decide how a search goes, as long as it does."""
        s = self.settings
        return (s.warm_start, s.copying, s.state, s.batch_size, s.learning_rate, s.entropy_bonus, s.policy)

    def _begin(self) -> None:
        """Imitate orders that are there without a policy, or know one at least."""
        if not self.settings.warm_start:
            return
        self.demonstrations = demonstrated(self.costs, "auto", self.generator, self.signal)
        orders, costs = self.demonstrations.orders[-_IMITATED:], self.demonstrations.costs[-_IMITATED:]
        for order, cost in zip(orders, costs, strict=True):
            self._see(order, cost)
        shown = self.agent.follow(np.array(orders))
        weights = 0.5 ** np.arange(len(orders))[::-1]
        for _ in range(_IMITATIONS):
            if self.agent.imitate(shown, weights) > _SURE:
                break

    def _reason(self) -> StopReason | None:
        most, patience = self.settings.max_iter, self.settings.patience
        if self.signal[0]:
            return self.trace.budget.reason or StopReason.INTERRUPTED
        if patience is not None and self.idle >= patience:
            return StopReason.PLATEAU
        return StopReason.ROUND_LIMIT if most is not None and self.rounds >= most else None

    def _round(self) -> None:
        drawn = self.agent.draw(self.settings.batch_size + 1, self.costs.n_variables)
        local = self.episodes.local_costs(drawn.orders)
        known = ~np.isnan(local).any(axis=1)
        for row in np.flatnonzero(known):
            self._see(drawn.orders[row], float(local[row].sum()))
        if not known.all():
            raise HaltedError
        free = Drawn(drawn.orders[:-1], drawn.seen[:-1])  # the last was no draw
        elite = self._elite()
        settings, totals = self.settings, local.sum(axis=1)
        entropy = self.agent.improve(free, local[:-1], settings.entropy_bonus, elite, settings.copying)
        self._count(float(totals[:-1].mean()), float(totals[-1]), entropy)
        self.kept = self._state()
        if self.trace.budget.elapsed() - self.saved_at > _SAVE_EVERY:
            self._save()

    def _count(self, mean: float, likeliest: float, entropy: float) -> None:
        """Note a round, and tell of it."""
        self.rounds += 1
        moved = self.improved or mean < self.least_mean - SAME_COST
        self.improved = False
        self.idle = 0 if moved else self.idle + 1
        self.least_mean = min(self.least_mean, mean)
        most = self.settings.max_iter
        fraction = None if most is None else self.rounds / most
        self.trace.add(self.best_cost, fraction, mean_cost=mean, likeliest_cost=likeliest, entropy=entropy)

    def _see(self, order: np.ndarray, cost: float) -> None:
        if np.isnan(self.best_cost) or cost < self.best_cost - SAME_COST:
            self.best, self.best_cost, self.improved = order.copy(), cost, True
        if not np.isnan(cost):
            self.elite.add(order, cost)

    def _elite(self) -> Drawn | None:
        if self.settings.copying == 0:
            return None
        return self.agent.follow(self.elite.orders())

    def others(self) -> tuple[np.ndarray, ...]:
        """Give more cheap orders, of other costs than the best."""
        return self.elite.others(_OTHERS)

    def asked(self) -> list[Asked]:
        """Give the tests asked, in parts that may overlap."""
        return [*self.demonstrations.asked, self.episodes.asked()]

    def _state(self) -> dict[str, Any] | None:
        if self.settings.checkpoint is None:
            return None
        return {
            **copy.deepcopy(self.agent.state()),
            **self.elite.state(),
            "best": torch.from_numpy(self.best.copy()),
            "counts": [self.rounds, self.idle, self.best_cost, self.least_mean],
        }

    def _save(self) -> None:
        if self.settings.checkpoint is not None and self.kept is not None:
            save(self.settings.checkpoint, self.fingerprint, self.kept)
            self.saved_at = self.trace.budget.elapsed()

    def _restore(self, state: dict[str, Any]) -> None:
        self.agent.restore(state)
        self.elite.restore(state)
        self.best = state["best"].numpy().astype(np.int64)
        self.rounds, self.idle, self.best_cost, self.least_mean = state["counts"]
