import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_mags import random_mag

from examples import pag_cases, population_covariance, random_gaussian
from rolearn import MAG, PAG, ROL, Gaussian, mag_score
from rolearn.benchmarks.problems import er
from rolearn.graphs.validity import flaw_of, is_valid_pag
from rolearn.likelihood import last_search
from rolearn.likelihood.climb_kernels import set_kind
from rolearn.likelihood.last_search import LARGE, SAME_SCORE, LastSearch, new_bench
from rolearn.likelihood.move_kernels import (
    ASKED,
    Objective,
    change_of,
    complete,
    is_legal,
    make,
    set_row,
    undo,
)
from rolearn.likelihood.near_kernels import fill_near

NONE, ARROW, TAIL = 0, 2, 3


def objective_of(gaussian, penalty=3.0):
    return Objective(gaussian.correlation, gaussian.arrays.n_samples, penalty, len(gaussian.names))


@settings(max_examples=25, deadline=None)
@given(p=st.integers(3, 6), seed=st.integers(0, 10**6))
def test_the_change_of_a_move_is_the_difference_of_two_scores(p, seed):
    gaussian = random_gaussian(p, seed, 200, density=0.6)
    n = gaussian.arrays.n_samples
    marks = ROL(n_starts=1).fit(gaussian).pag_.mag().reorder(gaussian.names).marks.copy()
    objective, bench = objective_of(gaussian, 2.0 * np.log(n)), new_bench(p)
    generator = np.random.default_rng(seed)
    for _ in range(10):
        i, j = generator.choice(p, 2, replace=False)
        at_i, at_j = [(NONE, NONE), (TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW)][generator.integers(4)]
        move = np.zeros((len(bench.old), 4), np.int64)
        set_row(move, 0, i, j, at_i, at_j)
        fill_near(bench.near, marks)
        count = complete(bench, marks, move, 1)
        before = marks.copy()
        change = change_of(objective, bench, marks, move, count, np.inf)
        legal = is_legal(bench, marks, move, count, True)
        assert (marks == before).all()
        make(bench, marks, move, count)
        after = marks.copy()
        assert legal == (flaw_of(after)[0] == 0)
        if legal:
            old, new = (mag_score(MAG(m, gaussian.names), gaussian) for m in (before, after))
            assert change == pytest.approx(new - old, abs=1e-2)
        else:
            undo(bench, marks, move, count)
            assert (marks == before).all()


@pytest.mark.pure
@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_lists_of_neighbors_follow_the_graph(p, seed):
    generator, bench = np.random.default_rng(seed), new_bench(p)
    marks = random_mag(p, generator)
    near = bench.near
    fill_near(near, marks)
    for _ in range(20):
        move = np.zeros((len(bench.old), 4), np.int64)
        i, j = generator.choice(p, 2, replace=False)
        set_row(move, 0, i, j, *[(NONE, NONE), (TAIL, ARROW), (ARROW, ARROW)][generator.integers(3)])
        make(bench, marks, move, 1)
        if generator.random() < 0.5:
            undo(bench, marks, move, 1)
        for v in range(p):
            listed = near.lists[v, : near.sizes[v]].tolist()
            assert listed == sorted(set(listed))
            assert set(np.flatnonzero(marks[v])) <= set(listed)
    fill_near(near, marks)
    assert (near.sizes == (marks != 0).sum(1)).all()


@settings(max_examples=25, deadline=None)
@given(p=st.integers(4, 8), seed=st.integers(0, 10**6))
def test_a_change_above_the_limit_is_no_change_below_it(p, seed):
    gaussian = random_gaussian(p, seed, 200, density=0.7)
    objective, generator = objective_of(gaussian), np.random.default_rng(seed)
    marks = random_mag(p, generator)
    fresh, shared = new_bench(p), new_bench(p)
    fill_near(fresh.near, marks)
    fill_near(shared.near, marks)
    move = np.zeros((len(fresh.old), 4), np.int64)
    for _ in range(10):
        i, j = generator.choice(p, 2, replace=False)
        set_row(
            move,
            0,
            i,
            j,
            *[(NONE, NONE), (TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW)][generator.integers(4)],
        )
        count = complete(fresh, marks, move, 1)
        exact = change_of(objective, fresh, marks, move, count, np.inf)
        for limit in generator.normal(0.0, 30.0, 3):
            change = change_of(objective, shared, marks, move, count, limit)
            assert change == pytest.approx(exact, abs=1e-9) if change < np.inf else exact > limit


