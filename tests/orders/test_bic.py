import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import oracle_of, random_gaussian, random_rows
from rolearn import BIC, ROL, HillClimb, ParameterError, RolearnWarning, learn, order_cost
from rolearn.neighbors.grow_shrink_kernels import evaluate, takes, would_take
from rolearn.neighbors.traces import new_room, new_traces
from rolearn.orders import insertion_climb
from rolearn.orders.insertion_climb import InsertionClimb
from rolearn.orders.insertion_kernels import insert_each

QUIET = np.zeros(1, np.uint8)


def log_variance(correlation: np.ndarray, x: int, given: list[int]) -> float:
    keep = [x, *given]
    return -math.log(np.linalg.inv(correlation[np.ix_(keep, keep)])[0, 0])


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 7), n=st.integers(60, 400), seed=st.integers(0, 10**6), data=st.data())
def test_the_cost_is_the_penalized_likelihood_of_a_dag_in_which_no_parent_can_be_spared(p, n, seed, data):
    gaussian = random_gaussian(p, seed, n)
    order = data.draw(st.permutations(gaussian.names))
    places = [gaussian.names.index(name) for name in order]
    model = ROL(latents=False, search=HillClimb(kicks=0)).fit(gaussian)
    assert order_cost(gaussian, model.order_) == model.cost_
    bound = 0.0
    for t, x in enumerate(places):
        later = places[t + 1 :]
        costs = [
            n * log_variance(gaussian.correlation, x, [y for k, y in enumerate(later) if 1 << k & chosen])
            + 2.0 * math.log(n) * chosen.bit_count()
            for chosen in range(1 << len(later))
        ]
        bound += min(costs)
    # never below the best subsets, and most often them
    assert order_cost(gaussian, order) >= bound - 1e-6


@pytest.mark.pure
@settings(max_examples=40, deadline=None)
@given(p=st.integers(3, 9), n=st.integers(12, 300), seed=st.integers(0, 10**6))
def test_traces_tell_whether_a_variable_that_comes_or_goes_changes_a_cost(p, n, seed):
    gaussian = random_gaussian(p, seed, n)
    score = BIC().score(gaussian)
    traces, room = new_traces(2, score.cap), new_room(score)
    remaining = np.random.default_rng(seed).random(p) < 0.7
    remaining[0] = False
    first = evaluate(score, 0, remaining, room, traces, 0)
    for y in range(1, p):
        other = remaining.copy()
        other[y] = not other[y]
        changes = takes(traces, 0, y) if remaining[y] else would_take(score, traces, 0, 0, y)
        cost = evaluate(score, 0, other, room, traces, 1)
        if not changes:
            assert cost == first
            assert (
                traces.members[1, : traces.size[1]].tolist() == traces.members[0, : traces.size[0]].tolist()
            )
        elif not traces.blocked[0]:
            assert (
                traces.members[1, : traces.size[1]].tolist() != traces.members[0, : traces.size[0]].tolist()
            )


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_no_variable_has_a_better_place_when_no_move_lowers_the_cost(p, seed):
    gaussian = random_gaussian(p, seed, 200, density=0.7)
    score = BIC().score(gaussian)
    generator = np.random.default_rng(seed)
    climb = InsertionClimb(score, generator.permutation(p), generator, QUIET)
    lowered = 1
    while lowered:  # rounds without a sideways move
        climb.wake()
        stay = climb.standing.place.copy()
        lowered = 0
        for x in range(p):
            one = np.array([x])
            here = climb.standing.place[one]
            lowered += insert_each(score, climb.standing, one, here, False, climb.tolerance, np.inf, QUIET)
        assert lowered or (climb.standing.place == stay).all()
    names = [gaussian.names[i] for i in climb.order]
    assert climb.cost == pytest.approx(order_cost(gaussian, names), abs=1e-9)
    for i in range(p):
        for j in range(p):
            moved = names[:i] + names[i + 1 :]
            moved.insert(j, names[i])
            assert order_cost(gaussian, moved) >= climb.cost - climb.tolerance


def test_small_problems_end_at_the_cheapest_of_all_orders():
    found = 0
    for seed in range(20):
        gaussian = random_gaussian(5, seed, 300, density=0.7)
        least = min(order_cost(gaussian, order) for order in permutations(gaussian.names))
        found += ROL(latents=False).fit(gaussian).cost_ <= least + 1e-6
    assert found == 20


