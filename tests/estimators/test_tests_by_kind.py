"""Which test a table gets, and what is learned from tables with discrete columns."""

import time
import warnings

import numpy as np
import pytest

from rolearn import (
    BIC,
    DAG,
    Exact,
    ParameterError,
    RolearnError,
    RolearnWarning,
    StopReason,
    learn,
    order_cost,
    sweep,
)
from rolearn.estimators.inputs import read_input
from rolearn.independence import Discrete

pandas = pytest.importorskip("pandas")


def numbers(columns: int, n: int = 300, seed: int = 0) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {f"N{i}": generator.standard_normal(n) for i in range(columns)}


def texts(columns: int, n: int = 300, seed: int = 1, levels: tuple[str, ...] = ("yes", "no")) -> dict:
    generator = np.random.default_rng(seed)
    return {f"T{i}": generator.choice(levels, n) for i in range(columns)}


@pytest.mark.parametrize(
    ("columns", "test", "kind"),
    [
        (numbers(3), "auto", "Gaussian"),
        ({**numbers(2), **texts(1)}, "auto", "DegenerateGaussian"),
        (texts(3), "auto", "Discrete"),
        (numbers(3), "degenerate-gaussian", "DegenerateGaussian"),
        (texts(3), "degenerate-gaussian", "DegenerateGaussian"),
        ({**numbers(2), **texts(1)}, "fisher-z", "Gaussian"),
        (texts(3), "chi-square", "Discrete"),
    ],
)
def test_the_kinds_of_columns_choose_the_statistics(columns, test, kind):
    statistics = read_input(pandas.DataFrame(columns), test, None).statistics
    assert type(statistics).__name__ == kind
    assert test in ("auto", statistics.test_name)


LEVELS = ("low", "middle", "high")


@pytest.mark.parametrize(
    ("columns", "test", "says"),
    [
        (
            {**numbers(2), **texts(2, levels=LEVELS)},
            "fisher-z",
            "'T0', 'T1' are .*test='degenerate-gaussian'",
        ),
        (texts(3, levels=LEVELS), "fisher-z", "test='g-square'"),
        ({**numbers(1), **texts(2)}, "g-square", "'N0' is continuous; use test='degenerate-gaussian'"),
        ({**numbers(1), **texts(2)}, "chi-square", "takes discrete columns"),
        (numbers(2), "kci", "allowed are 'auto', 'fisher-z', 'degenerate-gaussian', 'g-square', 'chi-sq"),
    ],
)
def test_a_test_that_does_not_suit_is_refused_with_one_that_does(columns, test, says):
    with pytest.raises(ParameterError, match=says):
        learn(pandas.DataFrame(columns), test=test)


def confounded(n: int, seed: int, kind: str) -> tuple[pandas.DataFrame, DAG]:
    """C --> A <-- L --> B <-- D, with L hidden, strongly; of a kind or of both."""
    generator = np.random.default_rng(seed)
    hidden = generator.standard_normal(n)
    columns = {}
    for cause, effect, sign in (("C", "A", 1), ("D", "B", -1)):
        columns[cause] = generator.standard_normal(n)
        if kind == "discrete":
            columns[cause] = np.sign(columns[cause])
        columns[effect] = sign * columns[cause] + 1.2 * hidden + 0.5 * generator.standard_normal(n)
    for name in ("A", "B", "C", "D") if kind == "discrete" else ("A", "D"):
        cuts = np.quantile(columns[name], [0.35, 0.7])
        columns[name] = np.array(["low", "mid", "high"])[np.searchsorted(cuts, columns[name])]
    frame = pandas.DataFrame(columns)
    return frame, DAG.from_edges([("C", "A"), ("L", "A"), ("L", "B"), ("D", "B")])


@pytest.mark.parametrize("kind", ["mixed", "discrete"])
def test_a_hidden_cause_is_found_in_many_rows(kind):
    frame, dag = confounded(20_000, 1, kind)
    truth = dag.project(hidden=["L"]).pag()
    model = learn(frame)
    assert model.pag_ == truth
    separation = model.separating_sets_["C", "D"]
    assert separation is not None
    assert separation.p_value > 0.001
    assert learn(frame, cost="neighbors").pag_ == truth


@pytest.mark.parametrize("kind", ["mixed", "discrete"])
def test_columns_and_levels_by_any_name_in_any_order_give_one_graph(kind):
    frame, _ = confounded(400, 2, kind)
    first = learn(frame)
    other = frame[list("DBCA")].replace({"low": "z", "mid": "é 🙂", "high": "a"})
    second = learn(other)
    assert second.pag_ == first.pag_
    assert second.cost_ == first.cost_
    assert second.order_ == first.order_
    threads = learn(frame, n_starts=3, n_jobs=2)
    assert threads.pag_ == learn(frame, n_starts=3).pag_


