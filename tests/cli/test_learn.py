from __future__ import annotations

import csv
import io
import json
import shlex
import sys

import numpy as np
import pandas as pd
import pytest

from needs import needs
from rolearn.cli import fitting
from rolearn.export import read_graph
from rolearn.graphs import CPDAG, PAG

COLLIDER = PAG.from_edges(["A o-> C", "B o-> C"], nodes=["A", "B", "C", "D"])


def test_json_when_piped(command, collider):
    outcome = command("learn", collider)
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert document["format_version"] == 1
    assert document["kind"] == "pag"
    assert document["nodes"] == ["A", "B", "C", "D"]
    texts = {(e["source"], e["text"], e["target"]) for e in document["edges"]}
    assert texts == {("A", "o->", "C"), ("B", "o->", "C")}
    assert sorted(document["order"]) == ["A", "B", "C", "D"]
    assert document["settings"]["alpha"] == 0.05
    assert document["seed"] == 0
    assert document["data"]["rows"] == 400
    assert document["data"]["columns"] == 4
    assert document["stop_reason"]
    assert set(document["versions"]) >= {"rolearn", "numpy"}
    pairs = {frozenset(s["pair"]): s for s in document["separating_sets"]}
    assert set(pairs) == {frozenset(p) for p in ("AB", "AD", "BD", "CD")}
    assert "C" not in pairs[frozenset("AB")]["given"]
    assert 0 <= pairs[frozenset("AB")]["p_value"] <= 1


def test_summary_goes_to_stderr(command, collider):
    outcome = command("learn", collider)
    assert "4 variables, 400 rows: 2 edges" in outcome.err
    assert command("learn", collider, "--quiet").err == ""
    assert command("learn", collider, "-q").out == outcome.out


def test_table_and_csv(command, collider):
    table = command("learn", collider, "--format", "table")
    assert table.out == f"{COLLIDER}\n"
    rows = list(csv.DictReader(io.StringIO(command("learn", collider, "--format", "csv").out)))
    assert {(r["source"], r["target"]) for r in rows} == {("A", "C"), ("B", "C"), ("D", "")}


def test_several_output_files(command, collider, tmp_path):
    names = [tmp_path / f"graph.{suffix}" for suffix in ("json", "csv", "txt")]
    outcome = command("learn", collider, *(part for name in names for part in ("-o", name)))
    assert outcome.code == 0
    assert read_graph(names[0]) == read_graph(names[1]) == COLLIDER
    assert names[0].read_text(encoding="utf-8") == outcome.out
    assert names[2].read_text(encoding="utf-8") == f"{COLLIDER}\n"


def test_unwritable_output_is_found_before_the_search(command, collider, tmp_path):
    outcome = command("learn", collider, "-o", tmp_path / "nowhere" / "graph.json")
    assert (outcome.code, outcome.out) == (3, "")
    assert "there is no folder" in outcome.error
    (tmp_path / "folder.json").mkdir()
    assert "is a folder" in command("learn", collider, "-o", tmp_path / "folder.json").error
    outcome = command("learn", "missing.csv", "-o", tmp_path / "graph.xyz")
    assert outcome.code == 3
    assert ".json, .csv, .txt" in outcome.error


def test_no_latents(command, collider):
    outcome = command("learn", collider, "--no-latents", "--format", "table")
    assert outcome.code == 0
    expected = CPDAG.from_edges(["A --> C", "B --> C"], nodes=["A", "B", "C", "D"])
    assert outcome.out == f"{expected}\n"


@pytest.mark.parametrize(
    "options",
    [
        ("--search", "recursive"),
        ("--search", "exact"),
        ("--search", "exact", "--memory", "0.5"),
        ("--search", "exact", "--cost", "neighbors"),
        pytest.param(("--search", "policy-gradient"), marks=needs("torch")),
        ("--cost", "neighbors"),
        ("--finder", "l-marvel"),
        ("--finder", "mbcs"),
        ("--finder", "rsl", "--cost", "neighbors"),
        ("--test", "fisher-z"),
        ("--alpha", "0.001"),
        ("--no-legal",),
        ("--transform", "rank"),
        ("--jobs", "2"),
        ("--seed", "7"),
        ("--time-limit", "60"),
    ],
    ids=" ".join,
)
def test_options(command, collider, options):
    outcome = command("learn", collider, *options, "--format", "table")
    assert outcome.code == 0
    assert outcome.out == f"{COLLIDER}\n"


