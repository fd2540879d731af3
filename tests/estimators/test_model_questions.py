from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import rolearn
from examples import random_rows
from rolearn.estimators import BIC, ROL, HillClimb, NeighborCount
from rolearn.graphs import DAG
from rolearn.independence import CallableTest, Gaussian, Oracle
from rolearn.runtime.errors import DataError, ParameterError, RolearnWarning

COLLIDER = DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")])


@pytest.fixture(scope="module")
def model():
    generator = np.random.default_rng(4)
    a, b, c, d = generator.standard_normal((4, 3000))
    c += a + b
    import pandas as pd

    return rolearn.learn(pd.DataFrame({"A": a, "B": b, "C": c, "D": c + d, "E f": generator.random(3000)}))


def test_explain_edges(model):
    assert str(model.pag_).splitlines()[-1] == "isolated: E f"
    assert model.explain("C", "D") == model.pag_.explain("C", "D")
    assert model.explain("A o-> C") == (
        "C is not a cause of A; A may cause C, or both share an unmeasured cause."
    )


def test_explain_columns_without_edges(tmp_path):
    rows = random_rows(3, 0, 100)
    rows[:, 2] = 1.0
    with pytest.warns(RolearnWarning, match="is constant"):
        model = rolearn.learn(rows, degenerate="isolate")
    model.save(tmp_path / "model.json")
    for one in (model, rolearn.load(tmp_path / "model.json")):
        assert one.explain("X1", "X3") == (
            "X1 and X3 are not adjacent: no statistic can use one of them, which was kept without edges."
        )


def test_explain_absent_edges(model):
    separation = model.separating_sets_["A", "D"]
    assert separation.given == ("C",)
    sentence = model.explain("D", "A")
    assert sentence.startswith("D and A are not adjacent: they are independent given C (p = ")
    assert f"p = {separation.p_value:.2g}; " in sentence
    assert "without any condition" in model.explain("A", "E f")
    with pytest.raises(ParameterError, match="no 'Q'"):
        model.explain("A", "Q")


def test_explain_says_where_a_p_value_speaks_against_the_graph():
    model = rolearn.learn(random_rows(8, 3, 300), alpha=0.05)
    low = [pair for pair, found in model.separating_sets_.items() if found.p_value < 0.05]
    high = [pair for pair, found in model.separating_sets_.items() if found.p_value > 0.05]
    assert low
    assert all("speaks against it" in model.explain(*pair) for pair in low)
    assert not any("speaks against it" in model.explain(*pair) for pair in high)


def test_markov_check(model):
    check = model.markov_check()
    p = len(model.feature_names_in_)
    assert len(check) == p * (p - 1) // 2 - model.pag_.n_edges
    mag = model.pag_.mag()
    for row in check:
        assert mag.m_separated(row.a, row.b, row.given)
        assert all(not mag.m_separated(row.a, row.b, [g for g in row.given if g != out]) for out in row.given)
        statistics = model.separating_sets_.statistics
        assert row.p_value == pytest.approx(statistics.p_value(row.a, row.b, row.given), abs=1e-12)
    assert list(check.p_values) == sorted(check.p_values)
    assert check.alpha == 0.05
    assert check.share_below == np.mean(check.p_values < 0.05)
    assert 0 <= check.uniformity <= 1
    assert check.summary.startswith(f"{int((check.p_values < 0.05).sum())} of {len(check)} implied")
    assert check.to_csv().splitlines()[0] == "a,b,given,p_value"
    again = pickle.loads(pickle.dumps(check))
    assert list(again) == list(check)
    assert again.alpha == check.alpha
    assert model.markov_check(alpha=0.5).alpha == 0.5
    with pytest.raises(ParameterError, match="alpha is 2"):
        model.markov_check(alpha=2)