def search_of(gaussian, seed, bench=None):
    start = np.zeros((len(gaussian.names),) * 2, np.int8)
    signal, every = np.zeros(1, np.uint8), np.ones(start.shape, np.bool_)
    return LastSearch(objective_of(gaussian), start, every, np.random.default_rng(seed), signal, bench)


@settings(max_examples=15, deadline=None)
@given(p=st.integers(3, 12), seed=st.integers(0, 10**6))
def test_looking_at_the_work_changes_no_round(p, seed):
    whole, in_parts = (search_of(random_gaussian(p, seed, 300, density=0.5), seed) for _ in range(2))
    for _ in range(3):
        far = in_parts._limit(1e18)
        changes = whole._round(whole._pairs(), 3), in_parts._round(in_parts._pairs(), 3, far)
        assert changes[0] == pytest.approx(changes[1])
        assert (whole.marks == in_parts.marks).all()


@settings(max_examples=15, deadline=None)
@given(p=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_a_brief_search_goes_down_to_a_mag(p, seed):
    search = search_of(random_gaussian(p, seed, 300, density=0.5), seed)
    before, objective = search.score, search.objective
    search.run_briefly()
    assert search.score <= before
    assert search.objective.largest == objective.largest == p
    assert flaw_of(search.marks)[0] == 0
    after = search.score
    search.run()
    assert search.score <= after + SAME_SCORE * p


@settings(max_examples=25, deadline=None)
@given(p=st.integers(5, 10), seed=st.integers(0, 10**6), most=st.floats(1e4, 1e6))
def test_what_is_known_does_not_say_where_a_limited_search_ends(p, seed, most):
    gaussian = random_gaussian(p, seed, 300, density=0.7)
    alone, after_another, forgetful = (search_of(gaussian, seed) for _ in range(3))
    search_of(gaussian, seed + 1, after_another._bench).run()
    few = {name: getattr(forgetful._bench, name)[:32].copy() for name in ("known", "deviances", "bounds")}
    forgetful._bench = forgetful._bench._replace(**few)
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(last_search, "_MOST_ASKED", most)
        patch.setattr(last_search, "_GLANCE", 2)
        for search in (alone, after_another, forgetful):
            before = search._bench.counts[ASKED]
            search.run_within_limit()
            asked.append(search._bench.counts[ASKED] - before)
            assert (search.marks == alone.marks).all()
    assert asked[0] == asked[1] == asked[2]
    assert flaw_of(alone.marks)[0] == 0


def test_a_limited_search_ends_with_what_it_asks_for(monkeypatch):
    search, longer = (search_of(random_gaussian(12, 1, 300, density=0.8), 1) for _ in range(2))
    monkeypatch.setattr(last_search, "_MOST_ASKED", 1e4)
    search.run_within_limit()
    longer.run()
    assert 1e4 < search._bench.counts[ASKED] < longer._bench.counts[ASKED] / 2
    assert search.score > longer.score


def test_a_limited_search_is_given_up_early_where_it_remains_far_above_another(monkeypatch):
    searches = (search_of(random_gaussian(12, 1, 300, density=0.8), 1) for _ in range(4))
    alone, hopeless, hopeful, looking_often = searches
    alone.run_within_limit()
    monkeypatch.setattr(last_search, "_EARLY", 1e4)
    # even the best it can come to is too far above
    hopeless.run_within_limit(alone.score - last_search._HOPELESS * alone.objective.penalty - 1.0)
    assert 1e4 < hopeless._bench.counts[ASKED] < alone._bench.counts[ASKED] / 2
    assert hopeless.score > alone.score
    hopeful.run_within_limit(hopeful.score)
    assert (hopeful.marks == alone.marks).all()
    monkeypatch.setattr(last_search, "_GLANCE", 1)  # it comes back in the middle of a round
    looking_often.run_within_limit(looking_often.score)
    assert (looking_often.marks == alone.marks).all()


def test_a_brief_search_ends_with_its_work(monkeypatch):
    monkeypatch.setattr(last_search, "_BRIEF_WORK", 0.0)
    search = search_of(random_gaussian(20, 1, 300, density=0.5), 1)
    search.run_briefly()
    assert 0 < search.n_edges <= last_search._GLANCE  # a first look at some pairs


def test_large_districts_are_left_alone():
    gaussian = random_gaussian(5, 1, 200)
    marks = np.zeros((5, 5), np.int8)
    for i in range(3):
        marks[i, i + 1] = marks[i + 1, i] = ARROW
    objective = objective_of(gaussian)._replace(largest=4)
    bench = new_bench(5)
    fill_near(bench.near, marks)
    move = np.zeros((len(bench.old), 4), np.int64)
    set_row(move, 0, 3, 4, ARROW, ARROW)
    assert change_of(objective, bench, marks, move, 1, np.inf) == np.inf
    set_row(move, 0, 2, 3, NONE, NONE)
    assert np.isfinite(change_of(objective, bench, marks, move, 1, np.inf))


@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 10), n=st.integers(20, 400), density=st.floats(0.05, 0.9), seed=st.integers(0, 10**6))
def test_the_graph_is_valid_on_any_data(p, n, density, seed):
    model = ROL(n_starts=2).fit(random_gaussian(p, seed, n, density))
    assert model.pag_.problems() == []
    member = model.pag_.mag()
    for (a, b), separation in model.separating_sets_.items():
        assert member.m_separated(a, b, separation.given)


