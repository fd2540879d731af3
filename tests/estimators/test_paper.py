"""The paper's settings on its own kind of data: mean skeleton F1 over repetitions 0 to 4 of its table 2."""

import warnings

import numpy as np
import pytest
from problems import table2

from examples import oracle_of, random_rows
from rolearn import RolearnWarning, evaluate, paper


def quietly(method, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RolearnWarning)
        return method(rows)


@pytest.mark.parametrize(("name", "least"), [("insurance", 0.77), ("water", 0.85), ("ecoli70", 0.92)])
def test_rol_hc_reaches_the_skeletons_of_the_prototype(name, least):
    scores = []
    for repetition in range(5):
        problem = table2(name, repetition)
        model = quietly(paper.rol_hc, problem.rows)
        learned = model.pag_.skeleton
        truth = problem.mag.skeleton
        both = (learned & truth).sum()
        scores.append(2 * both / (learned.sum() + truth.sum()))
    assert np.mean(scores) >= least


def test_the_presets_are_the_papers_settings():
    rows = random_rows(6, 1, 300, density=0.5)
    finders = {paper.rol_hc: "rsl", paper.l_marvel: "l-marvel", paper.rsl: "rsl", paper.mbcs: "mbcs"}
    for preset, finder in finders.items():
        parameters = quietly(preset, rows).get_params()
        assert parameters["alpha"] == 0.01
        assert parameters["legal"] is False
        assert parameters["cost"].finder == finder
        assert parameters["latents"] is (preset is not paper.rsl)
    search = quietly(paper.rol_hc, rows).search
    assert (search.max_swap, search.max_iter, search.start) == (10, 20, "recursive")
    assert quietly(lambda X: paper.rol_hc(X, alpha=0.2, n_starts=2), rows).get_params()["n_starts"] == 2


def test_the_skeleton_of_a_preset_is_the_graph_of_its_order():
    for seed in range(10):
        model = quietly(paper.rol_hc, random_rows(9, seed, 200, density=0.6))
        assert model.pag_.n_edges == model.cost_


def test_l_marvel_gives_every_pag_from_the_oracle(cases):
    for case in cases[::4]:
        assert np.array_equal(paper.l_marvel(oracle_of(case)).pag_.marks, case["pag"])


def test_rsl_gives_the_cpdag_of_a_diamond_free_dag():
    from rolearn import DAG, Oracle

    dag = DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D"), ("D", "E"), ("F", "E")])
    assert paper.rsl(Oracle(dag)).cpdag_ == dag.cpdag()


def test_an_invalid_graph_is_said_to_be_one():
    for seed in range(40):
        rows = random_rows(10, seed, 120, density=0.8)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = paper.rol_hc(rows)
        said = [w for w in caught if issubclass(w.category, RolearnWarning)]
        assert bool(said) == bool(model.pag_.problems())
        if said:
            assert "not a valid PAG" in str(said[0].message)
            assert said[0].filename == __file__
            return
    raise AssertionError("no invalid graph in 40 tries: the test tests nothing")


def test_evaluate_takes_what_a_preset_gives():
    problem = table2("insurance", 0)
    model = quietly(paper.rol_hc, problem.rows)
    renamed = type(model.pag_)(model.pag_.marks, problem.mag.names)
    assert 0.5 < evaluate(renamed, problem.pag).skeleton.f1 < 1
