import inspect
import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rolearn
from examples import in_other_columns, random_gaussian, random_rows
from rolearn import (
    DAG,
    ROL,
    DataError,
    HillClimb,
    NeighborCount,
    Oracle,
    ParameterError,
    Recursive,
    RolearnWarning,
    StopReason,
    learn,
    order_cost,
)

SETTINGS = [
    {},
    {"search": "recursive"},
    {"search": HillClimb(start="random"), "n_starts": 4},
    {"cost": NeighborCount("l-marvel")},
    {"cost": NeighborCount("mbcs"), "search": "recursive"},
    {"latents": False},
    {"transform": "rank"},
]


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
@settings(max_examples=10, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_same_data_in_other_columns_and_names_gives_the_same_graph(parameters, p, seed, data):
    rows = random_rows(p, seed, 40 * p, density=0.6)
    permutation = data.draw(st.permutations(range(p)))
    names = data.draw(st.lists(st.text(min_size=1, max_size=4), min_size=p, max_size=p, unique=True))
    moved, renamed = in_other_columns(rows, permutation, names)
    first = ROL(**parameters).fit(rows)
    second = ROL(**parameters).fit(moved)
    assert np.array_equal(first.graph_.marks[np.ix_(permutation, permutation)], second.graph_.marks)
    assert [renamed[name] for name in first.order_] == list(second.order_)
    assert first.cost_ == second.cost_
    for a, b in first.separating_sets_:
        ours, theirs = first.separating_sets_[a, b], second.separating_sets_[renamed[a], renamed[b]]
        assert {renamed[v] for v in ours.given} == set(theirs.given)


@settings(max_examples=25, deadline=None)
@given(p=st.integers(2, 12), seed=st.integers(0, 10**6))
@example(p=10, seed=10)  # kicks of the last search that cost the same but for rounding
def test_row_order_units_and_signs_do_not_change_the_graph(p, seed):
    rows = random_rows(p, seed, 30 * p, density=0.5)
    generator = np.random.default_rng(seed)
    scale = 10.0 ** generator.integers(-3, 4, p) * generator.choice([-1, 1], p)
    first = learn(rows)
    assert learn(rows[generator.permutation(len(rows))]).pag_ == first.pag_
    assert learn(rows * scale + 5.0).pag_ == first.pag_
    assert learn(rolearn.Gaussian(np.cov(rows.T), len(rows))).pag_ == first.pag_


@settings(max_examples=10, deadline=None)
@given(p=st.integers(3, 7), seed=st.integers(0, 10**6), data=st.data())
def test_covariances_in_other_order_give_the_same_graph(p, seed, data):
    gaussian = random_gaussian(p, seed)
    other = gaussian.arranged(np.array(data.draw(st.permutations(range(p)))))
    assert learn(gaussian).pag_ == learn(other).pag_


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 5, -1])
def test_threads_and_runs_do_not_change_the_result(n_jobs):
    rows = random_rows(12, 7, 300, density=0.5)
    settings = {"search": HillClimb(start="random", max_iter=None), "n_starts": 6}
    first, second = ROL(**settings).fit(rows), ROL(n_jobs=n_jobs, **settings).fit(rows)
    assert (first.pag_, first.order_, first.cost_, first.n_tests_) == (
        second.pag_,
        second.order_,
        second.cost_,
        second.n_tests_,
    )


def test_more_starts_never_cost_more():
    rows = random_rows(12, 3, 200, density=0.6)
    by_starts = [ROL(n_starts=k).fit(rows).cost_ for k in (1, 4, 12)]
    assert by_starts == sorted(by_starts, reverse=True)


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_the_cost_is_that_of_the_order(parameters):
    rows = random_rows(8, 21, 200, density=0.6)
    model = ROL(**parameters).fit(rows)
    assert order_cost(rows, model.order_, **model.get_params()) == model.cost_


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_dataframes_of_any_library_are_rows(make):
    rows = random_rows(4, 2, 100)
    columns = {name: rows[:, i] for i, name in enumerate(["w", "x y", "z", "ü"])}
    model = learn(make(columns))
    assert model.feature_names_in_.tolist() == list(columns)
    assert np.array_equal(model.pag_.marks, learn(rows).pag_.marks)
    assert (model.n_features_in_, model.n_samples_) == (4, 100)


def test_results_agree_with_each_other():
    rows = random_rows(8, 4, 400, density=0.5)
    model = learn(rows)
    assert np.array_equal(model.skeleton_, model.pag_.marks != 0)
    assert sorted(model.order_) == sorted(model.feature_names_in_)
    assert model.trace_[-1][1] == model.cost_
    assert [cost for _, cost in model.trace_] == sorted({c for _, c in model.trace_}, reverse=True)
    assert model.stop_reason_ in (StopReason.CONVERGED, StopReason.MOVE_LIMIT)
    assert (model.optimal_, model.lower_bound_) == (False, None)
    assert model.n_tests_ > 0
    assert model.graph_ is model.pag_
    assert model.pag_.problems() == []


