import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import random_rows
from rolearn import BIC, ROL, Gaussian, NeighborCount, ParameterError, order_cost
from rolearn.independence import DegenerateGaussian, Discrete
from rolearn.neighbors.grow_shrink_kernels import evaluate, grow, takes, would_take
from rolearn.neighbors.traces import new_room, new_traces
from rolearn.runtime.compile import kernel


@kernel
def ask_evaluate(score, x, remaining, room, traces, row):
    return evaluate(score, x, remaining, room, traces, row)


@kernel
def ask_grow(score, x, remaining, room, traces, row):
    grow(score, x, remaining, room, traces, row)


@kernel
def ask_would_take(score, traces, row, x, y):
    return would_take(score, traces, row, x, y)


pytestmark = pytest.mark.pure


def codes_of(p: int, seed: int, n: int, levels: int = 3) -> np.ndarray:
    rows = random_rows(p, seed, n, 0.6)
    return np.floor(levels * (np.argsort(np.argsort(rows, axis=0), axis=0) / n)).clip(0, levels - 1)


def discrete_of(p: int, seed: int, n: int = 200) -> tuple[Discrete, np.ndarray]:
    codes = codes_of(p, seed, n)
    return Discrete.of_rows(codes, np.full(p, 3), [f"X{i}" for i in range(p)]), codes


def mixed_of(p: int, seed: int, n: int = 200) -> tuple[DegenerateGaussian, list[np.ndarray]]:
    """Odd columns discrete; also the embedded columns of each variable."""
    values, codes, levels = random_rows(p, seed, n, 0.6), codes_of(p, seed, n), np.zeros(p, int)
    levels[1::2], values[:, 1::2] = 3, codes[:, 1::2]
    blocks = [
        np.column_stack([values[:, i] == 0, values[:, i] == 1]).astype(float) if i % 2 else values[:, [i]]
        for i in range(p)
    ]
    return DegenerateGaussian.of_rows(values, levels, [f"X{i}" for i in range(p)]), blocks


def multinomial(codes: np.ndarray, x: int, members: list[int]) -> float:
    total = 0.0
    for stratum in np.unique(codes[:, members], axis=0):
        part = codes[(codes[:, members] == stratum).all(1), x]
        counts = np.unique(part, return_counts=True)[1]
        total -= 2 * (counts * np.log(counts / len(part))).sum()
    return total


def block_deviance(blocks: list[np.ndarray], x: int, members: list[int]) -> float:
    def log_det(variables):
        if not variables:
            return 0.0
        return np.linalg.slogdet(np.atleast_2d(np.corrcoef(np.hstack([blocks[i] for i in variables]).T)))[1]

    return len(blocks[0]) * (log_det([*members, x]) - log_det(members) - log_det([x]))


@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 6), seed=st.integers(0, 10**6), discrete=st.booleans(), data=st.data())
def test_the_cost_is_the_penalized_likelihood_of_the_parents_found(p, seed, discrete, data):
    statistics, rows = (discrete_of if discrete else mixed_of)(p, seed)
    score = BIC().score(statistics)
    remaining = np.array(data.draw(st.lists(st.booleans(), min_size=p, max_size=p)))
    x = data.draw(st.integers(0, p - 1))
    remaining[x] = True
    room, traces = new_room(score), new_traces(1, score.cap)
    cost = ask_evaluate(score, x, remaining, room, traces, 0)
    candidates = [i for i in np.flatnonzero(remaining) if i != x]
    n = len(rows) if discrete else len(rows[0])

    def by_definition(members: list[int]) -> float:
        if discrete:
            return multinomial(rows, x, members) + math.log(n) * 2 * len(np.unique(rows[:, members], axis=0))
        width = [block.shape[1] for block in rows]
        size = width[x] * sum(width[i] for i in members)
        return block_deviance(rows, x, members) + 2 * math.log(n) * size

    subsets = [[c for k, c in enumerate(candidates) if i >> k & 1] for i in range(2 ** len(candidates))]
    costs = [by_definition(members) for members in subsets]
    assert np.isclose(costs, cost, atol=1e-6).any(), "the cost of some set of parents"
    assert cost <= by_definition([]) + 1e-6
    assert ask_evaluate(score, x, remaining, room, traces, 0) == cost, "to the last bit, remembered or not"


@settings(max_examples=40, deadline=None)
@given(p=st.integers(3, 7), seed=st.integers(0, 10**6), discrete=st.booleans(), data=st.data())
def test_traces_tell_when_growing_comes_out_otherwise(p, seed, discrete, data):
    statistics, _ = (discrete_of if discrete else mixed_of)(p, seed)
    score = BIC(penalty=0.5).score(statistics)
    x, y = data.draw(st.permutations(range(p)))[:2]
    room, traces = new_room(score), new_traces(2, score.cap)
    with_y = np.ones(p, bool)
    without = with_y.copy()
    without[y] = False
    ask_grow(score, x, without, room, traces, 0)
    ask_grow(score, x, with_y, room, traces, 1)

    def grown(row):
        return traces.members[row, : traces.size[row]].tolist()

    assert ask_would_take(score, traces, 0, x, y) == (grown(0) != grown(1))
    assert takes(traces, 1, y) == (y in grown(1))


def test_blocks_of_one_column_cost_what_a_gaussian_costs():
    rows = random_rows(6, 4, 500)
    names = [f"X{i}" for i in range(6)]
    blocks = DegenerateGaussian.of_rows(rows, np.zeros(6, int), names)
    gaussian = Gaussian(np.cov(rows.T), 500, names)
    for order in (names, names[::-1]):
        assert order_cost(blocks, order) == pytest.approx(order_cost(gaussian, order), abs=1e-6)
    assert ROL(latents=False).fit(blocks).graph_ == ROL(latents=False).fit(gaussian).graph_


@pytest.mark.parametrize("kind", [discrete_of, mixed_of])
@pytest.mark.parametrize("settings", [{}, {"search": "recursive"}, {"search": "exact"}, {"latents": False}])
def test_the_cost_of_a_model_is_that_of_its_order(kind, settings):
    statistics, _ = kind(6, 3)
    model = ROL(**settings).fit(statistics)
    assert order_cost(statistics, model.order_, **settings) == pytest.approx(model.cost_, abs=1e-6)
    assert model.graph_.is_valid()
    if settings.get("search") == "exact":
        climbed = ROL().fit(statistics)
        assert model.optimal_
        assert model.cost_ <= climbed.cost_ + 1e-6


@pytest.mark.parametrize("kind", [discrete_of, mixed_of])
@pytest.mark.parametrize("finder", ["rsl", "l-marvel", "mbcs"])
def test_neighbors_are_counted_in_boundaries_by_the_score(kind, finder):
    statistics, _ = kind(6, 3)
    model = ROL(cost=NeighborCount(finder)).fit(statistics)
    assert model.pag_.is_valid()
    assert order_cost(statistics, model.order_, cost=NeighborCount(finder)) == model.cost_


@pytest.mark.parametrize("kind", [discrete_of, mixed_of])
def test_exact_parents_need_a_gaussian(kind):
    with pytest.raises(ParameterError, match=r"for columns of numbers alone, .* of test="):
        ROL(cost=BIC(parents="exact")).fit(kind(4, 1)[0])