def test_a_search_that_needs_what_is_missing_says_so(command, collider, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    outcome = command("learn", collider, "--search", "policy-gradient")
    assert outcome.code == 3
    assert "pip install 'rolearn[rl]'" in outcome.error


def test_settings_are_in_the_document(command, collider):
    outcome = command(
        "learn", collider, "--finder", "l-marvel", "--alpha", "0.01", "--seed", "5", "--transform", "rank"
    )
    settings = json.loads(outcome.out)["settings"]
    assert settings["cost"]["finder"] == "l-marvel"
    assert settings["alpha"] == 0.01
    assert settings["random_state"] == 5
    assert settings["transform"] == "rank"


def test_drop(command, collider):
    document = json.loads(command("learn", collider, "--drop", "A, D").out)
    assert document["nodes"] == ["B", "C"]
    assert document["data"]["drop"] == ["A", "D"]
    assert document["data"]["source"] == str(collider)
    outcome = command("learn", collider, "--drop", "E")
    assert outcome.code == 3
    assert "no column 'E' to drop" in outcome.error


def test_drop_a_name_with_a_comma(command, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('"a,b",c,d\n' + "".join(f"{k},{k * k % 7},{k * 5 % 11}\n" for k in range(20)))
    assert json.loads(command("learn", path, "--drop", '"a,b"').out)["nodes"] == ["c", "d"]


@pytest.mark.parametrize("suffix", ["tsv", "parquet", "feather"])
def test_other_files(command, collider, tmp_path, suffix):
    frame = pd.read_csv(collider)
    path = tmp_path / f"data.{suffix}"
    if suffix == "tsv":
        frame.to_csv(path, sep="\t", index=False)
    else:
        getattr(frame, f"to_{suffix}")(path)
    assert command("learn", path, "--format", "table").out == f"{COLLIDER}\n"


def test_trailing_delimiter_is_noted(command, collider):
    text = collider.read_text().splitlines()
    collider.write_text("\n".join(line + "," for line in text))
    outcome = command("learn", collider)
    assert outcome.code == 0
    assert "note: the lines of" in outcome.err
    assert "end in a delimiter" in json.loads(outcome.out)["data"]["notes"][0]


def test_copied_rows_are_noted(command, collider):
    header, *rows = collider.read_text().splitlines()
    collider.write_text("\n".join([header, *rows, *rows]))
    outcome = command("learn", collider)
    assert outcome.code == 0
    assert "note: 400 of 800 rows are exact copies" in outcome.err
    assert "exact copies" in json.loads(outcome.out)["data"]["notes"][0]


def test_time_limit_writes_what_there_is(command, collider, tmp_path):
    outcome = command("learn", collider, "--time-limit", "0", "-o", tmp_path / "graph.json")
    assert outcome.code == 4
    document = json.loads(outcome.out)
    assert document["stop_reason"] == "time_limit"
    assert sorted(document["order"]) == ["A", "B", "C", "D"]
    assert read_graph(tmp_path / "graph.json").names == ("A", "B", "C", "D")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (("--alpha", "0"), "alpha"),
        (("--alpha", "1"), "alpha"),
        (("--alpha", "1.5"), "alpha"),
        (("--alpha", "2"), "--alpha is 2; give a level between 0 and 1"),
        (("--alpha", "nan"), "alpha"),
        (("--alpha", "x"), "--alpha is 'x'; give a level between 0 and 1"),
        (("--search", "magic"), "--search is 'magic'; allowed are hill-climb, exact, recursive"),
        (("--cost", "magic"), "--cost is 'magic'; allowed are auto, bic, neighbors"),
        (("--finder", "magic"), "--finder is 'magic'; allowed are auto, rsl, l-marvel, mbcs"),
        (("--test", "magic"), "--test is 'magic'; allowed are auto, fisher-z"),
        (("--transform", "log"), "--transform is 'log'; allowed is rank"),
        (("--format", "xml"), "--format is 'xml'; allowed are table, json, csv"),
        (("--time-limit", "-1"), "--time-limit is -1; give a number of seconds"),
        (("--time-limit", "soon"), "--time-limit is 'soon'; give a number of seconds"),
        (("--search", "exact", "--memory", "0"), "--memory is 0; give a number of gigabytes"),
        (("--memory", "2"), "--memory is for --search exact, and the search is hill-climb"),
        (("--jobs", "0"), "--jobs is 0; give a number of threads"),
        (("--seed", "-1"), "--seed is -1; give a whole number"),
        (("--seed", "1.5"), "--seed is 1.5; give a whole number"),
        (("--delimiter", "::"), "one character"),
        (("-o", "graph.foo"), "-o is 'graph.foo'; graphs are written to files that end in .json"),
        (("--magic",), "--magic"),
        (("--drop",), "--drop"),
        (("another.csv",), "another.csv"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options_that_cannot_be_used(command, collider, options, part):
    outcome = command("learn", collider, *options)
    grammar = part in ("--magic", "--drop", "another.csv")
    assert (outcome.code, outcome.out) == (2 if grammar else 3, "")
    assert part in outcome.error
    for word in ("n_jobs", "random_state", "time_limit", "format=", " object"):
        assert word not in outcome.error


def test_values_are_checked_before_the_table_is_read(command):
    assert "--search is" in command("learn", "nowhere.csv", "--search", "magic").error


def test_the_table_is_not_written_over(command, collider):
    outcome = command("learn", collider, "-o", collider)
    assert (outcome.code, outcome.out) == (3, "")
    assert "is the table itself" in outcome.error


@pytest.mark.parametrize("content", ['[{"a": 1, "b": 2}]', '\ufeff {"a": [1, 2]}'])
def test_json_is_no_table(command, tmp_path, content):
    path = tmp_path / "records.json"
    path.write_text(content, encoding="utf-8")
    outcome = command("learn", path)
    assert (outcome.code, outcome.out) == (3, "")
    assert "is JSON, which tables are not read from" in outcome.error
    assert "CSV, TSV, Parquet and Feather" in outcome.error


def test_the_document_is_made_only_for_json(command, collider, tmp_path, monkeypatch):
    made = []
    original = fitting.result_document
    monkeypatch.setattr(fitting, "result_document", lambda *given: made.append(1) or original(*given))
    for format in ("csv", "table"):
        assert command("learn", collider, "--format", format, "-o", tmp_path / "graph.csv").code == 0
    assert made == []
    assert command("learn", collider, "-o", tmp_path / "graph.json").code == 0
    assert made == [1]


def test_one_line_a_separating_set(command, collider):
    text = command("learn", collider).out
    document = json.loads(text)
    assert len(document["separating_sets"]) == 4
    lines = [line.strip().rstrip(",") for line in text.splitlines() if line.startswith('    {"pair": ')]
    assert [json.loads(line) for line in lines] == document["separating_sets"]
    assert '\n  "order": [\n    "' in text


class _Fitted:
    """What the summary looks at."""

    n_features_in_, n_samples_, stop_reason_ = 3, 9.0, "done"
    optimal_, cost_ = False, 12.0

    def __init__(self, graph, conflicts=0, lower_bound=None):
        self.graph_, self.conflicts_, self.lower_bound_ = graph, [None] * conflicts, lower_bound


@pytest.mark.parametrize(
    ("fitted", "parts"),
    [
        (_Fitted(PAG.from_edges(["A o-> B"]), 1), [": 1 edge in", "note: 1 conflict between", "lists it\n"]),
        (_Fitted(PAG.from_edges(["A o-> B"]), 2), ["note: 2 conflicts between", "lists them\n"]),
        (_Fitted(PAG.from_edges(["A o-o B", "B o-o C"])), [": 2 edges in", "note: all marks are circles"]),
        (_Fitted(CPDAG.from_edges(["A --- B"])), ["note: no edge has a direction"]),
        (_Fitted(PAG.from_edges([], nodes=["A", "B"])), [": 0 edges in"]),
        (
            _Fitted(PAG.from_edges(["A o-> B"]), 0, 8.25),
            ["note: the order costs 12.0, and none is cheaper than 8.2"],
        ),
    ],
)
def test_summary(capsys, fitted, parts):
    fitting._say_summary(fitted, 1.0)
    said = capsys.readouterr().err
    assert all(part in said for part in parts)
    assert said.count("note: ") == sum("note: " in part for part in parts)


def test_open_directions_are_noted(command, tmp_path):
    import numpy as np

    a, b = np.random.default_rng(0).standard_normal((2, 200))
    path = tmp_path / "data.csv"
    np.savetxt(path, np.column_stack([a, a + b]), delimiter=",", header="A,B", comments="")
    assert "note: all marks are circles" in command("learn", path).err
    assert command("learn", path, "-q").err == ""


TALL = "".join(f"{k},{k * k % 7},{k * 5 % 11 + 0.5}\n" for k in range(12))


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["is empty"]),
        ("a,b,c\n", ["no rows"]),
        ("a,b,c\n" + TALL + "1,x,3\n", ["column 'b' holds text", "line 14"]),
        ("a,b,c\n" + TALL + "1,2\n", ["line 14", "2 cells"]),
        ("a,b,c\n" + TALL + "1,,3\n", ["missing", "'b' (1)", "line 14"]),
        ("a,b,c\n" + TALL + "1,inf,3\n", ["'b' is infinite", "line 14"]),
        ("a,b,a\n" + TALL, ["more than one column is named 'a'"]),
        ("a,b,c\n1,2,3\n2,1,5\n3,3,1\n", ["only 3 rows"]),
        ("a,b,c,d\n" + TALL.replace("\n", ",7\n"), ["column 'd' is constant"]),
        (
            "a,b,c,d\n" + "".join(f"{r},{2 * k}\n" for k, r in enumerate(TALL.split())),
            ["'a' and 'd' are copies"],
        ),
        (
            "a,b,c,d\n" + "".join(f"{r},{k + k * k % 7}\n" for k, r in enumerate(TALL.split())),
            ["linear combination", "'a'", "'b'", "'d'"],
        ),
        ("\x89PNG\x00\x01\x02", ["not a text file"]),
    ],
)
def test_data_errors(command, tmp_path, content, parts):
    path = tmp_path / "data.csv"
    path.write_text(content)
    outcome = command("learn", path)
    assert (outcome.code, outcome.out) == (3, "")
    for part in parts:
        assert part in outcome.error