def test_kicks_only_ever_lower_the_cost_and_traces_grow_when_they_are_full():
    gaussian = random_gaussian(45, 5, 3000, density=0.5)
    score = BIC().score(gaussian)
    generator = np.random.default_rng(0)
    climb = InsertionClimb(score, generator.permutation(45), generator, QUIET)
    climb.descend()
    cost = climb.cost
    for _ in range(5):
        climb.kick()
        assert climb.cost <= cost + climb.tolerance
        cost = climb.cost
    assert climb.standing.traces.members.shape[1] > 32  # what there was room for at first
    names = [gaussian.names[i] for i in climb.order]
    assert order_cost(gaussian, names) == climb.cost


@settings(max_examples=20, deadline=None)
@given(p=st.integers(3, 12), seed=st.integers(0, 10**6), restricted=st.booleans())
def test_after_each_kick_costs_and_traces_are_those_of_the_order(p, seed, restricted):
    gaussian = random_gaussian(p, seed, 300, density=0.7)
    score, generator = BIC().score(gaussian), np.random.default_rng(seed)
    precedence = np.zeros((p, p), np.int8)
    if restricted:
        precedence[0, 1], precedence[1, 0] = 1, -1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insertion_climb, "_DEPTH", 1)  # room for traces runs out, again and again
        climb = InsertionClimb(score, np.arange(p), generator, QUIET, precedence)
        for _ in range(8):
            climb.kick()
            fresh = InsertionClimb(score, climb.order, generator, QUIET, precedence).standing
            standing = climb.standing
            assert (standing.local == fresh.local).all()
            assert (standing.place == fresh.place).all()
            for x in range(p):
                size = fresh.traces.size[x]
                assert standing.traces.size[x] == size
                for name in ("members", "own", "gain", "left"):
                    mine, anew = getattr(standing.traces, name), getattr(fresh.traces, name)
                    assert (mine[x, :size] == anew[x, :size]).all()


def test_threads_and_runs_do_not_change_the_result():
    gaussian = random_gaussian(12, 3, 300, density=0.5)
    first = ROL(n_starts=4).fit(gaussian)
    for jobs in (1, 2, 3):
        model = ROL(n_starts=4, n_jobs=jobs).fit(gaussian)
        assert (model.pag_, model.order_, model.cost_) == (first.pag_, first.order_, first.cost_)


def test_other_searches_take_the_bic_cost_too():
    gaussian = random_gaussian(8, 4, 500)
    climbed = ROL(latents=False).fit(gaussian)
    recursive = ROL(latents=False, search="recursive").fit(gaussian)
    assert order_cost(gaussian, recursive.order_) == recursive.cost_ >= climbed.cost_ - 1e-6


@pytest.mark.pure
def test_what_has_no_likelihood_has_no_bic(cases):
    with pytest.raises(ParameterError, match="the bic cost needs rows or Gaussian statistics, not Oracle"):
        learn(oracle_of(cases[0]), cost="bic")
    for parameters in ({"penalty": 0}, {"penalty": -1.0}, {"penalty": "high"}, {"penalty": math.nan}):
        with pytest.raises(ParameterError, match="penalty is"):
            BIC(**parameters)
    with pytest.raises(ParameterError, match="parents is 'all'"):
        BIC(parents="all")


def test_a_variable_gets_no_more_parents_than_the_rows_carry_and_a_warning_says_so():
    rows = random_rows(20, 1, 45, density=0.0)
    rows[:, 0] = rows[:, 1:].sum(1) + rows[:, 0]
    with pytest.warns(RolearnWarning, match="given 15 parents, the most that these rows carry"):
        model = learn(rows, cost=BIC(penalty=0.01), latents=False)
    assert model.cpdag_.problems() == []


def test_a_higher_penalty_gives_no_more_edges_on_noise():
    rows = np.random.default_rng(3).standard_normal((200, 15))
    edges = [learn(rows, cost=BIC(penalty), latents=False).cpdag_.n_edges for penalty in (0.1, 0.5, 2.0)]
    assert edges[0] > edges[1] > edges[2] == 0
