import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import pag_cases, population_covariance, random_gaussian
from rolearn import PAG, ROL, Gaussian, HillClimb, mag_score
from rolearn.benchmarks.problems import network, random_dag
from rolearn.estimators.starts import Starts
from rolearn.likelihood.last_search import LastSearch


@pytest.mark.slow
def test_population_covariances_give_the_exact_pag():
    for case in pag_cases():
        names = [str(v) for v in range(case["n"])]
        statistics = Gaussian(population_covariance(case, case["id"]), 10**7, names)
        assert ROL().fit(statistics).pag_ == PAG(np.array(case["pag"]), names), case["id"]


def test_tests_are_counted_once_over_all_starts():
    gaussian = random_gaussian(8, 3, 300, density=0.5)
    one, five = (ROL(n_starts=n).fit(gaussian).n_tests_ for n in (1, 5))
    assert 0 < one <= five
    # each test of five starts is one of some pair given some set
    assert five <= 28 * 2**6
    again = ROL(HillClimb(kicks=0, others=0, start="recursive"), n_starts=1).fit(gaussian).n_tests_
    twice = ROL(HillClimb(kicks=0, others=3, start="recursive"), n_starts=1).fit(gaussian).n_tests_
    assert again <= twice


def test_only_the_best_graph_is_searched_without_a_limit(monkeypatch):
    ends = []

    def counted(name):
        method = getattr(LastSearch, name)
        return lambda search, *other: (ends.append(name), method(search, *other))[1]

    for name in ("run", "run_within_limit", "run_briefly"):
        monkeypatch.setattr(LastSearch, name, counted(name))
    ROL().fit(random_gaussian(8, 3, 300, density=0.5))
    assert ends[-1] == "run"
    assert len(ends) > 1
    assert set(ends[:-1]) == {"run_within_limit"}


def test_there_are_ten_starts_where_nothing_is_hidden_and_few_variables():
    rows = network(repetition=0, name="alarm", n_rows=250).rows
    usual, one, ten = (ROL(latents=False, n_starts=n).fit(rows) for n in (None, 1, 10))
    assert usual.cost_ == ten.cost_ < one.cost_ - 1.0
    assert usual.cpdag_ == ten.cpdag_


def test_more_than_two_searches_only_where_these_end_differently(monkeypatch):
    calls = []

    def counted(starts, searches, costs, first=0):
        results = orders(starts, searches, costs, first)
        calls.append((first, [result.cost for result in results]))
        return results

    orders = Starts.orders
    monkeypatch.setattr(Starts, "orders", counted)
    agreed = []
    for seed in range(12):
        calls.clear()
        gaussian = random_gaussian(14, seed, 300, density=0.5)
        model = ROL().fit(gaussian)
        assert calls[0][0] == 0
        agreed.append(np.ptp(calls[0][1]) < 0.01)
        assert [(first, len(costs)) for first, costs in calls] == [(0, 2), (2, 3)][: 2 - agreed[-1]]
        assert model.cost_ == min(cost for _, costs in calls for cost in costs)
        if not agreed[-1]:
            assert model.pag_ == ROL(n_starts=5).fit(gaussian).pag_
    assert 0 < sum(agreed) < len(agreed)
    calls.clear()
    ROL(n_starts=4).fit(random_gaussian(14, 0, 300, density=0.5))
    assert [len(costs) for _, costs in calls] == [4]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**31), st.integers(6, 12))
def test_the_graph_is_no_worse_than_the_dag_of_its_order(seed, p):
    """Strong effects in a dense graph: tests contradict each other there."""
    rows = random_dag(repetition=seed, n=p, degree=p // 2, n_rows=50 * p, hidden=0).rows
    model = ROL().fit(rows)
    constant = len(rows) * p * (1.0 + np.log(2.0 * np.pi))
    assert mag_score(model.graph_, rows) - constant <= model.cost_ + 0.1
