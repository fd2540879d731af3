"""Background knowledge in a fit: what must hold, and inputs that broke other programs (by their issue)."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import in_other_columns, oracle_of, pag_cases, population_covariance, random_rows
from rolearn import (
    CPDAG,
    DAG,
    MAG,
    PAG,
    ROL,
    Gaussian,
    Knowledge,
    KnowledgeError,
    Oracle,
    ParameterError,
    RolearnWarning,
    learn,
    load,
    order_cost,
)

SETTINGS = [{}, {"cost": "neighbors"}, {"latents": False}, {"legal": False}, {"search": "recursive"}]
MADE_UP = pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")  # it contradicts the data


def drawn_knowledge(names, generator, required=True):
    tier = generator.integers(-1, 3, len(names))
    tiers = [[names[i] for i in np.flatnonzero(tier == k)] for k in range(3)]
    pairs = generator.permutation(len(names))[:2]
    needed = []
    if required and len(pairs) == 2 and -1 < tier[pairs[0]] < tier[pairs[1]]:
        needed = [(names[pairs[0]], names[pairs[1]])]
    return Knowledge(tiers=tiers, required=needed)


def true_knowledge(mag, generator, share=0.5):
    """Part of what holds in a MAG: who doesn't cause whom, and arrows."""
    above = np.array([[a in mag.ancestors(b) for b in mag.names] for a in mag.names])
    arrows = (mag.marks == 2) & (mag.marks.T == 3)
    drawn = generator.random((2, *above.shape)) < share

    def pairs(chosen):
        return [(mag.names[i], mag.names[j]) for i, j in np.argwhere(chosen)]

    return Knowledge(forbidden=pairs(~above & drawn[0]), required=pairs(arrows & drawn[1]))


def true_tiers(mag, generator):
    """Tiers along a causal order, some variables left out."""
    above = np.array([[a in mag.ancestors(b) for b in mag.names] for a in mag.names])
    depth = above.sum(axis=0)
    cuts = np.sort(generator.choice(depth, 2))
    tier = np.searchsorted(cuts, depth)
    placed = generator.random(len(depth)) < 0.8
    return Knowledge(
        tiers=[[n for n, t, p in zip(mag.names, tier, placed, strict=True) if t == k and p] for k in range(3)]
    )


def check_against_truth(model, mag):
    """All marks that the restricted graph settles are the truth's, and so is the skeleton."""
    names = list(mag.names)
    marks = model.restricted_pag_.reorder(names).marks
    assert np.array_equal(marks != 0, mag.marks != 0)
    assert np.array_equal(marks[marks != 1], mag.marks[marks != 1])
    pag = model.pag_.reorder(names).marks
    assert np.array_equal(pag, mag.pag().marks)
    assert np.array_equal(marks[pag != 1], pag[pag != 1])


# what must hold


@MADE_UP
@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
@settings(max_examples=6, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6))
def test_no_arrow_from_a_later_to_an_earlier_tier_and_required_edges(parameters, p, seed):
    generator = np.random.default_rng(seed)
    names = [f"X{i + 1}" for i in range(p)]
    knowledge = drawn_knowledge(names, generator)
    model = ROL(knowledge=knowledge, **parameters).fit(random_rows(p, seed, 40 * p, density=0.6))
    graph = model.restricted_graph_
    assert np.array_equal(graph.skeleton, model.skeleton_)
    for k, early in enumerate(knowledge.tiers):
        for late in knowledge.tiers[k + 1 :]:
            assert all(graph.mark(a, b) in (0, 2) for a in early for b in late)
    for a, b in knowledge.required:
        assert (graph.mark(a, b), graph.mark(b, a)) == (2, 3)
    if parameters.get("legal", True):
        assert model.graph_.problems() == []
        member = model.graph_.mag() if "latents" not in parameters else model.graph_.dag()
        for a, b in model.separating_sets_:
            assert member.m_separated(a, b, model.separating_sets_[a, b].given)
    assert (
        order_cost(random_rows(p, seed, 40 * p, density=0.6), model.order_, **model.get_params())
        == model.cost_
    )


