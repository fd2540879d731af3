import numpy as np
import pytest

from examples import oracle_of, random_gaussian
from rolearn import DAG, PAG, ROL, CallableTest, DataError, Oracle, ParameterError


@pytest.mark.pure
def test_the_oracle_answers_by_m_separation_among_observed_variables():
    dag = DAG.from_edges([("L", "A"), ("L", "B"), ("A", "C"), ("D", "C")])
    oracle = Oracle(dag, hidden=["L"])
    assert set(oracle.names) == {"A", "B", "C", "D"}
    assert oracle.p_value("A", "B") == 0.0
    assert oracle.p_value("A", "D") == 1.0
    assert oracle.p_value("A", "D", ["C"]) == 0.0
    assert oracle.p_value("B", "C", ["A"]) == 1.0
    assert oracle.exact


@pytest.mark.pure
def test_oracles_of_other_things_are_refused():
    with pytest.raises(ParameterError, match="DAG or a MAG"):
        Oracle(PAG([[0, 1], [1, 0]]))
    with pytest.raises(ParameterError, match="'Z'"):
        Oracle(DAG.from_edges([("A", "B")]), hidden=["Z"])
    with pytest.raises(ParameterError, match="at least one"):
        Oracle(DAG.from_edges([("A", "B")]), hidden=["A", "B"])


def test_a_callable_that_answers_as_fisher_z_gives_the_same_model():
    gaussian = random_gaussian(6, 11)
    asked = []

    def test(x, y, given):
        asked.append((x, y, given))
        return gaussian.p_value(x, y, given)

    statistics = CallableTest(test, gaussian.names)
    for settings in ({}, {"search": "recursive"}, {"latents": False}):
        ours = ROL(cost="neighbors", **settings).fit(gaussian)
        theirs = ROL(**settings).fit(statistics)
        assert theirs.graph_ == ours.graph_
        assert theirs.cost_ == ours.cost_
    assert len(asked) == len(set(asked)), "no question is asked twice"


def test_a_callable_that_answers_as_the_oracle_gives_the_true_pag(cases):
    for case in cases[::17]:
        oracle = oracle_of(case)
        exact = CallableTest(lambda x, y, given, oracle=oracle: oracle.p_value(x, y, given), oracle.names)
        model = ROL(cost="neighbors", alpha=0.5).set_params(cost=_l_marvel()).fit(exact)
        assert np.array_equal(model.pag_.marks, case["pag"])


def _l_marvel():
    from rolearn import NeighborCount

    return NeighborCount("l-marvel", boundary_level=0.5)


@pytest.mark.pure
@pytest.mark.parametrize("answer", [float("nan"), -0.1, 1.5, "high", None])
def test_answers_that_are_no_p_value_are_refused_with_the_question(answer):
    statistics = CallableTest(lambda x, y, given: answer, ["a", "b", "c"])
    with pytest.raises(DataError, match="the test of a and c given b gave"):
        statistics.p_value("c", "a", ["b"])


@pytest.mark.pure
def test_a_test_that_cannot_be_called_is_refused():
    with pytest.raises(ParameterError, match="callable"):
        CallableTest("fisher", ["a", "b"])
