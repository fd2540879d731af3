"""The page in a browser, as a reader has it."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

import rolearn
from report.fitted import HOSTILE, model_of

MIDDLE = """(k => {
    const line = document.querySelectorAll('#picture .edge .line')[k];
    const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    return [at.x, at.y];
})"""
CENTER = """(i => {
    const box = document.querySelectorAll('.vertex rect')[i].getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""
SHIFT = 8


@pytest.fixture(scope="module")
def sixty(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "sixty.html"
    model = model_of(tuple(f"variable {i}" for i in range(60)))
    pair = model.pag_.names[:2]
    rolearn.write_report(model, path, frequencies={pair: {"o->": 0.5, "<->": 0.3, "none": 0.2}})
    return model, path


@pytest.fixture(scope="module")
def eleven(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "eleven.html"
    names = ("age", "income", "blood pressure", "smoking", "exercise", "weight", "salt", "stress", "sleep")
    model = model_of((*names, "region", "a name that is much longer than it should be"), seed=5)
    rolearn.write_report(model, path, notes=["region was left as it is"])
    return model, path


def sentence_shown(page):
    return page.text("#panel-details .sentence")


def test_loads_without_complaint(browser, sixty):
    _, path = sixty
    assert path.stat().st_size < 5e6
    with browser.open(path) as page:
        assert page.complaints() == []
        assert page.evaluate("document.querySelectorAll('.vertex').length") == 60


@pytest.mark.parametrize("which", ["eleven", "sixty"])
def test_a_click_on_an_edge_says_what_it_means(browser, which, request):
    model, path = request.getfixturevalue(which)
    with browser.open(path) as page:
        edges = page.evaluate("JSON.parse(document.getElementById('data').textContent).edges")
        assert len(edges) == model.pag_.n_edges
        hit = 0
        for k, edge in enumerate(edges):
            at = page.evaluate(f"{MIDDLE}({k})")
            over = page.evaluate(f"document.elementFromPoint(...{at}).closest('.edge')?.dataset.edge")
            if over != str(k):  # another edge crosses it there, or a box
                continue
            page.move(*at)
            assert page.text("#tip") == edge["says"]
            page.click(*at)
            assert sentence_shown(page) == edge["says"]
            hit += 1
        assert hit > len(edges) / 2
        assert page.complaints() == []


def test_every_edge_is_in_the_table_with_its_sentence(browser, eleven):
    _, path = eleven
    with browser.open(path) as page:
        page.evaluate("document.getElementById('tab-edges').click()")
        edges = page.evaluate("JSON.parse(document.getElementById('data').textContent).edges")
        for k, edge in enumerate(edges):
            page.evaluate(f"document.querySelectorAll('#panel-edges td button')[{k}].click()")
            assert sentence_shown(page) == edge["says"]


def test_a_pair_without_edge_shows_its_separating_set(browser, eleven):
    model, path = eleven
    names = sorted(model.pag_.names)
    a, b = next(pair for pair in model.separating_sets_ if model.separating_sets_[pair].given)
    with browser.open(path) as page:
        page.click(*page.evaluate(f"{CENTER}({names.index(a)})"))
        assert sentence_shown(page) == a
        page.click(*page.evaluate(f"{CENTER}({names.index(b)})"), SHIFT)
        separation = model.separating_sets_[a, b]
        shown = page.text("#panel-details")
        assert "No edge" in shown
        assert all(name in shown for name in (a, b, *separation.given))
        assert separation.reason in shown
        given = page.evaluate("[...document.querySelectorAll('.vertex.given title')].map(e => e.textContent)")
        assert sorted(given) == sorted(separation.given)


def test_absent_edges_are_made_a_part_at_a_time_and_found(browser, sixty):
    model, path = sixty
    rows = "document.querySelectorAll('#panel-absent tbody tr').length"
    with browser.open(path) as page:
        assert page.evaluate(rows) == 100
        page.evaluate("document.getElementById('tab-absent').click()")
        page.evaluate("document.getElementById('panel-absent').scrollTop = 1e6")
        page.until(f"{rows} > 100")
        page.evaluate("document.querySelector('#panel-absent input').focus()")
        page.type("variable 7")
        expected = 59 - int(model.skeleton_[list(model.pag_.names).index("variable 7")].sum())
        page.until(f"{rows} === {expected}")
        page.evaluate("document.querySelectorAll('#panel-absent th button')[2].click()")
        shown = page.evaluate(
            "[...document.querySelectorAll('#panel-absent tbody tr')].map(e => Number(e.cells[2].innerText))"
        )
        assert shown == sorted(shown)


def test_frequencies(browser, sixty):
    model, path = sixty
    a, b = (sorted(model.pag_.names).index(name) for name in model.pag_.names[:2])
    with browser.open(path) as page:
        page.click(*page.evaluate(f"{CENTER}({a})"))
        page.click(*page.evaluate(f"{CENTER}({b})"), SHIFT)
        shown = page.text("#panel-details")
        assert "In resamples of the rows" in shown
        assert [share in shown for share in ("50%", "30%", "20%")] == [True] * 3
        page.evaluate("document.getElementById('tab-absent').click()")
        rows = page.evaluate("[...document.querySelectorAll('#panel-absent tbody tr')].map(e => e.innerText)")
        assert sum("80%" in row for row in rows) == (not model.pag_.adjacent(*model.pag_.names[:2]))
        assert page.complaints() == []


def test_keys_alone_reach_everything(browser, eleven):
    _, path = eleven
    with browser.open(path) as page:
        page.key("/")
        assert page.evaluate("document.activeElement.id") == "find"
        page.type("blood")
        assert page.text("#found") == "1 found"
        page.key("Enter")
        assert sentence_shown(page) == "blood pressure"
        page.evaluate("document.getElementById('picture').focus()")
        page.key("e")
        first = sentence_shown(page)
        assert "blood pressure" in first
        page.key("Escape")
        assert "How to read this" in page.text("#panel-details")
        seen = set()
        for key in ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"] * 4:
            page.key(key)
            seen.add(sentence_shown(page))
        assert len(seen) > 3
        page.evaluate("document.getElementById('tab-details').focus()")
        page.key("ArrowRight")
        assert page.evaluate("document.getElementById('tab-edges').getAttribute('aria-selected')") == "true"
        assert page.complaints() == []


def test_drag_zoom_and_reset(browser, eleven):
    _, path = eleven
    with browser.open(path) as page:
        start = page.evaluate(f"{CENTER}(0)")
        page.drag(start, (start[0] + 80, start[1] + 40))
        moved = page.evaluate(f"{CENTER}(0)")
        np.testing.assert_allclose(moved, [start[0] + 80, start[1] + 40], atol=2)
        check_edges_touch_their_boxes(page)
        page.evaluate("document.getElementById('reset').click()")
        np.testing.assert_allclose(page.evaluate(f"{CENTER}(0)"), start, atol=1)
        wide = "document.querySelectorAll('.vertex rect')[0].getBoundingClientRect().width"
        before = page.evaluate(wide)
        page.evaluate("document.getElementById('zoom-in').click()")
        assert page.evaluate(wide) == pytest.approx(1.25 * before, rel=0.05)


def check_edges_touch_their_boxes(page):
    """Each end of each edge, or its mark, is at the border of its box."""
    gaps = page.evaluate(
        """(() => {
            const data = JSON.parse(document.getElementById('data').textContent);
            const boxes = [...document.querySelectorAll('.vertex rect')].map(e => e.getBoundingClientRect());
            return [...document.querySelectorAll('#picture .edge')].flatMap((edge, k) => {
                const line = edge.querySelector('.line');
                return data.edges[k].ends.map((i, end) => {
                    const at = line.getPointAtLength(end ? line.getTotalLength() : 0);
                    const {x, y} = at.matrixTransform(line.getScreenCTM());
                    const b = boxes[i];
                    const off = [Math.max(b.left - x, x - b.right, 0), Math.max(b.top - y, y - b.bottom, 0)];
                    return Math.hypot(...off) / line.getScreenCTM().a;
                });
            });
        })()"""
    )
    assert max(gaps) < 20  # at most a mark, which is some 10 long and grows with the boxes


def test_a_column_without_edges_has_no_separating_set(browser, tmp_path):
    rows = np.random.default_rng(0).standard_normal((100, 3))
    rows[:, 2] = 1.0
    with pytest.warns(rolearn.RolearnWarning, match="is constant"):
        model = rolearn.learn(rows, degenerate="isolate")
    rolearn.write_report(model, tmp_path / "page.html")
    with browser.open(tmp_path / "page.html") as page:
        page.click(*page.evaluate(f"{CENTER}(0)"))
        page.click(*page.evaluate(f"{CENTER}(2)"), SHIFT)
        shown = page.text("#panel-details")
        assert "No edge: no statistic can use one of the two columns" in shown
        assert "independent" not in shown
        assert page.complaints() == []


def test_hostile_names(browser, tmp_path):
    model = model_of(HOSTILE)
    path = tmp_path / "hostile.html"
    rolearn.write_report(model, path, notes=HOSTILE, reading={"source": HOSTILE[0], "command": HOSTILE[1]})
    with browser.open(path) as page:
        for i in range(len(HOSTILE)):
            page.evaluate(f"document.querySelectorAll('#panel-edges td button')[{i}]?.click()")
            page.evaluate(f"document.querySelectorAll('#panel-absent td button')[{i}]?.click()")
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.querySelectorAll('script').length") == 2
        assert page.evaluate("document.querySelectorAll('img, iframe, object, embed, a').length") == 0
        titles = page.evaluate("[...document.querySelectorAll('.vertex title')].map(e => e.textContent)")
        assert HOSTILE[0] in titles
        assert HOSTILE[1] in titles
        page.evaluate("document.querySelector('#find').focus()")
        page.type("<script>")
        assert page.text("#found") == "2 found"
        assert page.complaints() == []


def test_dark_and_light_and_narrow(browser, eleven):
    _, path = eleven
    background = "getComputedStyle(document.body).backgroundColor"
    with browser.open(path, prefers_color_scheme="dark") as page:
        dark = page.evaluate(background)
    with browser.open(path, prefers_color_scheme="light") as page:
        assert page.evaluate(background) == "rgb(255, 255, 255)" != dark
        page.resize(400, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_paper_shows_all_parts(browser, eleven):
    _, path = eleven
    with browser.open(path) as page:
        page.command("Emulation.setEmulatedMedia", media="print")
        hidden = page.evaluate(
            "['edges', 'absent', 'run'].filter(n => !document.getElementById('panel-' + n).offsetHeight)"
        )
        assert hidden == []
        assert page.evaluate("document.getElementById('tools').offsetHeight") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["eleven", "sixty"])
def test_screenshots(browser, which, scheme, request, tmp_path):
    """All is drawn within the pane; ROLEARN_SCREENSHOTS names a folder to keep the pictures in."""
    _, path = request.getfixturevalue(which)
    shot = Path(os.environ.get("ROLEARN_SCREENSHOTS", tmp_path)) / f"{which}-{scheme}.png"
    with browser.open(path, prefers_color_scheme=scheme) as page:
        page.screenshot(shot)
        pane, boxes = page.evaluate(
            """(() => {
                const corners = e => {
                    const b = e.getBoundingClientRect();
                    return [b.left, b.top, b.right, b.bottom];
                };
                return [corners(document.getElementById('picture')),
                        [...document.querySelectorAll('.vertex rect, #picture .edge .line')].map(corners)];
            })()"""
        )
        check_edges_touch_their_boxes(page)
        font = page.evaluate(
            "Math.min(...[...document.querySelectorAll('.vertex text')].map(e => 13 * e.getScreenCTM().a))"
        )
    low, high = np.array(boxes)[:, :2].min(axis=0), np.array(boxes)[:, 2:].max(axis=0)
    assert (low >= pane[:2]).all()
    assert (high <= pane[2:]).all()
    assert font > (10 if which == "eleven" else 5)
    assert struct.unpack(">II", shot.read_bytes()[16:24]) == (1440, 900)


def test_a_graph_without_edges_and_one_of_all(browser, tmp_path):
    for edges in ([], [("A", "B"), ("A", "C"), ("B", "C")]):
        model = rolearn.learn(rolearn.Oracle(rolearn.DAG.from_edges(edges, nodes=["A", "B", "C"])))
        path = tmp_path / f"{len(edges)}.html"
        rolearn.write_report(model, path)
        with browser.open(path) as page:
            assert page.complaints() == []
            assert json.loads(page.evaluate("document.getElementById('data').textContent"))["names"] == [
                "A",
                "B",
                "C",
            ]
