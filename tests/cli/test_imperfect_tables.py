"""Tables that broke other tools, through the command and the library alike: both say, and do, the same."""

from __future__ import annotations

import itertools
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import rolearn
from rolearn import DataError, ParameterError, RolearnError, RolearnWarning, learn
from rolearn.export import read_graph


@pytest.fixture
def both(command, tmp_path):
    """Learn from a frame by the library and by the command, and compare.

    Gives the model, or None where the table is refused, and what was said.
    """

    def call(frame, *, drop=(), **options):
        path = tmp_path / "data.csv"
        frame.to_csv(path, index=False)
        arguments = ["-o", tmp_path / "graph.json"]
        for name, value in options.items():
            text = ",".join(map(str, value)) if isinstance(value, list) else value
            arguments += [f"--{name.replace('_', '-')}", text]
        outcome = command("learn", path, *(["--drop", ",".join(drop)] if drop else []), *arguments)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                model = learn(frame.drop(columns=list(drop)), **options)
            except RolearnError as error:
                model, said = None, str(error)
            else:
                said = " | ".join(str(w.message) for w in caught if w.category is RolearnWarning)
        if model is None:
            assert (outcome.code, outcome.out) == (3, "")
            *notes, told = outcome.err.splitlines()
            assert all(line.startswith("note: ") for line in notes)
            assert told.startswith("error: ")
            told = told.removeprefix("error: ")
            for place in ("the table: ", f"{path}: ", "the table ", f"{path} "):
                told, said = told.removeprefix(place), said.removeprefix(place)
            assert told.split(" (")[0].split(";")[0] == said.split(" (")[0].split(";")[0]
        else:
            assert outcome.code == 0, outcome.err
            assert read_graph(tmp_path / "graph.json") == model.pag_
            assert model.pag_.is_valid()
            for separation in model.separating_sets_.values():
                assert 0.0 <= separation.p_value <= 1.0
            for note in caught:
                assert outcome.err.count(f"note: {note.message}\n") == 1
            kinds = json.loads(outcome.out)["data"]["kinds"]
            assert kinds == model.column_kinds_
        return model, said

    return call


def noise(p, n=200, seed=0):
    names = [f"v{j}" for j in range(p)]
    return pd.DataFrame(np.random.default_rng(seed).standard_normal((n, p)), columns=names)


def test_1_nearly_a_sum(both):
    """causal-learn#29, #119."""
    frame = noise(3, 500).set_axis(["x1", "x2", "w"], axis=1)
    rest = np.random.default_rng(1).standard_normal(500)
    frame["x3"] = frame["x1"] + frame["x2"] + 1e-8 * rest
    model, said = both(frame)
    assert model is None
    assert all(f"'{name}'" in said for name in ("x1", "x2", "x3"))
    for degenerate in ("drop", "isolate"):
        model, said = both(frame, degenerate=degenerate)
        assert "is a linear combination of" in said
        assert model.pag_.n_edges <= 1  # two parts of the sum, or one part and the sum
        assert len(model.feature_names_in_) == (3 if degenerate == "drop" else 4)


def test_2_copies_up_to_scale(both):
    """causal-learn#155: rank one."""
    x = np.random.default_rng(0).standard_normal(100)
    frame = pd.DataFrame({"X": x, "W": 0.5 * x, "Y": 0.8 * x})
    model, said = both(frame)
    assert model is None
    assert "'X' and 'W'; 'X' and 'Y'; 'W' and 'Y' are copies of each other" in said
    model, _ = both(frame, degenerate="drop")
    assert len(model.pag_.names) == 1
    model, _ = both(frame, degenerate="isolate")
    assert (len(model.pag_.names), model.pag_.n_edges) == (3, 0)


def test_4_a_constant_is_never_adjacent(both):
    """causal-learn#139, PyRCA#39."""
    frame = noise(5)
    frame["flat"] = 2.0
    model, said = both(frame)
    assert model is None
    assert "column 'flat' is constant" in said
    model, said = both(frame, degenerate="isolate")
    assert "column 'flat' is constant" in said
    assert not model.skeleton_[:, 5].any()
    assert model.separating_sets_["v0", "flat"] == ((), 1.0, "isolated")
    assert "flat" in model.order_
    model, _ = both(frame, degenerate="drop")
    assert model.pag_.names == ("v0", "v1", "v2", "v3", "v4")