def test_columns_that_ranks_make_equal(command, tmp_path):
    import numpy as np

    x, y = np.random.default_rng(0).standard_normal((2, 50))
    path = tmp_path / "data.csv"
    np.savetxt(path, np.column_stack([x, y, np.exp(x)]), delimiter=",", header="x,y,z", comments="")
    assert command("learn", path, "-q").code == 0
    outcome = command("learn", path, "-q", "--transform", "rank")
    assert outcome.code == 3
    assert "x" in outcome.error
    assert "z" in outcome.error


def test_missing_file_and_folder(command, tmp_path):
    outcome = command("learn", tmp_path / "nowhere.csv")
    assert outcome.code == 3
    assert outcome.error == f"{tmp_path / 'nowhere.csv'}: there is no such file"
    outcome = command("learn", tmp_path)
    assert outcome.code == 3
    assert "is a folder" in outcome.error


def test_more_columns_than_rows_is_a_note(command, tmp_path):
    import numpy as np

    path = tmp_path / "wide.csv"
    values = np.random.default_rng(0).standard_normal((12, 20))
    np.savetxt(path, values, delimiter=",", header=",".join(f"v{i}" for i in range(20)), comments="")
    outcome = command("learn", path)
    assert outcome.code == 0
    assert "note: " in outcome.err