@pytest.mark.parametrize("kind", ["mixed", "discrete"])
def test_cells_missing_at_random_leave_the_graph(kind):
    frame, dag = confounded(8000, 3, kind)
    holes = np.random.default_rng(4).random(frame.shape) < 0.05
    with pytest.warns(RolearnWarning, match="missing"):
        model = learn(frame.mask(holes), missing="pairwise")
    assert model.pag_ == dag.project(hidden=["L"]).pag()


def test_yes_and_no_alone_are_learned_from():  # dodiscover#69
    generator = np.random.default_rng(5)
    a = generator.random(500) < 0.5
    b = np.where(generator.random(500) < 0.85, a, ~a)
    c = generator.random(500) < 0.5
    frame = pandas.DataFrame(
        {name: np.where(x, "yes", "no") for name, x in zip("abc", (a, b, c), strict=True)}
    )
    for test in ("auto", "chi-square", "degenerate-gaussian", "fisher-z"):
        model = learn(frame, test=test)
        assert [(e.source, e.target) for e in model.pag_.edges()] == [("a", "b")]
        assert not (set("01") & set("".join(model.feature_names_in_)))


def test_one_binary_column_among_numbers_is_mixed_when_declared():  # tetrad#880
    columns = numbers(20, 500, 6)
    columns["flag"] = (columns["N0"] + np.random.default_rng(7).standard_normal(500) > 0).astype(int)
    model = learn(pandas.DataFrame(columns), discrete=["flag"])
    assert model.skeleton_[0, 20]
    assert str(model.column_kinds_["flag"]).startswith("discrete")


def test_many_levels_are_no_reason_for_memory_or_edges():  # causal-learn#67
    generator = np.random.default_rng(8)
    levels = np.array([f"l{i}" for i in range(20)])
    frame = pandas.DataFrame({f"c{i}": generator.choice(levels, 2000) for i in range(9)})
    started = time.perf_counter()
    model = learn(frame, latents=False)
    assert model.graph_.n_edges == 0
    assert time.perf_counter() - started < 60


@pytest.mark.parametrize("as_levels", [False, True])
def test_few_rows_of_many_sparse_columns_finish_or_are_refused(as_levels):  # tetrad#1273
    generator = np.random.default_rng(9)
    values = np.where(generator.random((44, 200)) < 0.8, 0, generator.integers(1, 4, (44, 200)))
    values[0] = 1  # or columns without a second value were constant
    frame = pandas.DataFrame(values.astype(str) if as_levels else values.astype(float))
    frame.columns = [f"g{i}" for i in range(200)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        try:
            model = learn(frame, degenerate="drop", time_limit=20)
        except RolearnError:
            return
    assert model.pag_.is_valid()


def test_exact_search_over_orders_takes_discrete_columns():
    frame, dag = confounded(3000, 10, "discrete")
    model = learn(frame, search=Exact(), cost=BIC())
    assert model.optimal_
    assert model.pag_ == dag.project(hidden=["L"]).pag()


@pytest.mark.parametrize("kind", ["discrete", "mixed"])
def test_bic_by_name_is_the_default_of_rows_with_exact_search_too(kind):
    frame, _ = confounded(300, 10, "discrete")
    if kind == "mixed":
        frame = frame.assign(number=np.random.default_rng(0).standard_normal(len(frame)))
    model, default = learn(frame, search="exact", cost="bic"), learn(frame, search="exact")
    assert model.optimal_
    assert model.cost_ == default.cost_
    assert model.pag_ == default.pag_
    assert order_cost(frame, model.order_, **model.get_params()) == model.cost_
    assert sweep(frame, search="exact", cost="bic").graph() == model.pag_


def test_a_time_limit_stops_the_search_with_a_valid_graph():
    generator = np.random.default_rng(11)
    codes = generator.integers(0, 4, (20_000, 60)).astype(float)
    for j in range(2, 60):
        codes[:, j] = np.where(generator.random(20_000) < 0.5, codes[:, j - 2], codes[:, j])
    statistics = Discrete.of_rows(codes, np.full(60, 4), [f"c{i}" for i in range(60)])
    learn(statistics.arranged(np.arange(4)))  # compile
    started = time.perf_counter()
    model = learn(statistics, time_limit=0.2)
    assert model.stop_reason_ is StopReason.TIME_LIMIT
    assert model.pag_.is_valid()
    assert time.perf_counter() - started < 20.0  # far less than the search takes
