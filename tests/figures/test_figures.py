from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from needs import needs
from rolearn import DAG, PAG, Oracle, ParameterError, learn
from rolearn.export.scene import scene_of
from rolearn.graphs.marks import Mark

pytestmark = needs("matplotlib")

ASYMMETRIC = PAG.from_edges(["A --> B", "B <-> C", "C o-> D", "A o-o C", ("D", "---", "$E_1$"), "B --o F"])


@pytest.fixture(autouse=True)
def close_figures():
    import matplotlib

    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_every_mark_is_drawn_at_its_end():
    from matplotlib.patches import Circle, FancyBboxPatch, Polygon

    from rolearn import figures

    axes = figures.graph(ASYMMETRIC)
    scene = scene_of(ASYMMETRIC)
    n_legend = 6  # kinds of edge, each once
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    arrows = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    ends = [mark for edge in scene.edges for mark in edge.marks]
    assert len([patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]) == 6
    assert len(circles) == ends.count(Mark.CIRCLE) + 4
    assert len(arrows) == ends.count(Mark.ARROWHEAD) + 4
    assert len(axes.texts) == 6 + 3 * n_legend
    for edge in scene.edges:
        for i, mark in zip((edge.i, edge.j), edge.marks, strict=True):
            half = scene.sizes[i] / 2
            at = [
                np.array(patch.center) if isinstance(patch, Circle) else patch.get_xy()[0]
                for patch in (circles if mark == Mark.CIRCLE else arrows)
            ]
            beyond = [np.hypot(*np.maximum(np.abs(point - scene.centers[i]) - half, 0)) for point in at]
            assert mark == Mark.TAIL or min(beyond) < 4.1


def test_names_are_not_mathematics():
    from rolearn import figures

    axes = figures.graph(PAG.from_edges([("$x", "o->", "$\\frac")]))
    axes.figure.canvas.draw()
    assert {"$x", "$\\frac"} <= {text.get_text() for text in axes.texts}


def test_fits_the_axes_given():
    from matplotlib import pyplot

    from rolearn import figures

    figure, (small, large) = pyplot.subplots(1, 2, width_ratios=[1, 2], figsize=(9, 4))
    for axes in (small, large):
        assert figures.graph(ASYMMETRIC, axes) is axes
    fonts = [axes.texts[0].get_fontsize() for axes in (small, large)]
    assert fonts[0] < fonts[1]
    figure.canvas.draw()


def drawn_marks(axes):
    """Count circles, arrowheads and the patches behind marks that differ."""
    from matplotlib.patches import Circle, Ellipse, Polygon

    kinds = (Circle, Polygon, Ellipse)
    return tuple(sum(type(patch) is kind for patch in axes.patches) for kind in kinds)


def test_compare_draws_each_pair_that_differs():
    from rolearn import figures

    names = ["A", "B", "$C", "D"]
    first = PAG.from_edges(["A o-> B", ("B", "<->", "$C"), ("$C", "o-o", "D")], nodes=names)
    second = PAG.from_edges(["A o-> B", ("B", "-->", "$C"), "A --> D"], nodes=names[::-1])
    axes = figures.compare(first, second, labels=("learned", "truth"))
    title, *texts = [text.get_text() for text in axes.texts]
    assert title == "3 of 6 pairs differ: 1 only in learned, 1 only in truth, 1 with other marks"
    assert texts == ["learned", "truth", *("$C", "D", "no edge"), *("A", "D", "no edge"), *("B", "$C")]
    assert drawn_marks(axes) == (2, 1 + 2 + 1, 2 + 2 + 2)  # A o-> B is the same in both, so it isn't drawn
    axes.figure.canvas.draw()
    back = figures.compare(second, first)
    assert drawn_marks(back) == drawn_marks(axes)
    with pytest.raises(ParameterError, match="different variables"):
        figures.compare(first, ASYMMETRIC)
    with pytest.raises(ParameterError, match="not a int"):
        figures.compare(first, 3)


def test_compare_puts_each_mark_on_its_side():
    from matplotlib.patches import Circle, Ellipse, Polygon

    from rolearn import figures

    axes = figures.compare(PAG.from_edges(["A o-> B"]), PAG.from_edges(["A --> B"]))
    texts = {text.get_text(): text.get_position()[0] for text in axes.texts}
    at = {kind: [] for kind in (Circle, Polygon, Ellipse)}
    for patch in axes.patches:
        if type(patch) in at:
            at[type(patch)].append(patch.get_xy()[0][0] if isinstance(patch, Polygon) else patch.center[0])
    assert texts["A"] < at[Circle][0] < texts["first"] < at[Polygon][0] < texts["second"]
    assert texts["second"] < at[Polygon][1] < texts["B"]
    assert texts["A"] < at[Ellipse][0] < texts["first"] < at[Ellipse][1] < texts["second"]
    assert len(at[Ellipse]) == 2  # the arrowheads are the same


def test_compare_of_none_and_of_many():
    from matplotlib import pyplot

    from rolearn import figures

    axes = figures.compare(ASYMMETRIC, ASYMMETRIC)
    assert [text.get_text() for text in axes.texts] == ["no marks differ"]
    names = [f"V{i}" for i in range(60)]
    chain = PAG.from_edges([(a, "o-o", b) for a, b in pairwise(names)])
    _, given = pyplot.subplots()
    axes = figures.compare(chain, PAG.from_edges([], nodes=names), given, most=50)
    assert axes is given
    assert [text.get_text() for text in axes.texts].count("no edge") == 50
    assert axes.texts[-1].get_text() == "and 9 more"
    rows = {text.get_position()[1] for text in axes.texts if text.get_text() == "no edge"}
    assert len(rows) == 25  # two columns of one height


