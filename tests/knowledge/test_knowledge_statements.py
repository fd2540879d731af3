"""Knowledge as users write it: forms, contradictions, and what it says of given variables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolearn import Knowledge, KnowledgeError
from rolearn.knowledge import as_knowledge, constraints_of

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    "tiers",
    [
        [["A", "B"], [], ["C"]],
        (["B", "A"], "C"),
        {3: ["A", "B"], 7: ["C"]},
        {"1": ["A", "B"], "2": "C"},
        {"A": 0, "B": "0", "C": 5},
        {"C": 5, "B": 0, "A": 0},
    ],
)
def test_tiers_in_any_form_are_the_same(tiers):
    assert Knowledge(tiers=tiers) == Knowledge(tiers=[["A", "B"], ["C"]])


def test_pairs_in_any_form_are_the_same():
    expected = Knowledge(forbidden=[("A", "C"), ("B", "C")])
    for pairs in (["A -> C", "B --> C"], [(["A", "B"], "C")], [["B", ["C"]], ("A", "C"), "A -> C"]):
        assert Knowledge(forbidden=pairs) == expected
        assert hash(Knowledge(forbidden=pairs)) == hash(expected)
    assert Knowledge(adjacent=[("B", "A")]) == Knowledge(adjacent=["A -> B"])
    assert Knowledge(forbidden=[(["A", "B"], ["A", "B"])]).forbidden == (("A", "B"), ("B", "A"))


def test_labels_are_strings_like_columns():
    assert Knowledge(tiers=[[0, np.int64(1)], [2]], required=[(0, 2)]).names == ("0", "1", "2")


def test_tiers_closed_by_their_numbers():
    assert Knowledge(tiers=[["A"], ["B"]], no_causes_within=True).no_causes_within == (0, 1)
    assert Knowledge(tiers={2: ["A"], 5: ["B"]}, no_causes_within=[5]).no_causes_within == (1,)
    assert Knowledge(tiers=[["A"], ["B"]], no_causes_within=False).no_causes_within == ()


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        ({"tiers": [["A"], ["A"]]}, "'A' both in tier 0 and in tier 1"),
        ({"tiers": "A"}, "give a list with a list of names"),
        ({"tiers": {"early": ["A"]}}, "'early', which is no number"),
        ({"tiers": [["A"]], "no_causes_within": [1]}, "names tier 1; the tiers with names in them are 0"),
        ({"forbidden": "A -> B"}, "give a list of pairs"),
        ({"forbidden": ["A->B"]}, "'A->B', which is no pair"),
        ({"forbidden": [("A", "B", "C")]}, "is no pair"),
        ({"forbidden": [("A", "")]}, "where a name should be"),
        ({"forbidden": [("A", None)]}, "where a name should be"),
        ({"forbidden": ["A -> A"]}, "name two variables"),
        ({"required": ["A -> A"]}, "name two variables"),
        ({"required": ["A -> B", "B -> A"]}, "circle: A -> B -> A"),
        ({"required": ["A -> B", "B -> C", "C -> A"]}, "circle: A -> B -> C -> A"),
        ({"required": ["A -> B"], "forbidden": ["A -> B"]}, "A -> B is forbidden"),
        ({"required": ["A -> B", "B -> C"], "forbidden": ["A -> C"]}, "required is A -> B -> C"),
        ({"tiers": [["A"], ["B"]], "required": ["B -> A"]}, "B is in a later tier than A"),
        ({"tiers": [["A"], ["B"]], "required": ["B -> X", "X -> A"]}, "required is B -> X -> A"),
        ({"tiers": [["A", "B"]], "no_causes_within": True, "required": ["A -> B"]}, "the tier of both"),
    ],
)
def test_what_can_not_hold_is_refused(statements, sentence):
    with pytest.raises(KnowledgeError) as caught:
        Knowledge(**statements)
    assert sentence in str(caught.value)


def test_forbidding_what_is_required_backward_is_no_contradiction():
    Knowledge(required=["A -> B"], forbidden=["B -> A"])
    Knowledge(forbidden=["A -> B", "B -> A"])


def test_unknown_names_come_with_the_nearest():
    with pytest.raises(KnowledgeError, match=r"'smokng' \(did you mean 'Smoking'\?\), but no variable"):
        constraints_of(Knowledge(forbidden=["smokng -> age"]), ["age", "Smoking", "income"])
    with pytest.raises(KnowledgeError, match="'u0', 'u1', 'u2', 'u3', 'u4' and 4 more"):
        constraints_of(Knowledge(tiers=[[f"u{i}" for i in range(9)]]), ["xyz"])


def test_periods_stand_for_spaces_where_that_is_clear():
    known = Knowledge(required=["age.at.entry -> y"])
    assert constraints_of(known, ["y", "age at entry"]).required.tolist() == [[False, False], [True, False]]
    assert constraints_of(known, ["y", "age.at.entry", "age at entry"]).required[1, 0]
    with pytest.raises(KnowledgeError):
        constraints_of(known, ["y", "age at.entry", "age.at entry"])


def test_what_is_shown_stays_short():
    known = Knowledge(tiers=[["A"], ["B"]], required=["A -> B"])
    assert repr(known) == "Knowledge(tiers=(('A',), ('B',)), required=(('A', 'B'),))"
    assert eval(repr(known)) == known
    many = Knowledge(forbidden=[(f"x{i}", "y") for i in range(50)])
    assert repr(many) == "Knowledge(forbidden=<50 of them>)"


def test_knowledge_from_a_dict():
    assert as_knowledge({"required": ["A -> B"], "tiers": None}) == Knowledge(required=["A -> B"])
    assert as_knowledge(None) is None
    with pytest.raises(KnowledgeError, match=r"no 'forbid' \(did you mean 'forbidden'\?\)"):
        as_knowledge({"forbid": []})
    with pytest.raises(KnowledgeError, match="is of type int"):
        as_knowledge(3)


@given(
    tiers=st.lists(st.integers(-1, 2), min_size=5, max_size=5),
    closed=st.booleans(),
    forbidden=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=6),
    required=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=4),
)
def test_accepted_exactly_if_some_causes_agree_with_it(tiers, closed, forbidden, required):
    """Some way to cause (a partial order) has all that is required, and nothing that isn't allowed."""
    forbidden = [(a, b) for a, b in forbidden if a != b]
    required = [(a, b) for a, b in required if a != b]
    by_tier = {k: [str(v) for v in range(5) if tiers[v] == k] for k in range(3)}
    needed = np.eye(5, dtype=bool)
    for a, b in required:
        needed[a, b] = True
    for k in range(5):
        needed |= np.outer(needed[:, k], needed[k])
    barred = np.zeros((5, 5), bool)
    for a, b in forbidden:
        barred[a, b] = True
    for a in range(5):
        for b in range(5):
            both = tiers[a] >= 0 and tiers[b] >= 0 and a != b
            barred[a, b] |= both and (tiers[a] > tiers[b] or (closed and tiers[a] == tiers[b]))
    circular = (needed & needed.T & ~np.eye(5, dtype=bool)).any()
    text = [(str(a), str(b)) for a, b in required]
    try:
        known = Knowledge(
            tiers=by_tier,
            no_causes_within=closed,
            forbidden=[(str(a), str(b)) for a, b in forbidden],
            required=text,
        )
    except KnowledgeError:
        assert circular or (needed & barred).any()
        return
    assert not circular
    assert not (needed & barred).any()
    mentioned = [str(v) for v in range(5)]
    constraints = constraints_of(known, mentioned)
    assert np.array_equal(constraints.not_cause, barred)
    assert np.array_equal(constraints.precedence, -constraints.precedence.T)
    assert (constraints.adjacent >= constraints.required).all()
