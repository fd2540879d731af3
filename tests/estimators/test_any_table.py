"""Any table at all: a fitted model or one sentence, never another exception, a hang or a silent NaN."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rolearn import RolearnError, RolearnWarning, learn, order_cost

NAMES = st.one_of(
    st.text(max_size=8),
    st.integers(-3, 12),
    st.sampled_from(
        ["a b", "x", "x ", 'say "x"', "it's", "😀", "<b>bold</b>", "a,b", "a\nb", "id", "größe", ""]
    ),
)
KINDS = ["normal"] * 8 + ["bool", "category", "town", "count"] * 4 + ["heavy", "nullable", "object"] * 2
KINDS += ["text", "constant", "special", "id", "date", "unique text"]
SPECIAL = [0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, 1e300, 1e-300, 5e-324]


@st.composite
def columns(draw, n, seed):
    """Draw one column of n cells of some kind."""
    rng = np.random.default_rng([seed, draw(st.integers(0, 1 << 16))])
    kind = draw(st.sampled_from(KINDS))
    if kind == "normal":
        values = rng.standard_normal(n)
    elif kind == "heavy":
        values = np.exp(3 * rng.standard_normal(n))
    elif kind == "count":
        return rng.integers(0, draw(st.integers(1, 12)), n)
    elif kind == "bool":
        return rng.random(n) < draw(st.sampled_from([0.01, 0.3, 0.5]))
    elif kind == "text":
        return pd.array(rng.choice(["u", "v", "w", "3", ""], n), dtype="str")
    elif kind == "town":
        return rng.choice(["Oslo", "Bergen", "Voss", "<b>"], n)
    elif kind == "category":
        return pd.Categorical(rng.choice(list("pqr"), n), categories=list("rqps"), ordered=bool(n % 2))
    elif kind == "object":
        return np.array(rng.choice(np.array([True, False, 2.5, None], dtype=object), n), dtype=object)
    elif kind == "constant":
        values = np.full(n, draw(st.sampled_from([0.0, 3.0, math.nan, 1e300])))
    elif kind == "nullable":
        return pd.array([None if r < 0.2 else int(10 * r) for r in rng.random(n)], dtype="Int64")
    elif kind == "special":
        values = rng.choice(SPECIAL, n)
    elif kind == "id":
        return np.arange(n) + 7
    elif kind == "date":
        return pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 9, n), unit="D")
    else:
        return [f"cell {i}" for i in range(n)]
    if draw(st.integers(0, 3)) == 0 and n:
        values = values.copy()
        values[rng.random(n) < 0.1] = draw(st.sampled_from([*[math.nan] * 9, math.inf]))
    return values


@st.composite
def tables(draw):
    """Draw a data frame, some columns of it copies or sums of others."""
    n = draw(st.one_of(st.integers(0, 12), st.integers(13, 60), st.integers(61, 200)))
    width, seed = draw(st.integers(1, 12)), draw(st.integers(0, 1 << 16))
    made = [draw(columns(n, seed)) for _ in range(width)]
    numeric = [c for c in made if isinstance(c, np.ndarray) and c.dtype.kind == "f"]
    if len(numeric) > 1 and draw(st.integers(0, 4)) == 0:
        with np.errstate(all="ignore"):
            made[-1] = -2.0 * numeric[0] if draw(st.booleans()) else numeric[0] + numeric[1]
    unique_by = str if draw(st.integers(0, 20)) else None
    names = draw(st.lists(NAMES, min_size=width, max_size=width, unique_by=unique_by))
    frame = pd.concat([pd.Series(c) for c in made], axis=1)
    frame.columns = names
    return frame


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["error", "listwise", "pairwise"]),
        "degenerate": st.sampled_from(["error", "drop", "isolate"]),
        "transform": st.sampled_from([None, "rank"]),
        "cost": st.sampled_from(["auto", "neighbors"]),
        "latents": st.booleans(),
    },
)


def check(frame, keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy's of NaN and overflow too
        warnings.simplefilter("ignore", RolearnWarning)
        try:
            model = learn(frame, **keywords)
        except RolearnError as error:
            refused = str(error)
        else:
            refused = ""
        if refused:
            assert "\n" not in refused
            return False
        assert model.graph_.is_valid()
        names = list(model.feature_names_in_)
        assert sorted(model.order_) == sorted(names)
        assert set(names) <= {str(name) for name in frame.columns}
        assert set(model.column_kinds_) == set(names)
        assert math.isfinite(model.cost_)
        for separation in model.separating_sets_.values():
            assert 0.0 <= separation.p_value <= 1.0
        assert order_cost(frame, model.order_, **model.get_params()) == pytest.approx(model.cost_)
    return True


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables(), SETTINGS)
def test_a_model_or_a_sentence(frame, keywords):
    check(frame, keywords)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables(), st.sampled_from(["drop", "isolate"]), st.sampled_from(["listwise", "pairwise"]))
def test_lenient_settings_fit_most_tables(frame, degenerate, missing):
    check(frame, {"missing": missing, "degenerate": degenerate})