@MADE_UP
@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
@settings(max_examples=4, deadline=None)
@given(p=st.integers(2, 7), seed=st.integers(0, 10**6), data=st.data())
def test_same_data_in_other_columns_and_names(parameters, p, seed, data):
    rows = random_rows(p, seed, 40 * p, density=0.6)
    permutation = data.draw(st.permutations(range(p)))
    new = [f"other {k}" for k in range(p)]
    table, renamed = in_other_columns(rows, permutation, new)
    knowledge = drawn_knowledge(list(renamed), np.random.default_rng(seed))
    other = Knowledge(
        tiers=[[renamed[name] for name in names] for names in knowledge.tiers],
        required=[(renamed[a], renamed[b]) for a, b in knowledge.required],
    )
    first = ROL(knowledge=knowledge, **parameters).fit(rows)
    second = ROL(knowledge=other, **parameters).fit(table)
    moved = np.ix_(permutation, permutation)
    assert np.array_equal(first.graph_.marks[moved], second.graph_.marks)
    assert np.array_equal(first.restricted_graph_.marks[moved], second.restricted_graph_.marks)
    assert [renamed[name] for name in first.order_] == list(second.order_)


@pytest.mark.parametrize("parameters", [*SETTINGS, {"search": "exact"}, {"n_starts": 3}], ids=str)
@pytest.mark.parametrize("empty", [Knowledge(), {}, {"tiers": [[f"X{i}" for i in range(1, 9)]]}], ids=str)
def test_nothing_known_changes_nothing(parameters, empty):
    rows = random_rows(8, 3, 300, density=0.5)
    first, second = ROL(**parameters).fit(rows), ROL(knowledge=empty, **parameters).fit(rows)
    for name in ("order_", "cost_", "n_tests_", "lower_bound_", "stop_reason_", "graph_"):
        assert getattr(first, name) == getattr(second, name)
    assert dict(first.separating_sets_) == dict(second.separating_sets_)
    assert np.array_equal(second.restricted_graph_.marks, first.graph_.marks)


@settings(max_examples=25, deadline=None)
@given(case=st.sampled_from(pag_cases()), seed=st.integers(0, 10**6))
def test_true_knowledge_and_an_oracle(case, seed):
    generator = np.random.default_rng(seed)
    mag = MAG(case["mag"], [str(v) for v in range(case["n"])])
    make = true_tiers if generator.random() < 0.5 else true_knowledge
    model = learn(oracle_of(case), knowledge=make(mag, generator))
    check_against_truth(model, mag)
    assert mag.is_r_order(model.order_)


@pytest.mark.slow
@pytest.mark.parametrize("case", pag_cases()[::13], ids=lambda case: f"case {case['id']}")
def test_true_knowledge_and_population_covariances(case):
    mag = MAG(case["mag"], [str(v) for v in range(case["n"])])
    covariance = population_covariance(case, case["id"])
    for make in (true_tiers, true_knowledge):
        knowledge = make(mag, np.random.default_rng(case["id"]))
        model = learn(Gaussian(covariance, 10**9, mag.names), knowledge=knowledge)
        check_against_truth(model, mag)


@MADE_UP
def test_required_edges_survive_where_everything_is_independent():
    rows = np.random.default_rng(0).standard_normal((400, 6))
    required = [("X1", "X2"), ("X2", "X3"), ("X5", "X3")]
    for parameters in SETTINGS:
        model = ROL(knowledge={"required": required}, **parameters).fit(rows)
        assert {str(edge) for edge in model.restricted_graph_.edges()} >= {
            f"{a} --> {b}" for a, b in required
        }
    free = learn(rows, knowledge={"adjacent": [("X4", "X6")]})
    assert str(free.restricted_pag_).splitlines()[0] == "X4 o-o X6"


