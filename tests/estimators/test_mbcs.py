"""MBCS* as an algorithm of its own: `rolearn.paper.mbcs`."""

import time
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import table2

from examples import in_other_columns, oracle_of, random_gaussian, random_oracle, random_rows
from rolearn import (
    ROL,
    CallableTest,
    ColliderSets,
    DataError,
    Knowledge,
    NeighborCount,
    ParameterError,
    RolearnWarning,
    StopReason,
    load,
    order_cost,
    paper,
)
from rolearn.neighbors.boundaries import default_level


def quietly(X, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        return paper.mbcs(X, **parameters)


@pytest.mark.pure
@settings(max_examples=40, deadline=None)
@given(p=st.integers(1, 7), hidden=st.integers(0, 4), seed=st.integers(0, 10**6))
def test_an_oracle_gives_the_pag(p, hidden, seed):
    oracle, dag, unseen = random_oracle(p, hidden, seed)
    mag = dag.project(hidden=unseen)
    model = paper.mbcs(oracle)
    assert model.pag_ == mag.pag()
    assert model.cost_ == mag.n_edges
    for (a, b), found in model.separating_sets_.items():
        assert mag.m_separated(a, b, found.given)


@pytest.mark.pure
@settings(max_examples=30, deadline=None)
@given(p=st.integers(1, 7), seed=st.integers(0, 10**6))
def test_without_latents_an_oracle_gives_the_cpdag(p, seed):
    oracle, dag, _ = random_oracle(p, 0, seed)
    assert paper.mbcs(oracle, latents=False).cpdag_ == dag.cpdag()


def test_compiled_an_oracle_gives_the_pag(cases):
    for case in cases[::3]:
        assert np.array_equal(paper.mbcs(oracle_of(case)).pag_.marks, case["pag"])


@settings(max_examples=15, deadline=None)
@given(p=st.integers(1, 8), seed=st.integers(0, 10**6), data=st.data())
def test_other_columns_and_names_give_the_same_graph(p, seed, data):
    rows = random_rows(p, seed, 60 * p, density=0.6)
    permutation = data.draw(st.permutations(range(p)))
    names = data.draw(st.lists(st.text(min_size=1, max_size=4), min_size=p, max_size=p, unique=True))
    moved, renamed = in_other_columns(rows, permutation, names)
    first, second = quietly(rows), quietly(moved)
    assert np.array_equal(first.graph_.marks[np.ix_(permutation, permutation)], second.graph_.marks)
    assert [renamed[name] for name in first.order_] == list(second.order_)
    for a, b in first.separating_sets_:
        ours, theirs = first.separating_sets_[a, b], second.separating_sets_[renamed[a], renamed[b]]
        assert {renamed[v] for v in ours.given} == set(theirs.given)


def test_a_callable_that_answers_as_fisher_z_gives_the_same_graph():
    for seed in range(6):
        gaussian = random_gaussian(7, seed, 400, density=0.6)
        gaussian = gaussian.arranged(gaussian.canonical_order())  # that of a callable is the one given
        ours, theirs = quietly(gaussian), quietly(CallableTest(gaussian.p_value, gaussian.names))
        assert theirs.pag_ == ours.pag_
        assert theirs.order_ == ours.order_


def largest(tries, alpha):
    """Give the set with the largest p-value, where that exceeds the level."""
    best = max(tries, key=tries.get, default=None)
    return best if best is not None and tries[best] > alpha else None


def by_definition(gaussian, alpha):
    """MBCS* step by step, over names: the separating set of each pair that was in each other's boundary."""
    names, ask = gaussian.names, gaussian.p_value
    level = default_level(len(names))
    near = {x: {y for y in names if y != x and ask(x, y, set(names) - {x, y}) <= level} for x in names}
    order = sorted(names, key=lambda x: len(near[x]))
    pairs = [(x, y) for x, y in combinations(order, 2) if y in near[x]]
    found = {}
    for x, y in pairs:
        whole = min(near[x] - {y}, near[y] - {x}, key=len)
        for count in range(1, len(near[x] & near[y]) + 1):
            left = [whole - set(colliders) for colliders in combinations(sorted(near[x] & near[y]), count)]
            best = largest({frozenset(given): ask(x, y, given) for given in left}, alpha)
            if best is not None:
                found[x, y] = best
                break
    joined = {frozenset(pair) for pair in pairs if pair not in found}
    heads = {
        (a, b)
        for (x, y), given in found.items()
        for b in names
        if b not in given and {frozenset((x, b)), frozenset((y, b))} <= joined
        for a in (x, y)
    }

    def possible(x):
        waiting = [(x, b) for b in names if frozenset((x, b)) in joined]
        for a, b in waiting:  # which grows
            for c in near[b] - {a, x}:
                inward = (a, b) in heads and (c, b) in heads
                if frozenset((b, c)) in joined and (inward or frozenset((a, c)) in joined):
                    waiting += [] if (b, c) in waiting else [(b, c)]
        return {b for _, b in waiting} & near[x]

    for x, y in pairs:
        if (x, y) not in found and frozenset((x, y)) in joined:
            pool = sorted(min(possible(x) - {y}, possible(y) - {x}, key=len))
            for count in range(len(pool) + 1):
                best = largest({g: ask(x, y, g) for g in combinations(pool, count)}, alpha)
                if best is not None:
                    found[x, y] = frozenset(best)
                    break
    return {frozenset(pair): set(given) for pair, given in found.items()}


@pytest.mark.pure
@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), n=st.sampled_from([60, 400]))
def test_each_step_is_as_it_is_defined(p, seed, n):
    gaussian = random_gaussian(p, seed, n, density=0.6)
    gaussian = gaussian.arranged(gaussian.canonical_order())  # which decides between boundaries of one size
    model = quietly(gaussian, alpha=0.1)
    found = {
        frozenset(pair): set(separation.given)
        for pair, separation in model.separating_sets_.items()
        if separation.reason == "test"
    }
    assert found == by_definition(gaussian, 0.1)


