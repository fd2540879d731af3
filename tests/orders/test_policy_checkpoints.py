from dataclasses import replace

import numpy as np
import pytest

from examples import random_gaussian
from needs import needs
from rolearn import BIC, ParameterError, PolicyGradient
from rolearn.orders.cost import order_costs
from rolearn.orders.progress import Trace
from rolearn.runtime.budget import Budget, StopReason

pytestmark = needs("torch")
SEARCH = PolicyGradient(batch_size=16, max_iter=20, patience=None, polish=False)


def run(search, statistics, stop_after=None):
    """Run with the bic cost, and raise the budget's signal once so many rounds are done."""
    budget = Budget()
    rounds = []

    def report(progress):
        rounds.append(progress)
        if len([r for r in rounds if r.entropy is not None]) == stop_after:
            budget.raise_signal(StopReason.TIME_LIMIT)

    costs = order_costs(statistics, BIC(), 0.05, budget.signal)
    return search.run(costs, Trace(budget, report, ""), np.random.default_rng(0)), rounds


@pytest.mark.parametrize("state", ["remaining", "statistics"])
@pytest.mark.parametrize("warm_start", [True, False])
def test_a_search_that_was_stopped_goes_on_as_if_it_never_was(tmp_path, state, warm_start):
    gaussian = random_gaussian(10, 3, density=0.5)
    search = replace(SEARCH, state=state, warm_start=warm_start)
    whole, all_rounds = run(search, gaussian)
    kept = replace(search, checkpoint=str(tmp_path / "search.pt"))
    first, _ = run(kept, gaussian, stop_after=7)
    assert first.stop_reason is StopReason.TIME_LIMIT
    second, rounds = run(kept, gaussian)
    assert (second.order.tolist(), second.cost) == (whole.order.tolist(), whole.cost)
    told = [report.mean_cost for report in all_rounds if report.entropy is not None]
    assert [report.mean_cost for report in rounds if report.entropy is not None] == told[7:]


def test_a_search_that_is_done_is_not_done_again_but_may_go_on(tmp_path):
    gaussian = random_gaussian(8, 3)
    kept = replace(SEARCH, checkpoint=str(tmp_path / "search.pt"))
    found, rounds = run(kept, gaussian)
    again, none = run(kept, gaussian)
    assert again.order.tolist() == found.order.tolist()
    assert len(rounds) == 20
    assert none == []
    _, more = run(replace(kept, max_iter=30), gaussian)
    assert len(more) == 10


def test_what_belongs_to_something_else_is_refused(tmp_path):
    path = str(tmp_path / "search.pt")
    kept = replace(SEARCH, checkpoint=path)
    run(kept, random_gaussian(8, 3))
    with pytest.raises(ParameterError, match="another table"):
        run(kept, random_gaussian(8, 4))
    with pytest.raises(ParameterError, match="other settings"):
        run(replace(kept, learning_rate=0.5), random_gaussian(8, 3))
    (tmp_path / "text").write_text("text")
    with pytest.raises(ParameterError, match="no checkpoint"):
        run(replace(kept, checkpoint=str(tmp_path / "text")), random_gaussian(8, 3))
    with pytest.raises(ParameterError, match="can't be written"):
        run(replace(kept, checkpoint=str(tmp_path / "none" / "search.pt")), random_gaussian(8, 3))


def test_a_policy_that_sees_statistics_starts_on_another_table(tmp_path):
    path = str(tmp_path / "learned.pt")
    teacher = replace(SEARCH, state="statistics", checkpoint=path, max_iter=40)
    run(teacher, random_gaussian(16, 1, density=0.3))
    other = random_gaussian(12, 2, density=0.3)
    cold = replace(SEARCH, state="statistics", warm_start=False, max_iter=1)
    _, untaught = run(cold, other)
    _, taught = run(replace(cold, policy=path), other)
    assert taught[0].mean_cost < untaught[0].mean_cost


def test_a_policy_for_other_variables_is_refused(tmp_path):
    path = str(tmp_path / "learned.pt")
    run(replace(SEARCH, checkpoint=path, max_iter=1), random_gaussian(6, 1))
    with pytest.raises(ParameterError, match="other variables"):
        run(replace(SEARCH, policy=path), random_gaussian(7, 1))
    with pytest.raises(ParameterError, match="no such file"):
        run(replace(SEARCH, policy=str(tmp_path / "nothing")), random_gaussian(7, 1))