def test_5_a_single_one(both):
    """tetrad#1119."""
    frame = noise(3)
    frame["rare"] = (np.arange(200) == 17).astype(int)
    model, said = both(frame, discrete=["rare"])
    assert "column 'rare' is nearly constant" in said
    assert model.column_kinds_["rare"] == "discrete"
    model, said = both(frame, discrete=["rare"], degenerate="drop")
    assert "rare" not in model.pag_.names


def test_7_missing_at_random_by_pairs(both):
    """causal-learn#138."""
    rng = np.random.default_rng(0)
    frame = noise(6, 400)
    frame["v5"] += 2 * frame["v0"]
    holed = frame.mask(rng.random(frame.shape) < 0.3)
    model, said = both(holed)
    assert model is None
    assert "cells are missing, in" in said
    model, said = both(holed, missing="pairwise")
    assert "each pair of columns is compared on the rows where both are there" in said
    assert model.skeleton_[0, 5]
    model, said = both(holed, missing="listwise")
    assert "rows have missing cells and are left out" in said
    assert model.n_samples_ == holed.dropna().shape[0]
    copied = holed.assign(v1=frame["v0"].mask(rng.random(400) < 0.3))
    model, said = both(copied, missing="pairwise")
    assert model is None
    assert "'v0' and 'v1' are copies" in said
    few = frame.iloc[:30].copy()  # pairs share ten rows, triples none
    for j in range(3):
        few.loc[10 * j : 10 * j + 9, f"v{j}"] = np.nan
    model, _ = both(few, missing="pairwise")
    assert model.pag_.is_valid()
    apart = frame.copy()
    apart.loc[:199, "v0"] = apart.loc[200:, "v1"] = np.nan
    model, said = both(apart, missing="pairwise")
    assert model is None
    assert "no row with neither 'v0' nor 'v1' missing" in said


def test_8_floats_and_booleans_in_an_object_array():
    """causal-learn#139."""
    values = np.random.default_rng(0).standard_normal((100, 3)).astype(object)
    values[:, 1] = True
    values[::2, 2] = False
    with pytest.raises(DataError, match="column 'X2' is constant"):
        learn(values)
    with pytest.warns(RolearnWarning, match="'X2' is constant"):
        model = learn(values, degenerate="isolate")
    assert model.column_kinds_ == {"X1": "continuous", "X2": "discrete", "X3": "continuous"}


@pytest.mark.parametrize("test", ["g-square", "chi-square"])
def test_10_and_11_text_throughout(both, test):
    """pgmpy#2546, dodiscover#69: levels are what they are called, codes are nobody's business."""
    rng = np.random.default_rng(0)
    a = rng.random(500) < 0.5
    b = np.where(rng.random(500) < 0.85, a, ~a)
    c = rng.random(500) < 0.5
    frame = pd.DataFrame({name: np.where(v, "yes", "no") for name, v in {"a": a, "b": b, "c": c}.items()})
    model, _ = both(frame, test=test)
    assert set(model.column_kinds_.values()) == {"discrete"}
    assert [str(edge) for edge in model.pag_.edges()] == ["a o-o b"]


def test_13_whole_numbers_are_what_they_are_declared(both):
    """tetrad#880."""
    frame = noise(20)
    frame["flag"] = (frame["v0"] + np.random.default_rng(1).standard_normal(200) > 0).astype(int)
    model, said = both(frame)
    assert "column 'flag' holds few different whole numbers and is read as continuous" in said
    assert model.column_kinds_["flag"] == "continuous"
    model, said = both(frame, discrete=["flag"])
    assert said == ""
    assert model.column_kinds_["flag"] == "discrete"
    assert model.skeleton_[0, 20]


def test_14_dates_as_text(both):
    """tetrad#1192: another level in every row."""
    frame = noise(4)
    frame["day"] = [f"{2000 + k // 28}-01-{k % 28 + 1:02}" for k in range(200)]
    model, said = both(frame)
    assert model is None
    assert "column 'day' holds dates or times" in said
    frame["day"] = [f"visit {k}" for k in range(200)]
    model, said = both(frame)
    assert model is None
    assert "column 'day' has another level in every row" in said
    model, said = both(frame, degenerate="drop")
    assert "left out: column 'day' has another level in every row" in said
    model, _ = both(frame, drop=["day"])
    assert model.pag_.names == ("v0", "v1", "v2", "v3")


