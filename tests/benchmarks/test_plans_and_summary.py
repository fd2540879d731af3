"""What the benchmarks are made of, and how their results are shown."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import stdtrit

from needs import needs
from rolearn import MAG, PAG, ParameterError, evaluate
from rolearn.benchmarks import BENCHMARKS, figure, find_benchmark, find_methods, summary
from rolearn.benchmarks.calls import Outcome
from rolearn.benchmarks.judging import judged
from rolearn.benchmarks.plans import structures
from rolearn.benchmarks.problems import TABLE1, TABLE2, er, network, table1, weak
from rolearn.benchmarks.published import published_f1
from rolearn.benchmarks.rows import COLUMNS
from rolearn.benchmarks.summary import paired
from rolearn.metrics.intervals import half_interval, half_interval_of_groups


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_draws_what_it_says_and_has_its_methods(name):
    benchmark = BENCHMARKS[name]
    assert find_methods(benchmark.methods)
    places = [(case.problem, case.at) for case in benchmark.cases]
    assert len(set(places)) == len(places)
    first, again = benchmark.cases[0].draw(1), benchmark.cases[0].draw(1)
    assert first.seed[0] == 1
    np.testing.assert_array_equal(first.rows, again.rows)
    assert bool(first.hidden) == (name in ("table2", "mag-er", "weak"))
    for score in (*benchmark.scores, *filter(None, [benchmark.against])):
        assert score in COLUMNS


def test_places_are_what_is_drawn():
    for name in ("dag-er", "mag-er"):
        case = BENCHMARKS[name].cases[1]
        assert case.draw(0).rows.shape == (50 * case.at, case.at)
    for case in (*BENCHMARKS["dag-networks"].cases[:2], *BENCHMARKS["weak"].cases[:2]):
        assert len(case.draw(0).rows) == case.at
    variables, rows = BENCHMARKS["scale"].cases[0], BENCHMARKS["scale"].cases[-4]
    assert variables.draw(0).rows.shape == (2000, variables.at)
    assert rows.draw(0).rows.shape == (rows.at, 100)


def test_a_network_has_the_models_of_table1():
    np.testing.assert_allclose(
        np.sign(np.cov(network("asia", 3, 400).rows.T)), np.sign(np.cov(table1("asia", 3).rows.T))
    )


def test_structures_are_those_the_paper_lists():
    rows = {row["network"]: list(row.values())[1:] for row in structures(["barley", *TABLE2])}
    assert rows["barley"] == [48, 84, 4, 8]
    assert rows["insurance"] == [27, 52, 3, 9]


def test_unknown_names_are_refused():
    with pytest.raises(ParameterError, match=r"no benchmark 'table3' .did you mean"):
        find_benchmark("table3")
    with pytest.raises(ParameterError, match="table1 has no problem 'alarm'; it has earthquake"):
        find_benchmark("table1").only(["alarm"])
    assert [case.problem for case in find_benchmark("table1").only(["asia"]).cases] == ["asia"]


def test_scores_are_those_of_evaluate():
    problem = weak(0, 100, n=8, hidden=1)
    other = weak(1, 100, n=8, hidden=1).pag
    scores = judged(Outcome("ok", "pag", other.marks), problem)
    truth = evaluate(PAG.unchecked(other.marks, problem.mag.names), problem.pag)
    assert scores["f1"] == truth.skeleton.f1
    assert scores["wrong_marks"] == truth.wrong_marks
    assert scores["tail_recall"] == truth.tails.recall
    assert scores["circle_precision"] == truth.circles.precision
    assert scores["valid"] == 1
    right = judged(Outcome("ok", "pag", problem.pag.marks), problem)
    assert [right[score] for score in ("f1", "arrowhead_f1", "tail_f1", "circle_f1")] == [1] * 4
    assert right["wrong_marks"] == 0


def test_marks_are_scored_where_they_can_be_right():
    hidden, whole = weak(0, 100, n=8, hidden=1), er(6, 0.3, 0)
    skeleton = (whole.mag.marks != 0).astype(np.int8)
    assert "wrong_marks" not in judged(Outcome("ok", "cpdag", hidden.mag.marks), hidden)
    as_cpdag = judged(Outcome("ok", "cpdag", whole.cpdag.marks), whole)
    assert as_cpdag["wrong_marks"] == 0
    assert "circle_f1" not in as_cpdag
    assert judged(Outcome("ok", "pag", whole.pag.marks), whole)["wrong_marks"] == 0
    only = judged(Outcome("ok", "skeleton", skeleton), whole)
    assert only["f1"] == 1
    assert "valid" not in only
    drawn = judged(Outcome("ok", "mag", hidden.mag.marks), hidden)  # a member stands for its class
    assert (drawn["wrong_marks"], drawn["f1"], drawn["valid"]) == (0, 1, 1)
    assert judged(Outcome("ok", "dag", whole.dag.marks), whole)["wrong_marks"] == 0
    assert "wrong_marks" not in judged(Outcome("ok", "dag", whole.dag.marks), replace(whole, hidden=("X0",)))
    cycle = MAG.unchecked(np.array([[0, 2, 3], [3, 0, 2], [2, 3, 0]], np.int8), ["a", "b", "c"]).marks
    assert judged(Outcome("ok", "cpdag", cycle), er(3, 0.5, 0))["valid"] == 0
    assert judged(Outcome("ok", "dag", cycle), er(3, 0.5, 0))["valid"] == 0
    assert judged(Outcome("not installed"), whole) == {}


def rows_of(f1_by_method, at=""):
    return [
        {
            **dict.fromkeys(COLUMNS, ""),
            "problem": "asia",
            "at": at,
            "run": str(run),
            "method": method,
            "status": "over the limit of 60 s" if f1 is None else "ok",
            "f1": "" if f1 is None else f"{f1}",
        }
        for method, values in f1_by_method.items()
        for run, f1 in enumerate(values)
    ]


def test_the_summary_gives_mean_error_and_number():
    text = summary(rows_of({"one": [0.5, 0.7, 0.9], "two": [0.5, None, 0.6], "gone": [None, None, None]}))
    one, two, gone = text.splitlines()[1:]
    assert one.split() == ["asia", "one", "3/3", "0.700", f"±{0.2 / math.sqrt(3):.3f}"]
    assert "2/3  0.550 ±0.050" in two
    assert two.endswith("1 over the limit of 60 s")
    assert "-0.150 [-0.612, +0.312]" in two  # differences 0 and -.3; t of one degree at .9 is 3.078
    assert gone.split("0/3")[1].strip() == "3 over the limit of 60 s"
    assert text.splitlines()[0].split()[:3] == ["problem", "method", "n"]


def test_the_summary_ends_with_means_over_problems():
    rows = rows_of({"one": [0.5, 0.7], "two": [0.7, 0.7]})
    others = [
        {**row, "problem": "sachs"} for row in rows_of({"one": [0.9, 0.9], "two": [0.8, 0.9], "gone": [None]})
    ]
    lines = summary(rows + others).splitlines()
    one, two, gone = (line.removeprefix("mean over problems").split() for line in lines[-3:])
    assert one == ["one", "2/2", "0.750"]
    # differences .2, 0 and -.1, 0: means .1 and -.05; variances of the means .01 and .0025
    freedom = 0.0125**2 / (0.01**2 + 0.0025**2)
    half = stdtrit(freedom, 0.9) * math.sqrt(0.0125) / 2
    assert two == ["two", "2/2", "0.775", "+0.025", f"[{0.025 - half:+.3f},", f"{0.025 + half:+.3f}]"]
    assert gone == ["gone", "0/2"]
    assert "mean over" not in summary(rows)
    assert "mean over" not in summary([{**row, "at": "1"} for row in rows + others])


def test_the_summary_shows_what_the_paper_has():
    rows = rows_of({"rol_hc": [0.9, 0.7], "other": [0.9, 0.9]})
    header, ours, other = summary(rows, "table1").splitlines()
    assert header.rstrip().endswith("paper's F1")
    assert ours.split()[-1] == "0.97"
    assert other.rstrip().endswith("]")
    assert "paper" not in summary(rows) + summary(rows, "table2")
    assert published_f1("table2", "hepar2", "whydra-rfci") == 0.70
    assert published_f1("table2", "arth150", "gspo") == 0.45
    for name, networks in (("table1", TABLE1), ("table2", TABLE2)):
        assert all(published_f1(name, network, "rol_hc") for network in networks)


def test_intervals_of_groups_are_those_of_their_values_where_there_is_one():
    values = [1.0, 2.0, 4.0]
    assert half_interval_of_groups([values]) == pytest.approx(half_interval(values))
    assert math.isnan(half_interval_of_groups([values, [1.0]]))
    assert math.isnan(half_interval_of_groups([]))
    assert half_interval_of_groups([[1.0, 1.0], [2.0, 2.0]]) == 0


def test_intervals_are_students():
    values = [1.0, 2.0, 4.0]
    assert half_interval(values) == pytest.approx(1.885618 * np.std(values, ddof=1) / math.sqrt(3), rel=1e-5)
    assert math.isnan(half_interval([1.0]))
    rows = rows_of({"one": [0.5, 0.7], "two": [0.75, None]})
    assert paired(rows[2:], rows[:2]) == "+0.250"


@needs("matplotlib")
def test_figures_show_what_there_is():
    benchmark = find_benchmark("dag-er")
    rows = [
        row
        for at in ("10", "20")
        for row in rows_of({"one": [0.5, 0.7], "two": [0.4, None], "no": [None, None]}, at)
    ]
    image = figure(rows, benchmark)
    assert image == figure(rows, benchmark)
    assert image.startswith(b"<?xml")
    assert figure(rows, find_benchmark("mag-er")).startswith(b"<?xml")  # no wrong marks: empty panels
    assert figure(rows_of({"one": [0.5, 0.7]}), find_benchmark("table1")).startswith(b"<?xml")
    with pytest.raises(ParameterError, match="no run came to an end"):
        figure(rows_of({"no": [None]}), find_benchmark("table1"))
    with pytest.raises(ParameterError, match="no run came to an end"):
        figure(rows_of({"no": [None]}, "10"), benchmark)


def test_others_are_compared_with_the_default_wherever_it_stands():
    rows = rows_of({"theirs": [0.5, 0.6], "default": [0.7, 0.9]})
    for given in (rows, rows[::-1]):
        said = summary(given)
        assert "F1 less default's" in said
        assert "-0.250" in next(line for line in said.splitlines() if " theirs " in line)
    assert "F1 less theirs's" in summary(rows_of({"theirs": [0.5], "other": [0.7]}))