@pytest.mark.slow
def test_the_graph_is_valid_on_two_thousand_data_sets():
    generator = np.random.default_rng(20261128)
    for number in range(2000):
        p, n = int(generator.integers(3, 13)), int(generator.integers(15, 200))
        gaussian = random_gaussian(p, number, max(n, p + 5), float(generator.uniform(0.1, 0.9)))
        model = ROL(n_starts=1, random_state=number).fit(gaussian)
        assert is_valid_pag(model.pag_.marks), number


def search_from(marks, gaussian, penalty, seed=0):
    p = len(gaussian.names)
    objective, signal = objective_of(gaussian, penalty), np.zeros(1, np.uint8)
    return LastSearch(objective, marks, np.zeros((p, p), bool), np.random.default_rng(seed), signal)


@settings(max_examples=25, deadline=None)
@given(p=st.integers(3, 7), seed=st.integers(0, 10**6))
def test_kicks_and_wandering_lead_from_mags_to_mags_no_worse(p, seed):
    gaussian = random_gaussian(p, seed, 200, density=0.6)
    search = search_from(np.zeros((p, p), np.int8), gaussian, 2.0 * np.log(200), seed)
    before = search.score
    for step in (search.kick, search.run, search.kick, search.wander):
        step()
        assert flaw_of(search.marks)[0] == 0
        assert search.score <= before + 0.05
        before = search.score


def forced(search, pair, kind):
    return set_kind(search.objective, search._bench, search.marks, pair, kind, search.kept)


@settings(max_examples=25, deadline=None)
@given(p=st.integers(3, 6), seed=st.integers(0, 10**6))
def test_kicks_are_listed_by_what_they_cost(p, seed):
    gaussian, penalty = random_gaussian(p, seed, 200, density=0.6), 2.0 * np.log(200)
    search = search_from(random_mag(p, np.random.default_rng(seed)), gaussian, penalty, seed)
    search.run()
    before, score, pairs = search.marks.copy(), search.score, search._pairs()
    kicks = search._least_costly(pairs, search._limit(np.inf))
    assert (search.marks == before).all()
    assert len({tuple(kick) for kick in kicks}) == len(kicks)
    costs = []
    for place, kind in kicks:
        costs.append(forced(search, pairs[place], kind))
        assert costs[-1] == pytest.approx(search.score - score, abs=1e-2)
        search.marks[:] = before
    assert (np.diff(costs) > -2 * SAME_SCORE).all()
    assert max(costs, default=0.0) <= last_search._HOPE * penalty + SAME_SCORE
    others = {(k, kind) for k in range(len(pairs)) for kind in range(4)} - {tuple(kick) for kick in kicks}
    for place, kind in others:
        cost = forced(search, pairs[place], kind)
        search.marks[:] = before
        assert abs(cost) < 2 * SAME_SCORE or cost > last_search._HOPE * penalty - SAME_SCORE