def test_fitting_again_leaves_nothing_of_before():
    model = learn(random_rows(4, 1, 100))
    model.set_params(latents=False).fit(random_rows(4, 2, 100))
    assert not hasattr(model, "pag_")
    model.set_params(latents=True).fit(random_rows(4, 2, 100))
    assert not hasattr(model, "cpdag_")


def test_labels_that_are_numbers_work_as_numbers_too():
    table = pd.DataFrame(random_rows(4, 5, 300))
    model = learn(table)
    assert model.separating_sets_[0, 3] == model.separating_sets_["0", "3"]
    assert order_cost(table, [0, 1, 2, 3]) == order_cost(table, iter(["0", "1", "2", "3"]))
    assert model.separating_sets_.get((0, 99), "none") == "none"
    for wrong in ((0, 99), (1, 1), 3, (1, 2, 3)):
        assert wrong not in model.separating_sets_
        with pytest.raises(ParameterError):
            model.separating_sets_[wrong]


def test_unrelated_pairs_are_joined_no_more_often_than_the_level_says():
    joined = sum(learn(np.random.default_rng(s).standard_normal((60, 2))).pag_.n_edges for s in range(300))
    assert joined < 300 * 0.1


def test_few_rows_of_noise_give_few_edges():
    edges = 0
    for seed in range(20):
        with pytest.warns(RolearnWarning, match="rows are few"):
            edges += learn(np.random.default_rng(seed).standard_normal((12, 20))).pag_.n_edges
    assert edges < 20 * 2


def test_ranks_cure_outliers_before_columns_are_compared():
    rows = random_rows(4, 3, 200)
    rows[7, [1, 3]] = 1e9
    with pytest.raises(DataError, match="copies"):
        learn(rows)
    assert learn(rows, transform="rank").pag_.is_valid()


def test_without_latents_the_result_is_a_cpdag():
    dag = DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")])
    model = ROL(latents=False).fit(Oracle(dag))
    assert model.cpdag_ == dag.cpdag()
    assert model.graph_ is model.cpdag_
    with pytest.raises(AttributeError, match="the result is cpdag_, not pag_"):
        _ = model.pag_


@pytest.mark.pure
def test_one_and_two_variables():
    alone = learn(rolearn.Gaussian([[2.0]], 10))
    assert (alone.pag_.n_edges, alone.order_, alone.cost_) == (0, ("X1",), 0.0)
    assert learn(rolearn.Gaussian(np.eye(2), 100)).pag_.n_edges == 0
    joined = learn(rolearn.Gaussian([[1, 0.9], [0.9, 1]], 100))
    assert [str(edge) for edge in joined.pag_.edges()] == ["X1 o-o X2"]


def test_without_the_legal_step_all_that_tests_separate_is_separated():
    generator = np.random.default_rng(0)
    a, d, hidden = generator.standard_normal((3, 4000))
    b = a + hidden + 0.8 * generator.standard_normal(4000)
    c = d + hidden + 0.8 * generator.standard_normal(4000)
    model = ROL(legal=False).fit(np.column_stack([a, b, c, d]))
    # A --> B <-> C <-- D: every DAG of it joins a third pair
    assert [str(edge) for edge in model.pag_.edges()] == ["X1 o-> X2", "X2 <-> X3", "X4 o-> X3"]
    assert model.n_tests_ > 0


def test_more_columns_than_rows_is_a_warning_not_an_error():
    rows = random_rows(30, 9, 25, density=0.05)
    with pytest.warns(RolearnWarning, match="25 rows are few for 30 columns"):
        model = learn(rows)
    assert model.pag_.problems() == []


@pytest.mark.pure
@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"alpha": 0.0}, "alpha is 0.0; give a level between 0 and 1"),
        ({"alpha": 1}, "alpha"),
        ({"alpha": "small"}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"search": "tabu"}, "search is 'tabu'; allowed are 'hill-climb', 'exact', 'recursive'"),
        ({"search": HillClimb}, "search"),
        ({"cost": "aic"}, "cost is 'aic'; allowed are 'auto', 'bic', 'neighbors'"),
        ({"cost": NeighborCount("pc")}, "finder is 'pc'; allowed are 'rsl', 'l-marvel'"),
        ({"test": "kernel"}, "test is 'kernel'; allowed are 'auto', 'fisher-z', 'degenerate-gaussian'"),
        ({"transform": "log"}, "transform is 'log'; allowed are None and 'rank'"),
        ({"transform": np.array(["rank", "log"])}, "allowed are None and 'rank'"),
        ({"legal": "yes"}, "legal"),
        ({"latents": None}, "latents"),
        ({"n_starts": 0}, "n_starts"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"random_state": -1}, "random_state"),
        ({"time_limit": -1}, "time_limit"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"progress": 3}, "progress"),
    ],
)
def test_parameters_outside_what_is_allowed_are_refused(parameters, says):
    with pytest.raises(ParameterError, match=says):
        ROL(**parameters).fit(random_rows(3, 0, 50))