def test_contradictions_with_the_data_are_told():
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((2, 2000))
    c = a + b + 0.5 * rng.standard_normal(2000)
    d = c + 0.5 * rng.standard_normal(2000)
    table = pd.DataFrame({"a": a, "b": b, "c": c, "d": d})
    with pytest.warns(RolearnWarning, match="contradicts what the data say: d <-- c: .* arrowhead at c"):
        model = learn(table, knowledge={"forbidden": ["c -> d"]})
    assert model.pag_ == PAG.from_edges(["a o-> c", "b o-> c", "c --> d"])
    assert model.restricted_pag_ == PAG.from_edges(["a o-> c", "b o-> c", "c <-> d"])
    assert len(model.knowledge_contradictions_) == 1
    with pytest.warns(RolearnWarning, match="needs a hidden cause"):
        learn(table, knowledge={"forbidden": ["c -> d", "d -> c"]}, latents=False)


def test_errors_come_before_the_search(monkeypatch):
    monkeypatch.setattr("rolearn.estimators.learned.order_costs", None)
    rows = random_rows(3, 0, 50)
    with pytest.raises(KnowledgeError, match="knowledge names 'X4', but no variable"):
        learn(rows, knowledge={"required": ["X4 -> X1"]})
    with pytest.raises(KnowledgeError, match="circle"):
        learn(rows, knowledge={"required": ["X2 -> X1", "X1 -> X2"]})


@MADE_UP
@pytest.mark.parametrize("parameters", [*SETTINGS, {"search": "exact"}], ids=str)
def test_stopped_at_once_it_still_keeps_to_knowledge(parameters):
    knowledge = {"tiers": [["X3", "X1"], ["X5"], ["X2", "X7"]], "required": ["X1 -> X7"]}
    model = ROL(knowledge=knowledge, time_limit=0, **parameters).fit(random_rows(8, 1, 100))
    place = {name: model.order_.index(name) for name in model.order_}
    assert max(place["X2"], place["X7"]) < place["X5"] < min(place["X1"], place["X3"])
    assert model.restricted_graph_.mark("X1", "X7") == 2


def test_attributes_say_what_there_is():
    rows = random_rows(4, 1, 200)
    model = learn(rows)
    assert model.knowledge_ is None
    with pytest.raises(AttributeError, match="given no knowledge"):
        model.restricted_pag_  # noqa: B018
    model.set_params(knowledge={"tiers": [["X1"], ["X2"]]}).fit(rows)
    assert model.knowledge_ == Knowledge(tiers=[["X1"], ["X2"]])
    assert model.restricted_graph_ is model.restricted_pag_
    assert pickle.loads(pickle.dumps(model)).restricted_pag_ == model.restricted_pag_
    model.set_params(latents=False).fit(rows)
    assert isinstance(model.restricted_cpdag_, CPDAG)
    with pytest.raises(AttributeError, match="there is no restricted_pag_"):
        model.restricted_pag_  # noqa: B018
    model.set_params(knowledge=None).fit(rows)
    with pytest.raises(AttributeError, match="given no knowledge"):
        model.restricted_cpdag_  # noqa: B018


@MADE_UP
@pytest.mark.parametrize("latents", [True, False])
def test_saved_models_keep_knowledge(tmp_path, latents):
    statements = {"tiers": [["X1"], ["X2"]], "required": ["X1 -> X3"]}
    for knowledge in (statements, Knowledge(**statements)):
        model = learn(random_rows(4, 1, 200), knowledge=knowledge, latents=latents)
        model.save(tmp_path / "model.json")
        again = load(tmp_path / "model.json")
        assert again.knowledge == knowledge
        assert again.knowledge_ == model.knowledge_
        assert again.restricted_graph_ == model.restricted_graph_
        assert again.restricted_graph_.restricted
        assert set(vars(again)) == set(vars(model))


def test_knowledge_from_a_file(tmp_path):
    path = tmp_path / "k.yaml"
    Knowledge(tiers=[["X1"], ["X2"]]).write(path)
    rows = random_rows(3, 1, 100)
    assert learn(rows, knowledge=str(path)).knowledge_ == learn(rows, knowledge=path).knowledge_


# inputs that broke other programs


