"""Files of knowledge: YAML, JSON, Tetrad's text and tables of pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolearn import Knowledge, KnowledgeError, RolearnWarning

pytestmark = pytest.mark.pure

FULL = Knowledge(
    tiers=[["A", "B"], ["C", "D"]],
    no_causes_within=[1],
    forbidden=["A -> D"],
    required=["A -> B"],
)


@pytest.fixture
def write(tmp_path):
    def write(text, name="knowledge.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


TETRAD = """
/knowledge
addtemporal

0 A B
1* C D

forbiddirect
A D

requiredirect
A B
"""


@pytest.mark.parametrize("name", ["knowledge.txt", "knowledge.prior", "knowledge", "knowledge.csv", "k.yaml"])
def test_tetrads_text_under_any_name(write, name):
    assert Knowledge.read(write(TETRAD, name)) == FULL


@pytest.mark.parametrize(
    "text",
    [
        TETRAD.replace("0 A", "1 A").replace("1* C", "2* C"),
        TETRAD.upper().replace("ADDTEMPORAL", "AddTemporal"),
        TETRAD.replace("\n", "\r\n"),
        "# by hand\n" + TETRAD.replace("A D\n", "\"A\"  'D'\n# not B\n"),
        TETRAD.replace("forbiddirect\nA D", "forbiddengroup\nA\nD"),
        TETRAD.replace("requiredirect\nA B", "requiredgroup\nA\nB"),
        TETRAD.replace("1* C D", "1* C\n1 D"),
        TETRAD.replace("/knowledge\n", ""),
        "\ufeff" + TETRAD,
    ],
)
def test_spellings_of_tetrads_text(write, text):
    assert Knowledge.read(write(text)) == FULL


@pytest.mark.parametrize("suffix", ["1*-", "1-*", "1-"])
def test_only_the_next_tier_is_read_and_said_to_say_nothing(write, suffix):
    with pytest.warns(RolearnWarning, match="direct causes"):
        known = Knowledge.read(write(TETRAD.replace("1*", suffix)))
    assert known.tiers == FULL.tiers
    assert known.no_causes_within == ((1,) if "*" in suffix else ())
    assert known.forbidden == FULL.forbidden


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "/knowledge\nforbidirect\nA B",
            "line 2: there is no section 'forbidirect' (did you mean 'forbiddirect'",
        ),
        ("/knowledge\naddtemporal\nfirst A", "line 3: 'first' is no tier"),
        ("/knowledge\nforbiddirect\nA B C", "line 3: 'A B C' is no pair"),
        ("/knowledge\nforbiddengroup\nA B", "lacks its second line"),
        ("/knowledge\nforbiddengroup\nA B\nrequiredirect", "line 4: the group before lacks its second line"),
        ("/knowledge\nrequiredirect\nA B\nB A", "circle: A -> B -> A"),
    ],
)
def test_errors_in_tetrads_text_name_the_line(write, text, sentence):
    path = write(text)
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def test_what_is_written_for_tetrad(tmp_path):
    path = tmp_path / "k.txt"
    Knowledge(tiers=[["a b", "c"]], no_causes_within=True, forbidden=[("a b", "d")]).write(path)
    assert path.read_text() == (
        '/knowledge\naddtemporal\n\n0* "a b" c\n\nforbiddirect\n\n"a b" d\n\nrequiredirect\n\n'
    )
    with pytest.raises(KnowledgeError, match="write YAML"):
        Knowledge(adjacent=["A -> B"]).write(path)


YAML = """
tiers:
  - [A, B]
  - [C, D]
no_causes_within: [1]
forbidden:
  - A -> D