def test_markov_check_finds_a_wrong_graph():
    """Rows of a chain against the graph of a collider: the independence it implies doesn't hold."""
    rows = random_rows(6, 0, 2000, density=0.6)
    good = rolearn.learn(rows)
    bad = rolearn.learn(Gaussian(np.eye(6), 2000))
    bad.separating_sets_ = bad.separating_sets_.known(
        dict(bad.separating_sets_.items()),
        Gaussian(np.cov(rows.T), 2000),
        tuple(bad.feature_names_in_),
    )
    assert bad.markov_check().share_below > 0.4
    assert bad.markov_check().uniformity < 1e-4
    assert good.markov_check().share_below < 0.3


def test_markov_check_of_an_oracle():
    check = rolearn.learn(Oracle(COLLIDER)).markov_check()
    assert {row.p_value for row in check} == {1.0}
    assert check.share_below == 0
    assert math.isnan(check.uniformity)
    assert check.summary == "0 of 3 implied independences have p < 0.05; the answers are exact."
    complete = rolearn.learn(Oracle(DAG.from_edges([("A", "B")]))).markov_check()
    assert list(complete) == []
    assert math.isnan(complete.share_below)
    assert "no independences" in complete.summary


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
def test_markov_check_needs_a_valid_graph():
    model = rolearn.paper.rol_hc(random_rows(8, 3, 300, 0.5))
    assert not model.pag_.is_valid()
    with pytest.raises(ParameterError, match="stands for no MAG"):
        model.markov_check()


def check_same(again, model):
    assert again.graph_ == model.graph_
    assert tuple(again.graph_.names) == tuple(model.graph_.names)
    assert again.order_ == model.order_
    assert again.cost_ == model.cost_
    assert (again.optimal_, again.lower_bound_) == (model.optimal_, model.lower_bound_)
    assert again.trace_ == model.trace_
    assert again.stop_reason_ is model.stop_reason_
    assert again.n_tests_ == model.n_tests_
    assert again.conflicts_ == model.conflicts_
    assert again.n_samples_ == model.n_samples_
    assert list(again.feature_names_in_) == list(model.feature_names_in_)
    assert again.n_features_in_ == model.n_features_in_
    assert (again.skeleton_ == model.skeleton_).all()
    assert dict(again.separating_sets_.items()) == dict(model.separating_sets_.items())
    assert list(again.separating_sets_) == list(model.separating_sets_)
    for a in model.feature_names_in_:
        for b in model.feature_names_in_:
            if a != b:
                assert again.separating_sets_[a, b] == model.separating_sets_[a, b]
                assert again.explain(a, b) == model.explain(a, b)


SETTINGS = [
    {},
    {"latents": False},
    {"cost": BIC(penalty=1.5), "search": HillClimb(max_swap=4), "alpha": 0.01},
    {
        "alpha": np.float64(0.1),
        "cost": NeighborCount(finder="rsl"),
        "n_starts": np.int64(2),
        "random_state": 7,
    },
    {"search": "exact"},
    {"legal": False, "cost": "neighbors"},
]


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_saved_model_is_the_same(tmp_path, settings):
    model = rolearn.learn(random_rows(7, 1, 400), **settings)
    model.save(tmp_path / "model.json")
    again = rolearn.load(tmp_path / "model.json")
    check_same(again, model)
    assert again.get_params() == model.get_params()
    assert type(again.alpha) is float
    if model.graph_.is_valid():
        assert list(again.markov_check()) == list(model.markov_check())
    assert rolearn.read_graph(tmp_path / "model.json") == model.graph_
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "model.json").read_text()


def test_a_loaded_model_fits_again(tmp_path):
    rows = random_rows(5, 2, 200)
    rolearn.learn(rows, alpha=0.2).save(tmp_path / "model.json")
    again = rolearn.load(tmp_path / "model.json")
    assert again.fit(rows).alpha == 0.2
    assert again.pag_ == rolearn.learn(rows, alpha=0.2).pag_


def test_an_oracles_model(tmp_path):
    model = rolearn.learn(Oracle(DAG.from_edges([("L", "A"), ("L", "B"), ("A", "C")]), hidden=["L"]))
    model.save(tmp_path / "model.json")
    again = rolearn.load(tmp_path / "model.json")
    check_same(again, model)
    assert list(again.markov_check()) == list(model.markov_check())


