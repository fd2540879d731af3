"""A program that is kept alive has the optimum of one that is made anew."""

import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from rolearn.orders.cuts import Cluster, Covariance
from rolearn.orders.family_program import FamilyProgram
from rolearn.orders.warm_program import HaltedError, WarmProgram, can_cut

pytestmark = pytest.mark.skipif(not can_cut(), reason="highspy, the solver, is not installed")

QUIET = np.zeros(1, np.uint8)


def anew(p, group, costs, rows, least):
    """Solve from scratch; gives the optimum, None where there is none."""
    chosen = (group == np.arange(p)[:, None]).astype(float)
    limits = {"A_ub": -rows, "b_ub": -least} if len(rows) else {}
    found = linprog(costs, A_eq=chosen, b_eq=np.ones(p), **limits)
    return found.fun if found.status == 0 else None


@settings(max_examples=40, deadline=None)
@given(p=st.integers(1, 4), seed=st.integers(0, 10**6), steps=st.integers(1, 8))
def test_whatever_comes_and_goes_the_optimum_is_that_of_a_program_made_anew(p, seed, steps):
    generator = np.random.default_rng(seed)
    program = WarmProgram(p, QUIET)
    group, costs = np.empty(0, np.int64), np.empty(0)
    rows, least = np.empty((0, 0)), np.empty(0)
    for step in range(steps):
        more = (
            np.concatenate([np.arange(p), generator.integers(p, size=2)])
            if step == 0
            else generator.integers(p, size=3)
        )
        coefficients, price = (
            generator.standard_normal((len(rows), len(more))),
            generator.standard_normal(len(more)),
        )
        program.add_columns(more, price, coefficients)
        group, costs = np.concatenate([group, more]), np.concatenate([costs, price])
        rows = np.hstack([rows, coefficients])
        new = generator.standard_normal((2, len(group)))
        program.add_rows(new, np.array([-1.0, -0.5]))
        rows, least = np.vstack([rows, new]), np.append(least, [-1.0, -0.5])
        gone = np.flatnonzero(generator.random(len(rows)) < 0.2)
        program.drop_rows(gone)
        rows, least = np.delete(rows, gone, 0), np.delete(least, gone)
        left = np.flatnonzero(generator.random(len(group)) < 0.1)
        program.drop_columns(left)
        group, costs, rows = np.delete(group, left), np.delete(costs, left), np.delete(rows, left, 1)
        allowed = np.flatnonzero(generator.random(len(group)) < 0.9)
        program.allow(allowed)
        found = program.solve()
        expected = anew(p, group[allowed], costs[allowed], rows[:, allowed], least) if len(allowed) else None
        if expected is None:
            assert found is None
            continue
        assert found is not None
        weights, prices = found
        assert weights @ costs == pytest.approx(expected, abs=1e-6)
        assert (weights[np.setdiff1d(np.arange(len(group)), allowed)] == 0.0).all()
        # with these prices alone, the optimum is a bound
        reduced = costs - np.maximum(prices, 0.0) @ rows
        bound = np.maximum(prices, 0.0) @ least
        bound += sum(reduced[allowed][group[allowed] == v].min() for v in range(p))
        assert bound == pytest.approx(expected, abs=1e-5)


def test_a_raised_signal_halts_it():
    program = WarmProgram(1, np.ones(1, np.uint8))
    program.add_columns(np.zeros(2, np.int64), np.array([1.0, 2.0]), np.empty((0, 2)))
    with pytest.raises(HaltedError):
        program.solve()


def test_a_signal_raised_meanwhile_stops_the_solver():
    generator, signal = np.random.default_rng(1), np.zeros(1, np.uint8)
    p, families, rows = 60, 2000, 200
    program = WarmProgram(p, signal)
    group = np.concatenate([np.arange(p), generator.integers(p, size=families - p)])
    program.add_columns(group, generator.standard_normal(families), np.empty((0, families)))
    coefficients = generator.standard_normal((rows, families))
    program.add_rows(coefficients, np.full(rows, -0.1))
    before = set(threading.enumerate())
    raising = threading.Timer(0.3, signal.fill, (1,))
    raising.start()
    with pytest.raises(HaltedError):
        program.solve()
    raising.join()
    ends = time.monotonic() + 1.0
    while set(threading.enumerate()) - before and time.monotonic() < ends:
        time.sleep(0.01)
    assert not set(threading.enumerate()) - before


@pytest.mark.parametrize("wrong", [1, 2])
def test_that_there_is_no_solution_is_believed_when_it_is_said_twice(monkeypatch, wrong):
    program = WarmProgram(1, QUIET)
    program.add_columns(np.zeros(2, np.int64), np.array([1.0, 2.0]), np.empty((0, 2)))
    said, ask = [], program._highs.getModelStatus

    def status():
        said.append(ask())
        return program._infeasible if len(said) <= wrong else said[-1]

    monkeypatch.setattr(program._highs, "getModelStatus", status)
    found = program.solve()
    assert len(said) == 2
    assert found is None if wrong == 2 else found[0].tolist() == [1.0, 0.0]


def test_nothing_is_printed(capfd):
    program = WarmProgram(1, QUIET)
    program.add_columns(np.zeros(2, np.int64), np.array([1.0, 2.0]), np.empty((0, 2)))
    assert program.solve()[0].tolist() == [1.0, 0.0]
    assert capfd.readouterr() == ("", "")


@settings(max_examples=30, deadline=None)
@given(p=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_reduced_costs_are_those_of_the_cuts_whatever_was_dropped(p, seed):
    generator = np.random.default_rng(seed)
    deep = generator.standard_normal((p, p + 2))
    cuts = [Cluster(int(generator.integers(1, 1 << p))) for _ in range(3)] + [Covariance(deep @ deep.T)]
    before = np.array([int(generator.integers(1 << p)) & ~(1 << v) for v in range(p)])
    program = FamilyProgram(50.0, np.zeros(p, np.int64), np.zeros(p), before, QUIET)
    for i, cut in enumerate(cuts):
        program.add_cut(cut)
        variables = np.arange(p)
        masks = np.array([(1 << (v + i + 1) % p) & ~(1 << v) for v in range(p)])
        program.add_families(variables, masks, generator.standard_normal(p))
        if i % 2:
            program.reduced_costs(generator.random(len(program.cuts)))
            kept = generator.random(len(program.costs)) < 0.8
            kept[:p] = True
            program.keep_families(kept)
        program.solve(np.arange(len(program.costs)))
    paid = generator.random(len(cuts))
    expected = program.costs.copy()
    for cut, price in zip(cuts, paid, strict=True):
        scale = 50.0 if isinstance(cut, Covariance) else 1.0
        expected -= (
            price * scale * cut.coefficients(program.variables, program.masks | before[program.variables])
        )
    assert program.reduced_costs(paid) == pytest.approx(expected)