def test_kicks_find_what_needs_five_edges_at_once():
    problem = er(50, 50**-0.7, 7, hidden=5, rows_each=500)
    gaussian = Gaussian(np.corrcoef(problem.rows, rowvar=False), len(problem.rows))
    stuck = problem.mag.marks.copy()
    for i, j, at_i, at_j in (
        (14, 26, NONE, NONE),
        (19, 26, TAIL, ARROW),
        (20, 26, TAIL, ARROW),
        (31, 26, TAIL, ARROW),
        (42, 26, TAIL, ARROW),
    ):
        stuck[j, i], stuck[i, j] = at_i, at_j
    penalty = 2.0 * np.log(len(problem.rows))
    search = search_from(stuck, gaussian, penalty)
    search.objective = search.objective._replace(largest=LARGE)
    before = search.score
    search.run()
    assert search.score > before - penalty
    search.kick()
    assert search.score < before - penalty


def test_a_false_edge_goes_that_only_a_rare_member_of_the_class_lets_go():
    case = next(c for c in pag_cases() if c["id"] == 178)
    names = [str(v) for v in range(case["n"])]
    gaussian = Gaussian(population_covariance(case, 89), 10**7, names)
    truth = np.array(case["pag"], np.int8)
    search = search_from(PAG(truth, names).mag().marks, gaussian, 2.0 * np.log(10**7))
    best = search.score
    edges = search.n_edges
    joined = joined_to_one_more(search.marks)
    assert joined is not None
    stuck = search_from(joined, gaussian, 2.0 * np.log(10**7))
    stuck.wander()
    assert stuck.n_edges == edges
    assert stuck.score == pytest.approx(best, abs=1e-2)
    assert (stuck.pag() == truth).all()


@settings(max_examples=50, deadline=None)
@given(p=st.integers(1, 25), density=st.floats(0.0, 0.2), seed=st.integers(0, 10**6))
def test_components_are_those_of_networkx(p, density, seed):
    adjacent = np.triu(np.random.default_rng(seed).random((p, p)) < density, 1)
    adjacent |= adjacent.T
    expected = [sorted(c) for c in nx.connected_components(nx.from_numpy_array(adjacent)) if len(c) > 1]
    assert [c.tolist() for c in last_search._components(adjacent)] == sorted(expected)


def test_wandering_ends_once_it_has_seen_each_component_in_all_its_marks(monkeypatch):
    chains, length = 5, 3  # five MAGs a chain, over three thousand of all five
    marks = np.zeros((chains * length, chains * length), np.int8)
    covariance = np.eye(len(marks))
    for first in range(0, len(marks), length):
        for i, j in ((first, first + 1), (first + 1, first + 2)):
            marks[i, j], marks[j, i] = ARROW, TAIL
        weights = 0.5 ** np.abs(np.subtract.outer(range(length), range(length)))
        covariance[first : first + length, first : first + length] = weights
    search = search_from(marks, Gaussian(covariance, 1000), 2.0 * np.log(1000))
    seen, make_round = [], search._round

    def counted(*how):
        change = make_round(*how)
        seen.append(search.marks.copy())
        return change

    monkeypatch.setattr(search, "_round", counted)
    search.wander()
    assert len(seen) < 300
    for first in range(0, len(marks), length):
        assert len({one[first : first + length].tobytes() for one in seen}) == 5
    assert (search.pag() == search_from(marks, Gaussian(covariance, 1000), 1.0).pag()).all()


def joined_to_one_more(marks):
    """The first MAG of one more edge."""
    for i, j in np.argwhere(np.triu(marks == 0, 1)):
        other = marks.copy()
        other[i, j], other[j, i] = ARROW, TAIL
        if flaw_of(other)[0] == 0:
            return other
    return None


def test_the_table_of_a_shared_bench_changes_nothing():
    gaussian = random_gaussian(8, 5, 300, density=0.5)
    objective, bench = objective_of(gaussian, 10.0), new_bench(8)
    found = []
    for seed in (1, 2, 1):
        generator, signal = np.random.default_rng(seed), np.zeros(1, np.uint8)
        search = LastSearch(
            objective, np.zeros((8, 8), np.int8), np.ones((8, 8), bool), generator, signal, bench
        )
        search.run()
        found.append((search.marks.copy(), search.score))
    assert (found[0][0] == found[2][0]).all()
    assert found[0][1] == found[2][1]
