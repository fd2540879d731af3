"""ROL_PG: an order drawn from a policy that learns by its gradient (paper, section 4.3), and past it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.orders.cost import OrderCosts
from rolearn.orders.descent import Descent
from rolearn.orders.progress import SearchResult, Trace
from rolearn.orders.views import VIEWS
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.numbers import is_number
from rolearn.runtime.parameters import check_choice, check_count, check_flag

__all__ = ["PolicyGradient"]


@dataclass(frozen=True)
class PolicyGradient:
    """Draw orders from a stochastic policy over the variables that remain, and make cheap ones likelier.

    A round draws `batch_size` orders and takes a step of Adam up the vanilla policy gradient, whose baseline
    is linear in features of the state. Policies are networks of two hidden layers of 64 with tanh (appendix
    C.2 of the paper). The search ends when no round of `patience` found a cheaper order or had a lower
    mean cost. The cheapest order seen is the result. Needs PyTorch: ``pip install 'rolearn[rl]'``.

    The defaults go past the paper, whose own settings are those of `rolearn.paper.rol_pg`.

    Parameters
    ----------
    warm_start : bool
        Begin with a policy that imitates the recursive order and the orders that hill climbing goes through
        from there; if False with one drawn at random.
    copying : float
        How much cheap orders seen before are made likelier in each round (self-imitation): the weight of
        their mean log probability. 0 for none, as in the paper.
    polish : bool
        End with hill climbing from the best order.
    state : "remaining" or "statistics"
        What the policy is shown: which variables remain, as in the paper; or for each of them what its
        partial correlations say, by which a policy learned on one table can start on another.
    batch_size : int
        Orders a round.
    max_iter : int or None
        The most rounds.
    patience : int or None
        Rounds without progress after which to stop; None for never.
    learning_rate : float
        Of Adam.
    entropy_bonus : float
        What a nat of entropy of a choice counts against a standard deviation of the advantage.
    device : "auto" or str
        Where PyTorch computes: "cpu", "cuda", ...; "auto" is a GPU where there is one. The result is
        repeatable on the same kind of device.
    checkpoint : str or None
        A file in which to keep the search. Where it is there the search goes on from it, to the result it
        would have had without a break. Further starts add .1, .2, ... to the name.
    policy : str or None
        The checkpoint of another search whose policy to begin with; with state "statistics" of any table.

    Raises
    ------
    ParameterError
        When one of these is not allowed.
    """

    warm_start: bool = True
    copying: float = 0.1
    polish: bool = True
    state: str = "remaining"
    batch_size: int = 64
    max_iter: int | None = 300
    patience: int | None = 50
    learning_rate: float = 0.01
    entropy_bonus: float = 0.0
    device: str = "auto"
    checkpoint: str | None = None
    policy: str | None = None

    name = "policy-gradient"

    def __post_init__(self) -> None:
        for flag in ("warm_start", "polish"):
            check_flag(flag, getattr(self, flag))
        check_count("batch_size", self.batch_size, 2)
        for limit, least in (("max_iter", 0), ("patience", 1)):
            if getattr(self, limit) is not None:
                check_count(limit, getattr(self, limit), least, or_none=True)
        for number in ("copying", "learning_rate", "entropy_bonus"):
            _check_number(number, getattr(self, number), number == "learning_rate")
        check_choice("state", self.state, VIEWS)
        if not isinstance(self.device, str):
            raise ParameterError(f"device is {self.device!r}; give 'auto', or a device of PyTorch by name")
        for path in ("checkpoint", "policy"):
            if getattr(self, path) is not None and not str(getattr(self, path)):
                raise ParameterError(f"{path} is empty; give the path of a file, or None")

    def check_installed(self) -> None:
        """See to it that there is PyTorch, and the device asked for.

        Raises
        ------
        ParameterError
            When there isn't.
        """
        try:
            import torch
        except ImportError:
            raise ParameterError(
                "search='policy-gradient' needs PyTorch, which is not installed; "
                "pip install 'rolearn[rl]', or use another search"
            ) from None
        if self.device == "auto":
            return
        try:
            torch.zeros(1, device=self.device)
        except Exception as error:  # of many kinds
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ParameterError(
                f"device is {self.device!r}, which PyTorch can't use here ({said}); use 'auto'"
            ) from None

    def starts(self, n_starts: int) -> list[PolicyGradient]:
        """Give one search a start: the first as set, the others from policies drawn at random."""
        cold = replace(self, warm_start=False, policy=None)
        path = self.checkpoint
        return [self] + [
            replace(cold, checkpoint=None if path is None else f"{path}.{number}")
            for number in range(1, n_starts)
        ]

    def run(
        self, costs: OrderCosts, trace: Trace, generator: np.random.Generator, more: bool = False
    ) -> SearchResult:
        """Learn a policy, and give the cheapest order seen, polished; with more cheap orders if `more`."""
        self.check_installed()
        from rolearn.orders.training import Training

        polishing = np.random.default_rng(generator.integers(1 << 62, size=2))
        training = Training(self, costs, trace, generator)
        reason = training.run()
        asked, others = tuple(training.asked()), training.others() if more else ()
        if not self.polish or reason.stopped_early:
            return SearchResult(
                training.best, training.best_cost, tuple(trace.points), reason, asked, False, others
            )
        descents = [Descent().run(costs, order, trace, polishing, more) for order in (training.best, *others)]
        found = min(descents, key=lambda result: result.cost)  # the first of equals
        more_orders = tuple(order for result in descents for order in (result.order, *result.others))
        all_asked = (*asked, *(part for result in descents for part in result.asked))
        return replace(found, asked=all_asked, others=more_orders, trace=tuple(trace.points))


def _check_number(name: str, value: Any, positive: bool) -> None:
    if not is_number(value) or not 0.0 <= float(value) < math.inf or (positive and value == 0):
        least = "greater than 0" if positive else "of at least 0"
        raise ParameterError(f"{name} is {value!r}; give a number {least}")