def test_16_many_levels(both):
    """causal-learn#67: memory goes with the rows, not with 20^9."""
    codes = np.random.default_rng(0).integers(0, 20, (2000, 9))
    frame = pd.DataFrame(codes, columns=list("abcdefghi")).map(lambda k: f"level {k}")
    model, _ = both(frame)
    given = tuple("cdefghi")
    from rolearn.estimators.inputs import read_input

    assert 0.0 <= read_input(frame, "auto", None).statistics.p_value("a", "b", given) <= 1.0
    assert model.pag_.is_valid()


def test_17_a_stratum_with_one_level(both):
    """pgmpy#2886."""
    rng = np.random.default_rng(0)
    z, x, y = rng.random((3, 400)) < 0.5
    frame = pd.DataFrame({"x": x & ~z, "y": y, "z": z})
    model, _ = both(frame)
    assert not model.skeleton_[0, 1]
    assert model.skeleton_[0, 2]


def test_19_far_more_columns_than_rows(both):
    """tetrad#1273."""
    rng = np.random.default_rng(0)
    frame = noise(200, 44) * (rng.random((44, 200)) < 0.2)
    model, said = both(frame, degenerate="drop")
    assert "44 rows are few for" in said
    assert model is not None


def test_20_a_dense_skeleton_in_limited_time(both):
    """causal-cmd#67."""
    model, _ = both(noise(50, 100), alpha=0.5, time_limit=30)
    assert model.pag_.is_valid()


def test_22_a_marker_of_missing_cells_in_mixed_data(command, tmp_path):
    """causal-cmd#68, #106."""
    rng = np.random.default_rng(0)
    frame = noise(2)
    frame["town"] = rng.choice(["Oslo", "Voss"], 200)
    frame["v1"] += frame["v0"]
    text = frame.astype(str).mask(rng.random(frame.shape) < 0.05, "*")
    path = tmp_path / "data.csv"
    text.to_csv(path, index=False)
    outcome = command("learn", path)
    line = int(np.flatnonzero(text["v0"] == "*")[0]) + 2
    assert outcome.code == 3
    assert f"hold text ('*' in line {line} of 'v0')" in outcome.error
    assert "say --missing-marker '*'" in outcome.error
    outcome = command("learn", path, "--missing-marker", "*")
    assert "cells are missing, in" in outcome.error
    for missing in ("listwise", "pairwise"):
        outcome = command("learn", path, "--missing-marker", "*", "--missing", missing)
        document = json.loads(outcome.out)
        assert [(e["source"], e["target"]) for e in document["edges"]] == [("v0", "v1")]
        assert document["data"]["kinds"]["town"] == "discrete"
        assert document["settings"]["missing"] == missing


@pytest.mark.parametrize("end", [",", "\t"])
def test_23_a_header_that_ends_in_a_delimiter(command, tmp_path, end):
    """py-tetrad#36."""
    path = tmp_path / "data.txt"
    lines = noise(3).to_csv(index=False, sep=end).splitlines()
    path.write_text("\n".join([lines[0] + end, *lines[1:]]))
    assert json.loads(command("learn", path).out)["nodes"] == ["v0", "v1", "v2"]


def test_25_and_26_labels(both):
    """pgmpy#3577, dowhy#1216, and nodes equal by name."""
    model, _ = both(noise(5).set_axis(range(5), axis=1))
    assert model.pag_.names == ("0", "1", "2", "3", "4")
    for labels in ([1, "1", 2], ["x", "x", "y"]):
        with pytest.raises(DataError, match=r"both '1' as text|more than one column is named 'x'"):
            learn(noise(3).set_axis(labels, axis=1))


def test_28_one_and_two_columns(both):
    """[src] pcalg."""
    model, _ = both(noise(1))
    assert (model.pag_.names, model.pag_.n_edges) == (("v0",), 0)
    model, _ = both(noise(2))
    assert model.pag_.n_edges == 0
    frame = noise(2)
    frame["v1"] += frame["v0"]
    model, _ = both(frame)
    assert [str(edge) for edge in model.pag_.edges()] == ["v0 o-o v1"]


