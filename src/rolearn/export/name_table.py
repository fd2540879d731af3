"""Names that a format can't carry: replaced in the file, and kept in a table of names beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rolearn.graphs import MarkedGraph
from rolearn.runtime.errors import DataError

__all__ = ["named_back", "parse_table", "replacements", "table_path", "table_text", "with_names"]

_TABLE_VERSION = 1


def table_path(path: str | Path) -> Path:
    """Give where the table of names of a file is: ``graph.tetrad.names.json`` for ``graph.tetrad``."""
    return Path(f"{path}.names.json")


def replacements(names: Sequence[str], carries: Callable[[str], bool]) -> dict[str, str]:
    """Give a plain name for each that a format can't carry, none of them among the names there are.

    Returns
    -------
    dict
        From the original name to the one that stands for it: its letters and digits, numbered where two
        would be the same.
    """
    taken = set(names)
    found: dict[str, str] = {}
    for name in names:
        if carries(name):
            continue
        stem = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_") or "X"
        if not stem[0].isalpha():
            stem = f"X{stem}"
        candidate, number = stem, 1
        while candidate in taken or not carries(candidate):
            number += 1
            candidate = f"{stem}_{number}"
        taken.add(candidate)
        found[name] = candidate
    return found


def with_names(graph: MarkedGraph, renaming: Mapping[str, str]) -> MarkedGraph:
    """Give the same graph with some of its vertices renamed."""
    return type(graph).unchecked(graph.marks, [renaming.get(name, name) for name in graph.names])


def table_text(renaming: Mapping[str, str]) -> str:
    """Write a table of names as JSON: under ``names``, from the name in the file to the original."""
    names = {short: original for original, short in renaming.items()}
    document = {"format_version": _TABLE_VERSION, "names": names}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def parse_table(text: str, label: str) -> dict[str, str]:
    """Read a table of names.

    Raises
    ------
    DataError
        When the text is no such table.
    """
    try:
        document: Any = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        document = None
    names = document.get("names") if isinstance(document, dict) else None
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise DataError(f"{label} is no table of names; delete it, or restore the one written with the graph")
    return names


def named_back(graph: MarkedGraph, names: Mapping[str, str], label: str) -> MarkedGraph:
    """Give a graph that was read its original names.

    Raises
    ------
    DataError
        When two vertices would then have the same name, as where the table belongs to another file.
    """
    renamed = with_names(graph, names)
    if len(set(renamed.names)) < len(renamed.names):
        raise DataError(f"{label} belongs to another graph: with it, two vertices have the same name")
    return renamed