def simulated(n, seed, **equations):
    """Columns in turn from their equations; those that begin with an underscore are hidden."""
    rng = np.random.default_rng(seed)
    values: dict[str, np.ndarray] = {}
    for name, causes in equations.items():
        values[name] = rng.standard_normal(n) + sum(values[c] for c in causes)
    return pd.DataFrame({name: column for name, column in values.items() if not name.startswith("_")})


def test_a_tier_adds_no_tail():  # causal-learn 266
    table = simulated(4000, 0, _U=(), X=(), Z=("X", "_U"), Q=("Z",), Y=("X", "_U", "Q"))
    model = learn(table, knowledge={"tiers": [["X", "Z", "Q"], ["Y"]]})
    edges = {str(edge) for edge in model.restricted_pag_.edges()}
    assert {"Z o-> Y", "X o-> Y", "Q o-> Y"} <= edges


def test_many_forbidden_pairs():  # causal-learn 90; how long it takes is measured in benchmarks
    p = 60
    rows = random_rows(p, 0, 400, density=2 / p)
    rng = np.random.default_rng(0)
    pairs = np.argwhere(rng.random((p, p)) < 0.45)
    knowledge = Knowledge(forbidden=[(f"X{i + 1}", f"X{j + 1}") for i, j in pairs if i != j])
    with pytest.warns(RolearnWarning):
        model = learn(rows, knowledge=knowledge)
    forbidden = np.zeros((p, p), bool)
    forbidden[pairs[:, 0], pairs[:, 1]] = True
    assert (model.restricted_pag_.marks.T[forbidden & model.skeleton_] == 2).all()


def test_required_between_independent_columns():  # tetrad 1947
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((500, 2)), columns=["a", "b"])
    model = learn(table, knowledge={"required": [("a", "b")]})
    assert model.restricted_pag_ == PAG.from_edges(["a --> b"])
    assert model.pag_ == PAG.from_edges(["a o-o b"])


def test_all_pairs_but_the_true_ones_forbidden():  # tetrad 1246
    p = 17
    rng = np.random.default_rng(4)
    edges = [(f"v{rng.integers(j)}", f"v{j}") for j in range(1, p)]
    order = {f"v{j}": tuple(a for a, b in edges if b == f"v{j}") for j in range(p)}
    names = list(order)
    dag = DAG.from_edges(edges, nodes=names)
    causes = {(a, b) for b in names for a in dag.ancestors(b)}
    forbidden = [(a, b) for a in names for b in names if a != b and (a, b) not in causes]
    model = learn(simulated(3000, 4, **order), knowledge={"forbidden": forbidden})
    assert model.pag_.is_valid()
    assert (model.restricted_pag_.marks != 0).sum() == 2 * len(edges)
    assert not model.knowledge_contradictions_


@pytest.mark.slow
def test_all_pairs_but_the_true_ones_of_discrete_columns():  # tetrad 1246
    rng = np.random.default_rng(4)
    codes, edges = [rng.integers(0, 3, 2000)], []
    for j in range(1, 17):
        cause = int(rng.integers(j))
        edges.append((f"v{cause}", f"v{j}"))
        codes.append(np.where(rng.random(2000) < 0.7, codes[cause], rng.integers(0, 3, 2000)))
    table = pd.DataFrame({f"v{j}": np.array(list("abc"))[c] for j, c in enumerate(codes)})
    dag = DAG.from_edges(edges, nodes=list(table))
    causes = {(a, b) for b in table for a in dag.ancestors(b)}
    forbidden = [(a, b) for a in table for b in table if a != b and (a, b) not in causes]
    model = learn(table, knowledge={"forbidden": forbidden})
    assert {frozenset((e.source, e.target)) for e in model.restricted_pag_.edges()} == set(
        map(frozenset, edges)
    )
    assert model.pag_.is_valid()


def test_hidden_common_causes_across_tiers_stay_possible():  # tetrad 1271
    table = simulated(5000, 1, _L=(), I=(), J=(), A=("_L", "I"), B=("_L", "J"))
    model = learn(table, knowledge={"tiers": [["I", "J", "A"], ["B"]]})
    assert {str(edge) for edge in model.restricted_pag_.edges()} == {"I o-> A", "A <-> B", "J o-> B"}