def test_help_fits_a_screen_and_shows_examples(command):
    outcome = command("learn", "--help")
    assert outcome.code == 0
    assert outcome.out.count("  rolearn learn") + outcome.out.count("| rolearn learn") >= 3
    lines = outcome.out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_demo(command):
    outcome = command("demo")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert len(document["nodes"]) == 11
    assert document["settings"]["transform"] == "rank"
    assert "Sachs et al. 2005" in outcome.err
    assert "ranks are transformed to normal" in outcome.err
    assert command("demo", "--format", "table", "--quiet").err == ""


def test_report_page(command, collider, tmp_path):
    page, graph = tmp_path / "report of it.html", tmp_path / "graph.json"
    outcome = command("learn", collider, "-o", page, "--alpha", "0.01", "--drop", "D", "-o", graph, "--quiet")
    assert outcome.code == 0
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["title"] == str(collider)
    assert len(data["edges"]) == 2
    program, *arguments = shlex.split(data["command"])
    assert program == "rolearn"
    page.unlink()
    again = command(*arguments)
    assert again.out == outcome.out
    assert page.read_text(encoding="utf-8") == text


def test_no_other_command_writes_a_page(command, tmp_path):
    (tmp_path / "graph.csv").write_text("source,target,mark_source,mark_target\nA,B,tail,arrow\n")
    outcome = command("convert", tmp_path / "graph.csv", "-o", tmp_path / "report.html")
    assert outcome.code == 3
    assert "report.html" in outcome.error


@pytest.mark.filterwarnings("ignore::rolearn.RolearnWarning")
def test_python_on_the_page_repeats_how_the_table_was_read(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 300))
    codes = (a + rng.standard_normal(300) > 0) * 2 + 1
    rows = zip(a, b, a + b + 0.5 * rng.standard_normal(300), codes, strict=True)
    lines = [f"{x},{y},{z},{code}" for x, y, z, code in rows]
    lines[7] = "," + lines[7].split(",", 1)[1]
    (tmp_path / "data.csv").write_text("\n".join(["A,B,C,code", *lines]) + "\n")
    outcome = command("learn", "data.csv", "-o", "page.html", "--discrete", "code", "--missing", "listwise")
    assert outcome.code == 0
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    scope: dict = {}
    exec(json.loads(text.split('id="data">')[1].split("</script>")[0])["python"], scope)
    model = scope["model"]
    assert model.column_kinds_["code"] == json.loads(outcome.out)["data"]["kinds"]["code"]
    assert model.n_samples_ == 299
    assert {str(edge) for edge in model.pag_.edges()} == {
        f"{edge['source']} {edge['text']} {edge['target']}" for edge in json.loads(outcome.out)["edges"]
    }