def test_31_every_order_of_columns_and_other_names():
    """causal-learn#82, pgmpy#1608, tetrad#881; with a category and missing cells on top."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 2000))
    c = a + b + 0.25 * rng.standard_normal(2000)
    d, e = c + 0.25 * rng.standard_normal(2000), c + 0.25 * rng.standard_normal(2000)
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": np.digitize(d, [-1, 1]), "e": e})
    frame["d"] = np.array(["low", "mid", "high"])[frame["d"]]
    frame = frame.mask(rng.random(frame.shape) < 0.02)
    first = learn_quietly(frame, missing="pairwise").pag_
    orders = list(itertools.permutations("abcde"))[::13]
    for order in orders:
        assert learn_quietly(frame[list(order)], missing="pairwise").pag_ == first
    other = dict(zip("abcde", "zyxwv", strict=True))
    assert learn_quietly(frame.rename(columns=other), missing="pairwise").pag_ == rolearn.PAG(
        first.marks, [other[name] for name in first.names]
    )


def learn_quietly(frame, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        return learn(frame, **options)


def test_32_a_table_stacked_on_itself(both):
    frame = noise(3)
    _, said = both(pd.concat([frame, frame], ignore_index=True))
    assert "200 of 400 rows are exact copies" in said


def test_what_a_separation_keeps():
    frame = noise(3, 300).mask(np.random.default_rng(1).random((300, 3)) < 0.1)
    separation = learn_quietly(frame, missing="pairwise").separating_sets_["v0", "v1"]
    shared = frame[["v0", "v1"]].dropna().shape[0]
    assert separation.n_used == shared
    given, p_value, reason = separation
    assert separation == (given, p_value, reason)
    again = pickle.loads(pickle.dumps(separation))
    assert (again, again.n_used) == (separation, shared)
    complete = learn(noise(3, 300)).separating_sets_["v0", "v1"]
    assert complete.n_used == 300


def test_unknown_policies(both, command, tmp_path):
    with pytest.raises(ParameterError, match="degenerate is 'keep'; allowed are 'error', 'drop', 'isolate'"):
        learn(noise(2), degenerate="keep")
    with pytest.raises(
        ParameterError, match="missing is 'mean'; allowed are 'error', 'listwise', 'pairwise'"
    ):
        learn(noise(2), missing="mean")
    path = tmp_path / "data.csv"
    noise(2).to_csv(path, index=False)
    assert "--degenerate is 'keep'; allowed are error" in command("learn", path, "--degenerate", "keep").error
    assert "--missing is 'mean'; allowed are error" in command("learn", path, "--missing", "mean").error
    assert "no column 'q' to read as discrete" in command("learn", path, "--discrete", "q").error


@pytest.mark.parametrize("name", ["sample_weight", "groups"])
def test_weights_and_clusters_are_refused(name):
    with pytest.raises(ParameterError, match=f"{name} is not supported"):
        rolearn.ROL().fit(noise(2), **{name: np.ones(200)})
    with pytest.raises(ParameterError, match="fit takes X alone, not spices"):
        rolearn.ROL().fit(noise(2), spices=1)


@pytest.mark.parametrize("name", ["discrete", "missing", "degenerate", "transform"])
def test_what_needs_rows(name):
    value = {"discrete": ["X1"], "missing": "listwise", "degenerate": "drop", "transform": "rank"}[name]
    with pytest.raises(ParameterError, match=f"{name}=.* needs rows; Gaussian has none"):
        learn(rolearn.Gaussian(np.eye(3), 100), **{name: value})


def test_costs_of_tables_with_isolated_columns():
    frame = noise(4)
    frame["flat"] = 1.0
    frame["v3"] += frame["v0"]
    model = learn_quietly(frame, degenerate="isolate")
    with pytest.warns(RolearnWarning, match="constant"):
        cost = rolearn.order_cost(frame, model.order_, **model.get_params())
    assert cost == pytest.approx(model.cost_)
    assert len(model.separating_sets_) == len(list(model.separating_sets_)) == 10 - model.pag_.n_edges