@pytest.mark.pure
def test_what_statistics_cannot_answer_is_refused():
    oracle = Oracle(DAG.from_edges([("A", "B")]))
    with pytest.raises(ParameterError, match="transform='rank' needs rows; Oracle has none"):
        learn(oracle, transform="rank")
    with pytest.raises(ParameterError, match="its own test"):
        learn(oracle, test="fisher-z")
    with pytest.raises(ParameterError, match="its own test"):
        learn(random_gaussian(3, 0), test=lambda x, y, given: 1.0)
    with pytest.raises(DataError, match="constant"):
        learn(np.column_stack([np.ones(20), np.arange(20.0)]))


@pytest.mark.pure
def test_orders_that_are_none_are_refused():
    rows = random_rows(3, 0, 50)
    with pytest.raises(ParameterError, match="lacks X3"):
        order_cost(rows, ["X1", "X2"])
    with pytest.raises(ParameterError, match="twice"):
        order_cost(rows, ["X1", "X2", "X3", "X3"])
    with pytest.raises(ParameterError, match="no variable 'Y'"):
        order_cost(rows, ["X1", "X2", "Y"])


def test_scikit_learn_takes_it_for_an_estimator():
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.validation import check_is_fitted

    model = ROL(alpha=0.01, n_starts=3, search=Recursive())
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert copy is not model
    assert set(model.get_params()) == set(inspect.signature(ROL).parameters)
    assert model.set_params(alpha=0.2).alpha == 0.2
    with pytest.raises(ParameterError, match="no parameter 'level'"):
        model.set_params(level=1)
    assert repr(ROL(alpha=0.01)) == "ROL(alpha=0.01)"
    rows = random_rows(4, 0, 60)
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    assert copy.fit(rows, None) is copy
    check_is_fitted(copy)
    pipeline = make_pipeline(StandardScaler(), ROL()).fit(rows)
    assert pipeline[-1].pag_ == copy.set_params(alpha=0.05, search="hill-climb").fit(rows).pag_
    assert "ROL" in pipeline._repr_html_()
    assert pickle.loads(pickle.dumps(copy)).pag_ == copy.pag_


@pytest.mark.pure
def test_results_before_fit_say_what_to_do():
    with pytest.raises(AttributeError, match=r"no pag_ yet; call fit\(X\) first"):
        _ = ROL().pag_
    with pytest.raises(AttributeError, match="no attribute 'marks'"):
        _ = ROL().marks


def test_progress_is_reported_with_stages_and_costs():
    seen = []
    model = ROL(progress=seen.append).fit(random_rows(8, 4, 200, density=0.6))
    assert seen[0].stage == "boundaries"
    assert seen[-1].stage == "done"
    costs = [report.cost for report in seen if report.stage == "search"]
    assert costs
    assert costs[-1] == model.cost_


def test_a_generator_and_no_seed_are_taken():
    rows = random_rows(6, 4, 200)
    for state in (np.random.default_rng(3), np.random.RandomState(3), None, 12):
        assert learn(rows, random_state=state, n_starts=2).pag_.is_valid()


def test_everything_named_as_public_is_there():
    for name in rolearn.__all__:
        assert getattr(rolearn, name) is not None
    assert set(dir(rolearn)) == set(rolearn.__all__)
    with pytest.raises(AttributeError, match="no attribute 'fci'"):
        _ = rolearn.fci


def test_columns_whose_ranks_are_the_same_are_copies_to_the_rank_transform():
    rows = random_rows(2, 3, 60)
    table = pd.DataFrame({"x": rows[:, 0], "exp x": np.exp(rows[:, 0]), "y": rows[:, 1]})
    with pytest.warns(RolearnWarning, match="'exp x' is far from normal"):
        assert learn(table).pag_.n_edges >= 1
    with pytest.raises(DataError, match="exp x"):
        learn(table, transform="rank")


FIT = """
import numpy as np, rolearn
rows = np.random.default_rng(5).standard_normal((3000, 60)).cumsum(axis=1) % 3
model = rolearn.learn(rows)
p_values = [found.p_value.hex() for found in model.separating_sets_.values()]
print(model.pag_.marks.tobytes(), model.order_, p_values)
"""


@pytest.mark.slow
def test_threads_of_the_linear_algebra_do_not_change_a_bit():
    said = {
        subprocess.run(
            [sys.executable, "-c", FIT],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "8")
    }
    assert len(said) == 1
