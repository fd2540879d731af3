from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from rolearn.data import as_table
from rolearn.data.fit_of_normal import bent_pairs, far_from_normal, warn_of_poor_fit
from rolearn.data.networks import load_sachs
from rolearn.runtime.errors import RolearnWarning

pytestmark = pytest.mark.pure


@pytest.mark.parametrize("n", [20, 50, 200, 1000])
def test_normal_columns_hardly_ever_warn(n):
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(200):
        weights = np.eye(8) + np.triu(rng.standard_normal((8, 8)) * (rng.random((8, 8)) < 0.3), 1)
        values = rng.standard_normal((n, 8)) @ weights
        alarms += bool(far_from_normal(values).any()) + bool(bent_pairs(values))
    assert alarms <= 1


@pytest.mark.parametrize(
    ("draw", "far"),
    [
        (lambda rng, n: rng.exponential(size=n), True),
        (lambda rng, n: np.exp(rng.standard_normal(n)), True),
        (lambda rng, n: rng.standard_cauchy(n), True),
        (lambda rng, n: rng.random(n), False),
        (lambda rng, n: rng.laplace(size=n), False),
        (lambda rng, n: np.where(rng.random(n) < 0.5, -2, 2) + rng.standard_normal(n), False),
    ],
    ids=["exponential", "lognormal", "Cauchy", "uniform", "Laplace", "two humps"],
)
def test_shapes(draw, far):
    rng = np.random.default_rng(0)
    found = [bool(far_from_normal(draw(rng, 500)[:, None])[0]) for _ in range(40)]
    assert np.mean(found) > 0.95 if far else np.mean(found) < 0.05


def test_curves_are_found_in_the_right_columns():
    rng = np.random.default_rng(0)
    x, other = rng.standard_normal((2, 500))
    values = np.column_stack([x, other, x**2 + other + rng.standard_normal(500)])
    i, j = bent_pairs(values)[0]
    assert {i, j} == {0, 2}


def warned(frame, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_poor_fit(as_table(frame, **options))
    assert all(issubclass(warning.category, RolearnWarning) for warning in caught)
    return " | ".join(str(warning.message) for warning in caught)


def test_sentences_name_columns_and_the_remedy():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.standard_normal(500), "price": np.exp(rng.standard_normal(500))})
    sentence = warned(frame)
    assert sentence.startswith("column 'price' is far from normal")
    assert "transform='rank'" in sentence
    assert "--transform rank" in sentence
    frame["price"] = 0.6 * frame["x"] ** 2 + rng.standard_normal(500)
    assert "columns 'price' and 'x' are related by a curve" in warned(frame)


def test_few_valued_discrete_and_short_columns_are_not_judged():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.standard_normal(500), "flag": rng.random(500) < 0.02})
    frame["code"] = rng.choice([1, 100], 500, p=[0.95, 0.05])
    assert warned(frame) == ""
    assert warned(pd.DataFrame(np.exp(rng.standard_normal((12, 2))))) == ""


def test_columns_that_vary_only_further_down_are_judged():
    rng = np.random.default_rng(0)
    late = np.concatenate([np.tile([0.0, 1.0], 75), np.exp(rng.standard_normal(850))])
    frame = pd.DataFrame({"x": rng.standard_normal(1000), "late": late})
    assert warned(frame).startswith("column 'late' is far from normal")


def test_the_rows_looked_at_are_spread_over_a_long_table():
    rng = np.random.default_rng(0)
    price = np.concatenate([rng.standard_normal(6500), np.exp(2.0 * rng.standard_normal(500))])
    assert warned(pd.DataFrame({"price": price})).startswith("column 'price' is far from normal")


def test_scale_and_offset_of_columns_change_no_judgment():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(400)
    values = np.column_stack([x, 0.5 * x**2 + rng.standard_normal(400), np.exp(rng.standard_normal(400))])
    moved = np.column_stack([1e300 * values[:, 0], 1e-200 * values[:, 1], 1e9 + values[:, 2]])
    assert far_from_normal(moved).tolist() == far_from_normal(values).tolist() == [False, False, True]
    assert bent_pairs(moved[:, :2]) == bent_pairs(values[:, :2]) != []


def test_holes_are_no_obstacle():
    rng = np.random.default_rng(0)
    values = np.exp(rng.standard_normal((500, 2)))
    values[::5, 0] = np.nan
    assert "columns 'X1', 'X2' are far from normal" in warned(values, missing="pairwise")


def test_the_table_that_ships():
    assert "far from normal" in warned(load_sachs())


def test_iris_and_wine_pass():
    datasets = pytest.importorskip("sklearn.datasets")
    for load in (datasets.load_iris, datasets.load_wine):
        assert warned(load(as_frame=True).data) == ""
