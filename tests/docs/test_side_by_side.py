"""Tables of benchmarks on the site, from rows that are written down here."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolearn.benchmarks.rows import COLUMNS, write_rows

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def pages(monkeypatch, tmp_path):
    """Give the module, with a table2.csv of the given rows."""
    monkeypatch.syspath_prepend(str(DOCS))
    import side_by_side

    monkeypatch.setattr(side_by_side, "FOLDER", tmp_path)

    def write(*rows):
        keys = ("problem", "run", "method", "version", "status", "f1", "wrong_marks")
        filled = [{**dict.fromkeys(COLUMNS, ""), **dict(zip(keys, row, strict=True))} for row in rows]
        write_rows(tmp_path / "table2.csv", filled, COLUMNS)
        return side_by_side

    return write


ROWS = (
    ("water", "0", "fcit", "7", "over the limit of 60 s", "", ""),
    ("water", "0", "rol_hc", "1", "ok", "0.5", "8"),
    ("water", "0", "default", "1", "ok", "0.75", "4"),
    ("water", "1", "default", "1", "ok", "1", "6"),
    ("water", "1", "flop", "3", "ok", "0.8", ""),
    ("ecoli70", "0", "fcit", "7", "failed: no memory", "", ""),
)


def test_methods_are_in_order_and_fewer_runs_are_marked(pages):
    lines = pages(*ROWS).on_page_markdown("<!-- side by side: table2 wrong_marks -->").splitlines()
    assert lines[0] == "| method | water | ecoli70 |"
    assert lines[2:] == [
        "| `default` | 5.0 ±1.0 |  |",
        "| `rol_hc` | 8.0 (1 of 2) |  |",
        "| `fcit` | over 60 s | failed |",
    ]


def test_how_runs_ended_is_counted(pages):
    lines = pages(*ROWS).on_page_markdown("<!-- ended: table2 -->").splitlines()
    assert lines[2:] == [
        "| `default` | 2 |",
        "| `rol_hc` | 1 |",
        "| `fcit` | 0 of 2: 1 over the limit, 1 failed |",
        "| `flop` | 1 |",
    ]


def test_f1_stands_beside_the_papers(pages):
    lines = pages(*ROWS).on_page_markdown("<!-- beside the paper: table2 -->").splitlines()
    assert lines == ["| method | water |", "| --- | ---: |", "| `rol_hc` | 0.50, 0.86 |"]


def test_two_versions_of_a_run_are_refused(pages):
    module = pages(*ROWS, ("water", "0", "default", "2", "ok", "0.9", "2"))
    for page in ("<!-- side by side: table2 f1 -->", "<!-- means: table2 -->", "<!-- ended: table2 -->"):
        with pytest.raises(ValueError, match=r"two rows of .*water.*default"):
            module.on_page_markdown(page)
