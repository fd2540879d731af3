"""The agent: draws orders from a policy, and makes the policy draw cheaper ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from rolearn.orders.baseline import LinearBaseline
from rolearn.orders.policy import policy_for
from rolearn.orders.precedence import may_leave
from rolearn.orders.views import View, along, remaining_along

__all__ = ["Agent", "Drawn", "HaltedError"]

_CHUNK = 1 << 15  # rows of a network's input that are worked on between two looks at the signal


class HaltedError(Exception):
    """The budget's signal went up while the agent was at work."""


@dataclass(frozen=True)
class Drawn:
    """Orders (orders, p), and what was seen on the way (orders, p, ...)."""

    orders: np.ndarray
    seen: np.ndarray


class Agent:
    """A policy with what it takes to improve it.

    Parameters
    ----------
    view : View
        What the policy is shown.
    device : str
        Where torch computes.
    learning_rate : float
        Of Adam.
    generator : numpy.random.Generator
        All randomness is drawn from it.
    signal : uint8 array, shape (1,)
        The budget's: once it is up, methods that take long raise `HaltedError`.
    precedence : int8 array, shape (p, p)
        Who has to leave before whom.
    """

    def __init__(
        self,
        view: View,
        device: str,
        learning_rate: float,
        generator: np.random.Generator,
        signal: np.ndarray,
        precedence: np.ndarray,
    ) -> None:
        self.view, self.generator, self.signal, self.precedence = view, generator, signal, precedence
        self.device = torch.device(device)
        self.policy = policy_for(view, generator).to(self.device)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), learning_rate)
        self.baseline = LinearBaseline()

    def draw(self, n_orders: int, p: int) -> Drawn:
        """Draw orders from the policy; the last takes the likeliest variable each time."""
        orders = np.zeros((n_orders, p), np.int64)
        seen = np.zeros((n_orders, p, *self.view.shape), np.float32)
        remaining = torch.ones((n_orders, p), dtype=torch.bool, device=self.device)
        each = torch.arange(n_orders, device=self.device)
        self.view.start(n_orders)
        with torch.no_grad():
            for t in range(p):
                self._heed()
                seen[:, t] = self.view.show()
                noise = self.generator.standard_exponential((n_orders, p), dtype=np.float32)
                noise[-1] = 1.0
                # the largest of log probabilities less the logs of exponentials is a draw (Gumbel)
                scores = self.policy(self._tensor(seen[:, t]), remaining, self._allowed(remaining))
                chosen = (scores - self._tensor(np.log(np.maximum(noise, 1e-30)))).argmax(1)
                remaining[each, chosen] = False
                orders[:, t] = chosen.cpu().numpy()
                self.view.remove(orders[:, t])
        return Drawn(orders, seen)

    def _allowed(self, remaining: torch.Tensor) -> torch.Tensor:
        if not self.precedence.any():
            return remaining
        return self._tensor(may_leave(remaining.cpu().numpy(), self.precedence))

    def follow(self, orders: np.ndarray) -> Drawn:
        """See what there is to see on the way through given orders."""
        return Drawn(orders, along(self.view, orders)[0])

    def improve(
        self, drawn: Drawn, costs: np.ndarray, entropy_bonus: float, copied: Drawn | None, copying: float
    ) -> float:
        """Take one step up the policy gradient; gives the mean entropy of a choice, in nats.

        Parameters
        ----------
        drawn : Drawn
            By the policy as it is.
        costs : float array, shape (orders, p)
            Their local costs.
        entropy_bonus : float
            What a nat of entropy counts against a standard deviation of the advantage.
        copied : Drawn or None
            Orders to be made likelier whatever their advantage, `copying` being what a nat of that counts.
        """
        remaining = remaining_along(drawn.orders)
        weights = self.baseline.advantages(remaining, costs)
        self.optimizer.zero_grad()
        entropy, _ = self._push(drawn, remaining, weights / weights.size, entropy_bonus)
        if copied is not None and copying > 0:
            each = np.full(copied.orders.shape, copying / copied.orders.size)
            self._push(copied, remaining_along(copied.orders), each)
        self.optimizer.step()
        return entropy

    def imitate(self, shown: Drawn, weights: np.ndarray) -> float:
        """Make given orders likelier, each by its weight; gives the mean log probability of their choices."""
        p = shown.orders.shape[1]
        each = np.repeat(weights[:, None] / (weights.sum() * p), p, axis=1)
        self.optimizer.zero_grad()
        _, likelihood = self._push(shown, remaining_along(shown.orders), each)
        self.optimizer.step()
        return likelihood

    def _push(
        self, drawn: Drawn, remaining: np.ndarray, weights: np.ndarray, entropy_bonus: float = 0.0
    ) -> tuple[float, float]:
        """Add to the gradients, so that weighted log probabilities and the mean entropy rise; gives both."""
        total, p = weights.size, remaining.shape[-1]
        seen, masks = drawn.seen.reshape(total, *self.view.shape), remaining.reshape(total, p)
        chosen, weight = drawn.orders.reshape(total, 1), weights.reshape(total).astype(np.float32)
        entropy, likelihood = 0.0, 0.0
        rows = max(1, _CHUNK // (p if len(self.view.shape) > 1 else 1))
        for start in range(0, total, rows):
            self._heed()
            part = slice(start, start + rows)
            there = self._tensor(masks[part])
            logs = self.policy(self._tensor(seen[part]), there, self._allowed(there))
            spread = -(logs.exp() * logs.clamp(min=-1e4)).sum() / total
            gain = (self._tensor(weight[part]) * logs.gather(1, self._tensor(chosen[part]))[:, 0]).sum()
            (-gain - entropy_bonus * spread).backward()
            entropy += float(spread.detach())
            likelihood += float(gain.detach())
        return entropy, likelihood

    def _heed(self) -> None:
        if self.signal[0]:
            raise HaltedError

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def state(self) -> dict[str, Any]:
        """Give all that changes, as tensors and plain values."""
        weights = self.baseline.weights
        return {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "baseline": None if weights is None else torch.from_numpy(weights.copy()),
            "generator": self.generator.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Become what `state` gave."""
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.baseline.weights = None if state["baseline"] is None else state["baseline"].numpy()
        self.generator.bit_generator.state = state["generator"]
