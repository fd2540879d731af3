from __future__ import annotations

import builtins
import struct
import subprocess
import sys

import numpy as np
import pytest

from needs import needs
from rolearn import PAG, ParameterError, write_graph
from rolearn.data.networks import load_network
from rolearn.export import graph_text

GRAPH = PAG.from_edges(["A o-> B", "B <-> C"])


def test_a_picture_is_the_svg(tmp_path):
    picture = GRAPH.draw(tmp_path / "graph.svg")
    assert picture.svg == picture._repr_svg_() == GRAPH._repr_svg_() == graph_text(GRAPH, "svg")
    assert (tmp_path / "graph.svg").read_text(encoding="utf-8") == picture.svg
    with pytest.raises(ParameterError, match=r"\.svg, \.png, \.pdf"):
        GRAPH.draw(tmp_path / "graph.json")


def test_notebooks_show_large_graphs_as_text():
    empty = PAG(np.zeros((151, 151)))
    assert empty._repr_svg_() is None
    assert empty.draw().svg.startswith("<svg")


def size_of(path):
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    return struct.unpack(">II", content[16:24])


@needs("matplotlib")
def test_png_has_two_dots_a_pixel(tmp_path):
    graph = load_network("asia").project(hidden=["smoke"]).pag()
    write_graph(graph, tmp_path / "graph.png")
    svg = graph_text(graph, "svg")
    width, height = (float(svg.split(f' {key}="')[1].split('"')[0]) for key in ("width", "height"))
    np.testing.assert_allclose(size_of(tmp_path / "graph.png"), [2 * width, 2 * height], atol=3)


@needs("matplotlib")
@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_same_file_every_time(tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    GRAPH.draw(paths[0])
    GRAPH.reorder(["C", "A", "B"]).draw(paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()


@needs("matplotlib")
def test_names_of_any_script_give_a_picture(tmp_path):
    graph = PAG.from_edges([("変数", "o->", "$\\alpha"), ("\x00", "o-o", "مرحبا")])
    graph.draw(tmp_path / "graph.png")
    assert min(size_of(tmp_path / "graph.png")) > 100


@needs("matplotlib")
def test_png_is_no_text():
    with pytest.raises(ParameterError, match="write it to a file"):
        graph_text(GRAPH, "png")


def test_without_matplotlib(tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ParameterError, match=r"pip install 'rolearn\[plot\]'"):
        GRAPH.draw(tmp_path / "graph.png")


def test_graphs_alone_import_no_drawing():
    code = "import sys, rolearn; rolearn.PAG; print('rolearn.export' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "False", done.stderr