def test_no_causes_within_a_tier_makes_no_collider():  # py-tetrad 18
    table = simulated(4000, 2, X2=(), X3=("X2",), X6=("X3",))
    for tiers in ([["X2", "X6"]], [["X3"], ["X2", "X6"]]):
        model = learn(table, knowledge={"tiers": tiers, "no_causes_within": True})
        assert model.pag_ == PAG.from_edges(["X2 o-o X3", "X3 o-o X6"])
        assert model.separating_sets_["X2", "X6"].given == ("X3",)
        assert model.restricted_pag_ == PAG.from_edges(["X3 o-> X2", "X3 o-> X6"])
    # where X3 is said to be later, a collider is what knowledge says, and not what the data do
    with pytest.warns(RolearnWarning, match="X3 would be a common effect"):
        learn(table, knowledge={"tiers": [["X2", "X6"], ["X3"]], "no_causes_within": [0]})


def test_forbidden_pairs_have_separating_sets_like_others():  # pgmpy 2138
    table = simulated(2000, 3, a=(), b=("a",), c=("b",))
    model = learn(table, knowledge={"forbidden": ["a -> c", "c -> a"]})
    assert model.separating_sets_["a", "c"].given == ("b",)
    joined = learn(
        simulated(2000, 3, _L=(), a=("_L",), b=("_L",)), knowledge={"forbidden": [(["a", "b"],) * 2]}
    )
    assert joined.separating_sets_["a", "b"] is None
    assert [str(edge) for edge in joined.restricted_pag_.edges()] == ["a <-> b"]


def test_tiers_win_over_colliders():  # dowhy 1343
    table = simulated(3000, 5, a=(), b=(), c=("a", "b"))
    assert learn(table).pag_ == PAG.from_edges(["a o-> c", "b o-> c"])
    model = learn(table, knowledge={"tiers": [["c"], ["a", "b"]]})
    assert all(model.restricted_pag_.mark("c", late) == 2 for late in ("a", "b"))


def test_an_oracle_with_tiers_orients_more():
    dag = DAG.from_edges([("a", "b"), ("b", "c")])
    model = learn(Oracle(dag), knowledge={"tiers": [["a"], ["b", "c"]]})
    assert model.pag_ == PAG.from_edges(["a o-o b", "b o-o c"])
    assert model.restricted_pag_ == PAG.from_edges(["a o-> b", "b --> c"])
    assert learn(Oracle(dag), latents=False, knowledge={"required": ["a -> b"]}).restricted_cpdag_ == (
        CPDAG.unchecked(dag.marks, dag.names)
    )


@pytest.mark.parametrize("degenerate", ["drop", "isolate"])
@MADE_UP
def test_a_tier_that_is_left_empty_goes_with_what_is_said_of_it(degenerate):
    rows = pd.DataFrame(random_rows(3, 0, 100), columns=list("abc")).assign(flat=1.0, also=2.0)
    for tiers in ([["flat", "also"], ["a", "b"], ["c"]], [["a"], ["flat", "also"], ["b", "c"]]):
        known = {"tiers": tiers, "no_causes_within": True}
        left = {"tiers": [t for t in tiers if "flat" not in t], "no_causes_within": True}
        model = learn(rows, knowledge=known, degenerate=degenerate)
        plain = learn(rows[list("abc")], knowledge=left)
        assert set(map(str, model.restricted_pag_.edges())) == set(map(str, plain.restricted_pag_.edges()))
        assert Knowledge(**known).without(["flat", "also"]) == Knowledge(**left)


def test_a_graph_with_knowledge_stands_for_no_class():
    model = learn(Oracle(DAG.from_edges(["A --> B", "B --> C"])), knowledge={"tiers": [["A"], ["B"], ["C"]]})
    for ask in (model.restricted_pag_.mag, model.restricted_pag_.to_dowhy):
        with pytest.raises(ParameterError, match=r"has marks from background knowledge.* model\.pag_"):
            ask()
    assert model.pag_.mag().pag() == model.pag_