def test_a_test_of_ones_own_is_not_kept(tmp_path):
    rows = random_rows(4, 2, 200)
    gaussian = Gaussian(np.corrcoef(rows.T), 200)
    model = rolearn.learn(rows, test=gaussian.p_value)
    model.save(tmp_path / "model.json")
    with pytest.warns(RolearnWarning, match="doesn't hold test"):
        again = rolearn.load(tmp_path / "model.json")
    check_same(again, model)
    assert again.test == "auto"
    with pytest.raises(ParameterError, match="fit it to the data again"):
        again.markov_check()
    rolearn.learn(CallableTest(gaussian.p_value, gaussian.names, 200)).save(tmp_path / "other.json")
    assert rolearn.load(tmp_path / "other.json").n_samples_ == 200


def test_a_generator_is_not_kept(tmp_path):
    model = ROL(random_state=np.random.default_rng(0)).fit(random_rows(4, 2, 200))
    model.save(tmp_path / "model.json")
    with pytest.warns(RolearnWarning, match="doesn't hold random_state"):
        assert rolearn.load(tmp_path / "model.json").random_state == 0


def test_a_setting_of_a_later_version_is_not_kept(tmp_path):
    import json

    path = tmp_path / "model.json"
    rolearn.learn(random_rows(4, 2, 200), cost=BIC(penalty=3.0)).save(path)
    path.write_text(path.read_text().replace('"type": "BIC"', '"type": "EBIC"'))
    with pytest.warns(RolearnWarning, match="doesn't hold cost"):
        assert rolearn.load(path).cost == "auto"
    document = json.loads(path.read_text())
    document["settings"]["cost"] = 3.5
    path.write_text(json.dumps(document))
    assert rolearn.load(path).cost == 3.5  # which fit would refuse


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "is no model that model.save wrote"),
        ("{}", "is no model that model.save wrote"),
        ('{"format_version": 1, "kind": "pag", "nodes": [], "edges": []}', "which rolearn.read_graph reads"),
        ('{"rolearn_model": 99}', "version 99 and this rolearn reads up to 1"),
        ('{"rolearn_model": "1"}', "version '1'"),
        ('{"rolearn_model": 1}', "is a damaged model"),
        ("[" * 100_000, "is no model"),
    ],
)
def test_other_files_are_no_models(tmp_path, text, part):
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(DataError) as caught:
        rolearn.load(tmp_path / "model.json")
    assert part in str(caught.value)
    assert "model.json" in str(caught.value)


def test_other_bytes_are_no_models(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        rolearn.load(tmp_path / "model.json")
    (tmp_path / "model.json").write_bytes(pickle.dumps(np.arange(300)))
    with pytest.raises(DataError, match="UTF-8"):
        rolearn.load(tmp_path / "model.json")


def test_damage_is_noticed_and_nothing_else_is_imported(tmp_path):
    import json

    path = tmp_path / "model.json"
    rolearn.learn(random_rows(4, 2, 200)).save(path)
    document = json.loads(path.read_text())

    def damaged(**changes):
        path.write_text(json.dumps({**document, **changes}))
        with pytest.raises(DataError, match="damaged model"):
            rolearn.load(path)

    statistics = document["statistics"]
    damaged(statistics={**statistics, "type": ["os", "system"]})
    damaged(statistics={**statistics, "type": ["rolearn.independence.gaussian", "DataError"]})
    damaged(statistics={**statistics, "parts": {}})
    damaged(stop_reason="TIRED")
    damaged(nodes=["A"])
    damaged(settings={"alfa": 1})
    damaged(separating_sets=[["A", "Q", [], 1.0, "test"]])


def test_where_a_model_can_not_be_written(tmp_path):
    model = rolearn.learn(random_rows(3, 2, 200))
    with pytest.raises(ParameterError, match="can't be written"):
        model.save(tmp_path / "nowhere" / "model.json")
    with pytest.raises(AttributeError, match="call fit"):
        ROL().save(tmp_path / "model.json")
    with pytest.raises(AttributeError, match="call fit"):
        ROL().explain("A", "B")
