"""One self-contained HTML file, made of the parts in ``page/`` and the model's data.

Names of columns are data. They reach the page as JSON in which no character can end the script element, and
its script shows them as text only. A content security policy allows this very script and style and nothing
else: no other code, no request to any network.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from rolearn.report.contents import page_contents
from rolearn.report.frequencies import Frequencies
from rolearn.runtime.documents import write_text_file
from rolearn.runtime.errors import ParameterError

__all__ = ["report_page", "write_report"]

_SCRIPTS = ("geometry.js", "elements.js", "picture.js", "tables.js", "details.js", "page.js")
_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}  # other escapes are made by ensure_ascii


def write_report(
    model: Any,
    path: str | Path,
    *,
    notes: Sequence[str] = (),
    reading: Mapping[str, Any] | None = None,
    frequencies: Frequencies | None = None,
) -> None:
    """Write a fitted model as a page: graph, reasons for absent edges, settings, and how to repeat the run.

    Parameters
    ----------
    model : ROL
        Fitted.
    path : str or Path
        An HTML file; it needs no other file and no network.
    notes : sequence of str
        What was decided on the user's behalf on the way, such as warnings.
    reading : mapping, optional
        Where the table came from and how it was read, as for `rolearn.export.result_document`; also
        ``command`` (a command line) and ``loader`` (the path of a Python function), which repeat it.
    frequencies : Bootstrap or mapping, optional
        How often resamples of the rows gave each edge: what `rolearn.bootstrap` gives, or a mapping in which
        ``frequencies[a, b]`` maps pictures of the edge from a to b, such as ``"o->"``, or ``"none"`` for no
        edge, to shares between 0 and 1.

    Raises
    ------
    ParameterError
        When the path can't be written, the model isn't fitted, or frequencies name no variable or edge.

    Examples
    --------
    >>> import rolearn
    >>> oracle = rolearn.Oracle(rolearn.DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")]))
    >>> rolearn.write_report(rolearn.learn(oracle), "report.html")
    """
    write_text_file(path, report_page(model, notes, reading, frequencies))


def report_page(
    model: Any,
    notes: Sequence[str] = (),
    reading: Mapping[str, Any] | None = None,
    frequencies: Frequencies | None = None,
) -> str:
    """Give the text of the page that `write_report` writes; all of it is ASCII."""
    if not hasattr(model, "separating_sets_"):
        raise ParameterError(f"a report is of a fitted ROL; this is {model!r}: call fit, or rolearn.learn")
    style = _part("page.css")
    script = "\n".join(_part(name) for name in _SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}}})();\n'
    return Template(_part("page.html")).substitute(
        policy=_policy(script, style),
        style=style,
        script=script,
        data=script_json(page_contents(model, notes, reading, frequencies)),
    )


def script_json(value: Any) -> str:
    """Write JSON that can stand in a script element: it can't end it or open a comment in it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character, escaped in _IN_SCRIPT.items():
        text = text.replace(character, escaped)  # such characters occur within strings alone
    return text


def _policy(script: str, style: str) -> str:
    def fingerprint(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src 'sha256-{fingerprint(script)}'; "
        f"style-src 'sha256-{fingerprint(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _part(name: str) -> str:
    return (files("rolearn.report") / "page" / name).read_text(encoding="utf-8")
