"""Best subsets of parents, from all subsets."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_gaussian, random_rows
from rolearn import BIC, ROL, Exact, Gaussian, HillClimb, ParameterError, RolearnWarning, learn, order_cost
from rolearn.orders.cost import order_costs

QUIET = np.zeros(1, np.uint8)
EXACT = BIC(parents="exact")


def log_variance(correlation: np.ndarray, x: int, given: list[int]) -> float:
    keep = [x, *given]
    return -math.log(np.linalg.inv(correlation[np.ix_(keep, keep)])[0, 0])


def least_cost(gaussian, cost: BIC, x: int, candidates: list[int]) -> float:
    score = cost.score(gaussian)
    return min(
        score.n_samples * log_variance(gaussian.correlation, x, list(chosen)) + score.threshold * size
        for size in range(min(len(candidates), score.cap) + 1)
        for chosen in combinations(candidates, size)
    )


@pytest.mark.pure
@settings(max_examples=25, deadline=None)
@given(
    p=st.integers(2, 7),
    n=st.integers(12, 400),
    penalty=st.sampled_from([0.1, 0.5, 2.0]),
    seed=st.integers(0, 10**6),
    data=st.data(),
)
def test_the_cost_is_that_of_the_best_of_all_subsets(p, n, penalty, seed, data):
    gaussian = random_gaussian(p, seed, n, density=0.7)
    cost = BIC(penalty, "exact")
    order = data.draw(st.permutations(range(p)))
    costs = order_costs(gaussian, cost, 0.05, QUIET).branch()
    local = costs.window(0, np.array(order), np.ones(p, bool))
    for t, x in enumerate(order):
        assert local[t] == pytest.approx(least_cost(gaussian, cost, x, list(order[t + 1 :])), abs=1e-7)
    for removal, found in zip(costs.branch().removals(np.array(order)), local, strict=True):
        parents = list(removal.boundary)
        score = cost.score(gaussian)
        value = n * log_variance(gaussian.correlation, removal.variable, parents)
        assert found == pytest.approx(value + score.threshold * len(parents), abs=1e-7)


@pytest.mark.pure
def test_a_cost_depends_on_what_remains_alone():
    """Whatever was asked before, to the last bit; and in more rows than there is room for at first."""
    gaussian = random_gaussian(12, 3, 500, density=0.7)
    shared = order_costs(gaussian, EXACT, 0.05, QUIET).branch()
    generator = np.random.default_rng(0)
    for _ in range(40):
        order = generator.permutation(12)
        fresh = order_costs(gaussian, EXACT, 0.05, QUIET).branch()
        everything = np.ones(12, bool)
        assert shared.window(0, order, everything).tolist() == fresh.window(0, order, everything).tolist()


def test_the_tree_grows_in_both_directions():
    gaussian = random_gaussian(14, 1, 4000, density=1.0)
    costs = order_costs(gaussian, BIC(0.2, "exact"), 0.05, QUIET).branch()
    rows, width = costs.arrays.known.members.shape
    generator = np.random.default_rng(0)
    for _ in range(300):
        costs.whole(generator.permutation(14))
    assert costs.arrays.known.members.shape[0] > rows
    assert costs.arrays.known.members.shape[1] > width


@pytest.mark.parametrize("search", ["hill-climb", "recursive", "exact"])
def test_every_search_takes_exact_parents(search):
    gaussian = random_gaussian(9, 4, 500, density=0.6)
    model = ROL(search, cost=EXACT).fit(gaussian)
    assert order_cost(gaussian, model.order_, cost=EXACT) == model.cost_
    assert model.pag_.problems() == []
    assert model.cost_ <= order_cost(gaussian, model.order_, cost=BIC()) + 1e-6


def test_climbing_ends_no_higher_with_exact_parents():
    for seed in range(6):
        gaussian = random_gaussian(10, seed, 300, density=0.7)
        search = HillClimb(start="random")
        with_best = ROL(search, cost=EXACT, latents=False).fit(gaussian)
        grown = ROL(search, cost=BIC(), latents=False).fit(gaussian)
        assert with_best.cost_ <= order_cost(gaussian, grown.order_, cost=EXACT) + 1e-6


def test_what_exact_parents_cannot_do_is_said():
    rows = random_rows(14, 1, 12)
    few = "needs more rows than columns, and there are 12 rows for 14"
    with pytest.warns(RolearnWarning, match="few"), pytest.raises(ParameterError, match=few):
        learn(rows, cost=EXACT)
    with pytest.raises(ParameterError, match="takes at most 128 columns, and there are 130"):
        learn(Gaussian(np.eye(130), 1000), cost=EXACT)


def test_names_mean_exact_parents_where_a_proof_is_asked_for():
    gaussian = random_gaussian(7, 2, 300, density=0.8)
    for cost in ("auto", "bic"):
        model = ROL("exact", cost=cost, latents=False).fit(gaussian)
        assert order_cost(gaussian, model.order_, cost=EXACT) == model.cost_
        assert order_cost(gaussian, model.order_, **model.get_params()) == model.cost_
    kept = ROL(Exact(), cost=BIC(), latents=False).fit(gaussian)
    assert order_cost(gaussian, kept.order_, cost=BIC()) == kept.cost_