required: [[A, B]]
"""


@pytest.mark.parametrize(
    "text",
    [
        YAML,
        YAML.replace("  - [A, B]\n  - [C, D]", "  5: [A, B]\n  8: [C, D]").replace("[1]", "[8]"),
        YAML.replace("  - [A, B]\n  - [C, D]", "  A: 0\n  B: 0\n  C: 1\n  D: 1"),
        YAML.replace("[1]", "1"),
        YAML + "adjacent:\n",
    ],
)
def test_yaml(write, text):
    assert Knowledge.read(write(text, "k.yaml")) == FULL


def test_yaml_scalars_are_names(write):
    text = "tiers: [[no, 1, 2020-01-01, ~], [yes, 1.0, null, 0x1F]]\nno_causes_within: true\n"
    known = Knowledge.read(write(text, "k.yml"))
    assert known.tiers == (("1", "2020-01-01", "no", "~"), ("0x1F", "1.0", "null", "yes"))
    assert known.no_causes_within == (0, 1)


def test_empty_files_know_nothing(write):
    for text, name in (("", "k.yaml"), ("# nothing\n", "k.yaml"), ("/knowledge\n", "k.txt"), ("", "k.csv")):
        assert Knowledge.read(write(text, name)) == Knowledge()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tier: [[A]]", "line 1: there is no key 'tier' (did you mean 'tiers'?)"),
        ("tiers: [[A]\nforbidden: []", "line 2: this is no YAML"),
        ("tiers: [[A]]\ntiers: [[B]]", "tiers is there twice, in lines 1 and 2"),
        ("- A -> B", "has no keys"),
        ("forbidden: [A]", "'A', which is no pair"),
        ("!!python/object/apply:os.system [x]", "has no keys"),
    ],
)
def test_errors_in_yaml_name_the_line(write, text, sentence):
    path = write(text, "k.yaml")
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


def test_tables_of_pairs(write):
    table = 'from,to\nA,B\n"C D",E\n'
    pairs = [("A", "B"), ("C D", "E")]
    assert Knowledge.read(write(table, "whitelist.csv")) == Knowledge(required=pairs)
    assert Knowledge.read(write(table, "my_Blacklist.csv")) == Knowledge(forbidden=pairs)
    assert Knowledge.read(write(table, "k.csv"), pairs="forbidden") == Knowledge(forbidden=pairs)
    by_r = '"","from","to"\n"1","A","B"\n"2","C D","E"\n'
    assert Knowledge.read(write(by_r, "required.csv")) == Knowledge(required=pairs)
    kinds = "kind;from;to\nrequired;A;B\nblacklist;C;D\nadjacent;E;F\n"
    assert Knowledge.read(write(kinds, "k.csv")) == Knowledge(
        required=["A -> B"], forbidden=["C -> D"], adjacent=["E -> F"]
    )


def test_both_directions_in_a_white_list_leave_the_direction_open(write):
    known = Knowledge.read(write("from,to\nA,B\nB,A\nA,C\n", "whitelist.csv"))
    assert known == Knowledge(adjacent=["A -> B"], required=["A -> C"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("from,to\nA,B\n", "required or forbidden; add a column kind"),
        ("A,B\nC,D\n", "the first line is no header"),
        ("from,to,kind\nA,B,forbiden\n", "line 2: there is no kind 'forbiden' (did you mean 'forbidden'?)"),
        ("from,to,kind\nA,,forbidden\n", "line 2: a name is missing"),
        ("from,to,kind\nA\n", "line 2: a name is missing"),
    ],
)
def test_errors_in_tables_name_the_line(write, text, sentence):
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(write(text, "k.csv"))
    assert sentence in str(caught.value)


def test_files_that_can_not_be_read(tmp_path, write):
    for path, sentence in (
        (tmp_path / "none.yaml", "there is no knowledge file"),
        (tmp_path, "can't be read"),
        (write(b"\xff\xfe\x00", "k.yaml"), "not UTF-8"),
        ("-", "from files only"),
    ):
        with pytest.raises(KnowledgeError, match=sentence):
            Knowledge.read(path)
    with pytest.raises(KnowledgeError, match="pairs is 'black'"):
        Knowledge.read(write("from,to\n", "k.csv"), pairs="black")
    with pytest.raises(KnowledgeError, match="can't be written"):
        Knowledge().write(tmp_path / "nowhere" / "k.yaml")
    with pytest.raises(KnowledgeError, match="no tiers"):
        FULL.write(tmp_path / "k.csv")


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=6).filter(
    lambda name: name.strip() == name and not (set("\"'") <= set(name))
)


@given(data=st.data(), name=st.sampled_from(["k.yaml", "k.json", "k.txt", "k.csv"]))
def test_what_is_written_reads_back(tmp_path_factory, data, name):
    names = data.draw(st.lists(NAMES, min_size=2, max_size=6, unique=True))
    pairs = st.lists(st.permutations(names).map(lambda p: (p[0], p[1])), max_size=4)
    tier = data.draw(st.lists(st.integers(-1, 2), min_size=len(names), max_size=len(names)))
    tiers = [[n for n, t in zip(names, tier, strict=True) if t == k] for k in range(3)]
    known = Knowledge(
        tiers=[] if name == "k.csv" else tiers,
        no_causes_within=name != "k.csv" and data.draw(st.booleans()),
        forbidden=data.draw(pairs),
        adjacent=[] if name == "k.txt" else data.draw(pairs),
    )
    path = tmp_path_factory.mktemp("knowledge") / name
    known.write(path)
    assert Knowledge.read(path) == known
