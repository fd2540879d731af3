"""Tables of pairs, as R users keep white and black lists: columns from and to, and maybe kind."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from rolearn.runtime.errors import KnowledgeError
from rolearn.runtime.suggestions import did_you_mean

if TYPE_CHECKING:
    from rolearn.knowledge.knowledge import Knowledge

__all__ = ["is_table", "kind_by_name", "read", "write"]

_KINDS = {
    "required": "required",
    "whitelist": "required",
    "forbidden": "forbidden",
    "blacklist": "forbidden",
    "adjacent": "adjacent",
}
_FROM, _TO = ("from", "source", "cause"), ("to", "target", "effect")


def is_table(text: str, suffix: str) -> bool:
    """Whether a text is such a table, by its suffix or its first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    cells = [cell.strip().strip('"').lower() for cell in first.split(",")]
    return suffix.lower() in (".csv", ".tsv") or (
        set(cells) & set(_FROM) != set() and set(cells) & set(_TO) != set()
    )


def kind_by_name(stem: str) -> str | None:
    """Give what a table without kinds lists, where its name says so."""
    found = {kind for word, kind in _KINDS.items() if word in stem.lower()}
    return found.pop() if len(found) == 1 else None


def read(text: str, label: str, kind: str | None) -> dict[str, Any]:
    """Give the parameters of `Knowledge`; `kind` is what a table without kinds lists.

    Raises
    ------
    KnowledgeError
        Naming the line that can't be read.
    """
    rows = _rows(text)
    if not rows:
        return {}
    header = [cell.lower() for cell in rows[0][1]]
    at_from = next((i for i, cell in enumerate(header) if cell in _FROM), None)
    at_to = next((i for i, cell in enumerate(header) if cell in _TO), None)
    at_kind = next((i for i, cell in enumerate(header) if cell in ("kind", "type")), None)
    if at_from is None or at_to is None:
        raise KnowledgeError(f"{label}: the first line is no header; name the columns from, to and kind")
    if at_kind is None and kind is None:
        raise KnowledgeError(
            f"{label} doesn't say whether its pairs are required or forbidden; add a column kind, put "
            "required or forbidden into its name, or use Knowledge.read(path, pairs='required')"
        )
    found: dict[str, list[tuple[str, str]]] = {"required": [], "forbidden": [], "adjacent": []}
    for number, cells in rows[1:]:
        if len(cells) < len(header) or not cells[at_from] or not cells[at_to]:
            raise KnowledgeError(f"{label}, line {number}: a name is missing; give each line both names")
        word = kind if at_kind is None else cells[at_kind].lower()
        if word not in _KINDS:
            hint = did_you_mean(str(word), _KINDS)
            raise KnowledgeError(
                f"{label}, line {number}: there is no kind {word!r}{hint}; there are {', '.join(found)}"
            )
        found[_KINDS[word]].append((cells[at_from], cells[at_to]))
    return _directions_apart(found)


def _directions_apart(found: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    """Take pairs that are required in both directions as joined in one that is left open."""
    required = set(found["required"])
    both = {(a, b) for a, b in required if (b, a) in required and a != b}
    return {**found, "required": sorted(required - both), "adjacent": found["adjacent"] + sorted(both)}


def _rows(text: str) -> list[tuple[int, list[str]]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    return [(number, cells) for number, cells in rows if any(cells)]


def write(knowledge: Knowledge) -> str:
    """Write a table with kinds.

    Raises
    ------
    KnowledgeError
        When there are tiers, which it can't hold.
    """
    if knowledge.tiers:
        raise KnowledgeError("a table of pairs has no tiers; write YAML (.yaml) or Tetrad's text (.txt)")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["from", "to", "kind"])
    for kind in ("forbidden", "required", "adjacent"):
        rows.writerows([a, b, kind] for a, b in getattr(knowledge, kind))
    return text.getvalue()
