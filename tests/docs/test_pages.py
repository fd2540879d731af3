"""What pages and docstrings show is what is."""

from __future__ import annotations

import doctest
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rolearn
from docs.console import blocks, same, shown
from needs import needs

TOP = Path(__file__).parents[2]
PAGES = sorted(
    page for page in [TOP / "README.md", *(TOP / "docs").rglob("*.md")] if "decisions" not in page.parts
)
MODULES = sorted(
    path for path in Path(rolearn.__file__).parent.rglob("*.py") if ">>>" in path.read_text(encoding="utf-8")
)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def named(path):
    return str(path.relative_to(TOP))


PROGRAM = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
LIBRARIES = ("matplotlib", "torch", "gymnasium", "causallearn", "dowhy", "dask", "distributed")


def with_examples(kind):
    return [page for page in PAGES if kind in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", with_examples(">>> "), ids=named)
def test_python_of_a_page(page, tmp_path, monkeypatch):
    for library in LIBRARIES:
        if re.search(rf"^>>> (import|from) .*\b{library}\b", page.read_text(encoding="utf-8"), re.MULTILINE):
            pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(page), module_relative=False, optionflags=OPTIONS, encoding="utf-8")
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("page", with_examples("```console"), ids=named)
@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")
def test_commands_of_a_page(page, tmp_path):
    for steps in blocks(page.read_text(encoding="utf-8")):
        for command, expected in steps:
            found = shown(command, tmp_path)
            assert same(found, expected), f"{command}\n{found}"
    programs = PROGRAM.findall(page.read_text(encoding="utf-8"))
    if programs:  # they read what the commands wrote
        program = "".join(program for program, _ in programs)
        found = subprocess.check_output([sys.executable, "-c", program], cwd=tmp_path, text=True)
        assert found == "".join(text for _, text in programs)


def module_name(path):
    parts = path.relative_to(Path(rolearn.__file__).parents[1]).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_examples_of_docstrings(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(module_name(path)), optionflags=OPTIONS)
    assert result.attempted
    assert not result.failed


def test_all_public_names_are_on_an_api_page():
    pages = "".join(page.read_text(encoding="utf-8") for page in (TOP / "docs" / "api").glob("*.md"))
    shown = set()
    for path in re.findall(r"^::: (\S+)$", pages, re.MULTILINE):
        shown.add(path.rsplit(".", 1)[-1])
        if path in ("rolearn.runtime.errors", "rolearn.figures"):
            shown.update(importlib.import_module(path).__all__)
    assert set(rolearn.__all__) - shown == {"__version__"}


def test_the_method_that_contributing_shows_is_the_file():
    text = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    file = TOP / "src" / "rolearn" / "benchmarks" / "methods" / "flop.py"
    assert f"```python\n{file.read_text(encoding='utf-8')}```" in text


@needs("mkdocs", "material", "mkdocstrings")
@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path, monkeypatch):
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.chdir(TOP)
    build(load_config(str(TOP / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
    assert (tmp_path / "site" / "limits" / "index.html").exists()