def test_cost_trace():
    from rolearn import figures

    axes = figures.cost_trace([(0.0, 5.0), (0.5, 3.0), (2.0, 1.0)])
    assert axes.lines[0].get_xydata().tolist() == [[0.0, 5.0], [0.5, 3.0], [2.0, 1.0]]
    model = learn(Oracle(DAG.from_edges(["A --> B", "B --> C"])))
    assert len(figures.cost_trace(model).lines[0].get_xydata()) == len(model.trace_)
    with pytest.raises(ParameterError, match="no points"):
        figures.cost_trace([])


class Row(NamedTuple):
    source: str
    target: str
    pattern: str
    frequency: float


FREQUENCIES = [
    Row("A", "B", "-->", 0.5),
    Row("A", "B", "none", 0.5),
    Row("A", "C", "o->", 0.5),
    Row("A", "C", "<->", 0.4),
    Row("A", "C", "none", 0.1),
    Row("B", "C", "none", 1.0),
]


def test_edge_frequencies():
    from rolearn import figures

    axes = figures.edge_frequencies(FREQUENCIES)
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["A, C", "A, B"]  # the surest first; never adjacent, not at all
    bars = {
        container.get_label(): [bar.get_width() for bar in container.patches] for container in axes.containers
    }
    assert bars == {"A --> B": [0.0, 0.5], "A o-> B": [0.5, 0.0], "A <-> B": [0.4, 0.0]}
    assert len(figures.edge_frequencies(FREQUENCIES, most=1).get_yticks()) == 1


def test_tables_of_any_kind():
    import pandas
    import polars

    from rolearn import figures

    dicts = [row._asdict() for row in FREQUENCIES]
    for table in (dicts, pandas.DataFrame(dicts), polars.DataFrame(dicts)):
        assert len(figures.edge_frequencies(table).containers) == 3
    with pytest.raises(ParameterError, match="no column 'frequency'"):
        figures.edge_frequencies([{"source": "A", "target": "B", "pattern": "-->"}])
    with pytest.raises(ParameterError, match="no rows"):
        figures.edge_frequencies([])
    with pytest.raises(ParameterError, match="no table"):
        figures.edge_frequencies([1, 2])


def test_sweep():
    from rolearn import figures

    rows = [
        {"alpha": alpha, "penalty": None, "n_edges": n, "stability": s}
        for alpha, n, s in ((0.05, 4, 0.9), (0.01, 3, float("nan")), (0.001, 1, 1.0))
    ]
    axes = figures.sweep(rows)
    assert axes.lines[0].get_xydata().tolist() == [[0.001, 1], [0.01, 3], [0.05, 4]]
    assert axes.get_xscale() == "log"
    several = [{"alpha": a, "penalty": p, "n_edges": 3} for a in (0.01, 0.05) for p in (1.0, 2.0)]
    assert len(figures.sweep(several).lines) == 2
    assert figures.sweep(several, setting="penalty").get_xlabel() == "penalty"


def test_markov_check():
    from rolearn import figures

    axes = figures.markov_check([{"p_value": p} for p in (0.9, 0.1, None, 0.5)])
    assert axes.lines[1].get_ydata().tolist() == [0.1, 0.5, 0.9]
    with pytest.raises(ParameterError, match="no p-values"):
        figures.markov_check([{"p_value": None}])


def test_results_are_drawn_as_their_tables():
    from rolearn import bootstrap, figures, sweep

    rows = np.random.default_rng(0).standard_normal((60, 3))
    rows[:, 1] += rows[:, 0]
    found, swept = bootstrap(rows, n=3), sweep(rows, alpha=[0.01, 0.1])
    for draw, result in ((figures.edge_frequencies, found), (figures.sweep, swept)):
        drawn = [[t.get_text() for t in draw(table).get_yticklabels()] for table in (result, result.table())]
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("name", ["graph", "cost_trace", "edge_frequencies", "sweep", "markov_check"])
@pytest.mark.parametrize("other", [None, 3, object()])
def test_what_is_no_figure_is_said(name, other):
    from rolearn import figures

    with pytest.raises(ParameterError, match=type(other).__name__):
        getattr(figures, name)(other)


def test_places_on_a_logarithmic_axis_are_written_out():
    from rolearn import figures

    rows = [{"problem": "one", "at": at, "method": "ours", "f1": 0.5} for at in (250, 500, 4000)]
    axes = figures.benchmark(rows, axis="rows")
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["250", "500", "4000"]
    assert not len(axes.get_xticks(minor=True))


def test_a_method_looks_the_same_in_each_part_of_a_figure():
    from rolearn import figures

    def look(present, **options):
        rows = [{"problem": "p", "at": "", "method": method, "f1": 0.5} for method in present]
        axes = figures.benchmark(rows, **options)
        handles, labels = axes.get_legend_handles_labels()
        return {
            label: (line.get_color(), line.get_marker()) for line, label in zip(handles, labels, strict=True)
        }

    methods = [f"method {number}" for number in range(27)]
    whole = look(methods)
    assert len(set(whole.values())) == len(methods)
    part = methods[3::5]
    assert look(part, methods=methods) == {method: whole[method] for method in part}


@pytest.mark.parametrize(("n_methods", "bands"), [(6, 6), (7, 0)])
def test_intervals_of_many_methods_are_bars(n_methods, bands):
    from matplotlib.collections import PolyCollection

    from rolearn import figures

    rows = [
        {"problem": "p", "at": at, "method": method, "f1": f1}
        for method in map(str, range(n_methods))
        for at in (1, 2)
        for f1 in (0.5, 0.6)
    ]
    axes = figures.benchmark(rows, axis="variables")
    assert sum(isinstance(drawn, PolyCollection) for drawn in axes.collections) == bands
    assert len(axes.collections) == n_methods
