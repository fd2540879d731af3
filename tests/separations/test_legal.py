import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import oracle_of, random_gaussian
from rolearn import ROL, HillClimb, NeighborCount, RolearnWarning
from rolearn.orders.cost import order_costs
from rolearn.separations.evidence import PairEvidence
from rolearn.separations.legal import accept_legal, target_graph


def evidence_of(statistics, order, finder="auto"):
    costs = order_costs(statistics, NeighborCount(finder), 0.05, np.zeros(1, np.uint8))
    return PairEvidence(list(costs.removals(np.array(order))))


@settings(max_examples=60, deadline=None)
@given(p=st.integers(2, 9), seed=st.integers(0, 10**6), density=st.floats(0.1, 0.9), latents=st.booleans())
def test_the_legal_step_is_valid_from_any_order_of_any_data(p, seed, density, latents):
    gaussian = random_gaussian(p, seed, density=density)
    order = np.random.default_rng(seed).permutation(p)
    for finder in ("rsl", "l-marvel"):
        evidence, target = evidence_of(gaussian, order, finder), target_graph(latents)
        boundaries = evidence.adjacent.copy()
        marks = accept_legal(evidence, target, lambda: False).marks
        assert target.is_valid(marks)
        assert np.array_equal(marks != 0, evidence.adjacent)
        assert not (evidence.adjacent & ~boundaries).any()


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 8), seed=st.integers(0, 10**6))
def test_no_refused_separation_would_have_been_legal(p, seed):
    evidence = evidence_of(random_gaussian(p, seed, density=0.7), range(p))
    target = target_graph(True)
    accept_legal(evidence, target, lambda: False)
    for candidate in evidence.candidates:
        if evidence.adjacent[candidate.x, candidate.y]:
            evidence.accept([candidate])
            assert not target.is_legal(evidence)
            evidence.take_back([candidate])


def test_when_stopped_the_graph_of_the_boundaries_stands():
    evidence, target = evidence_of(random_gaussian(7, 1, density=0.7), range(7)), target_graph(True)
    adjacent = evidence.adjacent.copy()
    marks = accept_legal(evidence, target, lambda: True).marks
    assert np.array_equal(marks != 0, adjacent)
    assert target.is_valid(marks)


@pytest.mark.pure
@settings(max_examples=15, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), latents=st.booleans())
def test_every_separating_set_separates_in_a_member_of_the_class(p, seed, latents):
    gaussian = random_gaussian(p, seed, density=0.6)
    model = ROL(latents=latents).fit(gaussian)
    member = model.pag_.mag() if latents else model.cpdag_.dag()
    pairs = list(model.separating_sets_)
    assert len(pairs) == len(model.separating_sets_) == int((~model.skeleton_).sum() - p) // 2
    for a, b in pairs:
        found = model.separating_sets_[a, b]
        assert found == model.separating_sets_[b, a]
        assert member.m_separated(a, b, found.given)
        assert found.p_value == pytest.approx(gaussian.p_value(a, b, found.given))
        assert found.reason in ("boundary", "test")
    for edge in model.graph_.edges():
        assert model.separating_sets_[edge.source, edge.target] is None
        assert (edge.source, edge.target) not in model.separating_sets_


@pytest.mark.parametrize("legal", [True, False])
def test_the_oracle_gives_every_pag_exactly(cases, legal):
    for case in cases:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RolearnWarning)
            model = ROL(legal=legal).fit(oracle_of(case))
        assert np.array_equal(model.pag_.marks, case["pag"]), case["id"]
        assert model.conflicts_ == []
        assert all(found.p_value == 1.0 for found in model.separating_sets_.values())


def test_from_random_starts_the_oracle_gives_the_pag_or_a_costlier_valid_one(cases):
    exact = 0
    for case in cases[::5]:
        search = HillClimb(start="random", max_iter=None)
        model = ROL(search, n_starts=8).fit(oracle_of(case))
        least = np.count_nonzero(case["mag"]) // 2
        assert model.pag_.is_valid()
        assert model.cost_ >= least
        if model.cost_ == least:
            assert np.array_equal(model.pag_.marks, case["pag"]), case["id"]
            exact += 1
    assert exact > 0.8 * len(cases[::5])