def test_what_a_test_separated_is_beyond_the_level():
    reasons = set()
    for seed in range(10):
        model = quietly(random_rows(9, seed, 300, density=0.6))
        for pair, found in model.separating_sets_.items():
            reasons.add(found.reason)
            if found.reason == "test":
                assert found.p_value > model.alpha
                assert not model.skeleton_[tuple(list(model.feature_names_in_).index(v) for v in pair)]
        assert model.pag_.n_edges == model.cost_ == model.trace_[-1][1]
    assert reasons == {"boundary", "test"}


@pytest.mark.parametrize(("name", "least"), [("insurance", 0.60), ("water", 0.71), ("ecoli70", 0.86)])
def test_skeletons_of_the_papers_networks(name, least):
    scores = []
    for repetition in range(5):
        problem = table2(name, repetition)
        learned, truth = quietly(problem.rows).pag_.skeleton, problem.mag.skeleton
        scores.append(2 * (learned & truth).sum() / (learned.sum() + truth.sum()))
    assert np.mean(scores) >= least


def table_of(kind):
    rows = random_rows(6, 4, 600, density=0.9)
    table = pd.DataFrame(rows, columns=list("ABCDEF"))
    for name in {"discrete": "ABCDEF", "mixed": "BDF", "few rows": ""}[kind]:
        table[name] = pd.qcut(table[name], 3, labels=["low", "mid", "high"]).astype(str)
    return table[:17] if kind == "few rows" else table


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["discrete", "mixed", "few rows"])
def test_any_table_will_do(kind):
    table = table_of(kind)
    model, moved = quietly(table), quietly(table[list("CAFBED")])
    assert model.pag_.n_edges == model.cost_ > 0
    assert moved.pag_ == model.pag_


def test_required_edges_stay():
    rows = random_rows(6, 3, 300, density=0.3)
    free = quietly(rows)
    a, b = next(iter(free.separating_sets_))
    model = quietly(rows, knowledge=Knowledge(required=[(a, b)]))
    assert (a, b) not in model.separating_sets_
    assert model.order_.index(b) < model.order_.index(a)


def test_no_time_leaves_the_moral_graph():
    rows = random_rows(20, 1, 400, density=0.9)
    paper.mbcs(random_rows(4, 1, 100))  # compiled by now
    started = time.monotonic()
    model = quietly(rows, time_limit=0)
    assert time.monotonic() - started < 4
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert model.cost_ >= quietly(rows).cost_


def test_a_time_limit_holds_for_slow_tests_of_the_users():
    def slow(x, y, given):
        time.sleep(0.01)
        return 0.5 if len(given) % 2 else 0.001

    started = time.monotonic()
    model = quietly(CallableTest(slow, [f"V{i}" for i in range(40)]), time_limit=0.5)
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert time.monotonic() - started < 5


def test_errors_of_a_users_test_come_through():
    with pytest.raises(DataError, match="a p-value in"):
        paper.mbcs(CallableTest(lambda x, y, given: 2.0, list("ABC")))


def test_a_model_is_one_like_others(tmp_path):
    rows = random_rows(6, 3, 300, density=0.5)
    model = quietly(rows)
    parameters = model.get_params()
    assert (parameters["alpha"], parameters["legal"]) == (0.01, False)
    assert (parameters["search"], parameters["cost"]) == (ColliderSets(), NeighborCount("mbcs"))
    assert quietly(rows, n_starts=3, n_jobs=2).pag_ == model.pag_
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.pag_ == model.pag_
    assert loaded.get_params() == parameters
    a, b = next(iter(model.separating_sets_))
    assert loaded.explain(a, b) == model.explain(a, b)
    assert sorted(model.order_) == sorted(model.feature_names_in_)


@pytest.mark.pure
def test_what_goes_with_collider_sets():
    rows = random_rows(4, 3, 100)
    cost = NeighborCount("mbcs")
    for other in ("auto", "bic", "neighbors", NeighborCount("rsl")):
        with pytest.raises(ParameterError, match=r"needs cost=NeighborCount\(\"mbcs\"\)"):
            ROL(ColliderSets(), cost=other, legal=False).fit(rows)
    with pytest.raises(ParameterError, match="give legal=False"):
        ROL(ColliderSets(), cost=cost).fit(rows)
    with pytest.raises(ParameterError, match="finds no order"):
        order_cost(rows, ["X1", "X2", "X3", "X4"], cost, search=ColliderSets())
