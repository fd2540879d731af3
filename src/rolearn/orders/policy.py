"""Stochastic policies over the variables that remain."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import torch
from torch import nn

from rolearn.orders.views import View

__all__ = ["Policy", "RemainingPolicy", "StatisticsPolicy", "policy_for"]

_HIDDEN = 64  # in each of two layers, as in the paper's appendix C.2


def _layers(inputs: int, outputs: int) -> nn.Sequential:
    def linear(inputs: int, outputs: int) -> nn.Module:
        return nn.utils.skip_init(nn.Linear, inputs, outputs)  # `policy_for` draws the weights

    hidden = (linear(inputs, _HIDDEN), nn.Tanh(), linear(_HIDDEN, _HIDDEN), nn.Tanh())
    return nn.Sequential(*hidden, linear(_HIDDEN, outputs))


class Policy(nn.Module, ABC):
    """A distribution over which variable leaves, given what is seen of a state."""

    @abstractmethod
    def scores(self, seen: torch.Tensor, remaining: torch.Tensor) -> torch.Tensor:
        """Give a score to each variable (states, p)."""

    def forward(self, seen: torch.Tensor, remaining: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
        """Give log probabilities (states, p), minus infinity for variables that may not leave.

        Parameters
        ----------
        seen : float tensor, shape (states, ...)
        remaining, allowed : bool tensors, shape (states, p)
            What remains, and which of these may leave.
        """
        scores = self.scores(seen, remaining).masked_fill(~allowed, -torch.inf)
        return torch.log_softmax(scores, dim=1)


class RemainingPolicy(Policy):
    """The paper's: an input and an output for each variable."""

    def __init__(self, n_variables: int) -> None:
        super().__init__()
        self.layers = _layers(n_variables, n_variables)

    def scores(self, seen: torch.Tensor, remaining: torch.Tensor) -> torch.Tensor:
        """Score by the mask alone."""
        return self.layers(seen)


class StatisticsPolicy(Policy):
    """The same network for each variable: what is seen of it, and the mean of that over all that remain."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.layers = _layers(2 * n_features, 1)

    def scores(self, seen: torch.Tensor, remaining: torch.Tensor) -> torch.Tensor:
        """Score each variable that remains."""
        mean = seen.sum(1, keepdim=True) / remaining.sum(1).clamp(min=1)[:, None, None]
        at = remaining.nonzero(as_tuple=True)
        inputs = torch.cat([seen, mean.expand_as(seen)], dim=2)[at]
        scores = torch.zeros(remaining.shape, dtype=seen.dtype, device=seen.device)
        return scores.index_put(at, self.layers(inputs)[:, 0])


def policy_for(view: View, generator: np.random.Generator) -> Policy:
    """Make a policy for what a view shows; its weights are torch's own kind, but from the generator."""
    one_each = len(view.shape) == 1
    policy = RemainingPolicy(view.shape[0]) if one_each else StatisticsPolicy(view.shape[1])
    with torch.no_grad():
        for layer in policy.layers:
            if isinstance(layer, nn.Linear):
                bound = layer.in_features**-0.5
                for weights in (layer.weight, layer.bias):
                    drawn = generator.uniform(-bound, bound, tuple(weights.shape))
                    weights.copy_(torch.from_numpy(drawn))
    return policy
