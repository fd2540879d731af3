"""Files of background knowledge: which format one has, reading and writing."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from rolearn.knowledge import pair_table, tetrad_text, yaml_text
from rolearn.runtime.errors import KnowledgeError

if TYPE_CHECKING:
    from rolearn.knowledge.knowledge import Knowledge

__all__ = ["read_knowledge", "write_knowledge"]

PAIR_KINDS = ("required", "forbidden", "adjacent")

_WRITERS = {
    ".yaml": yaml_text.write,
    ".yml": yaml_text.write,
    ".json": yaml_text.write_json,
    ".csv": pair_table.write,
}


def read_knowledge(path: str | PathLike[str], pairs: str | None) -> Knowledge:
    """Read a file; `Knowledge.read` says what it may be.

    Raises
    ------
    KnowledgeError
        When it can't be read, or isn't such a file; names the line.
    """
    from rolearn.knowledge.knowledge import Knowledge

    if pairs is not None and pairs not in PAIR_KINDS:
        raise KnowledgeError(f"pairs is {pairs!r}; allowed are {', '.join(map(repr, PAIR_KINDS))}, or None")
    label, text = str(path), _text(Path(path))
    if tetrad_text.is_tetrad(text):
        statements = tetrad_text.read(text, label)
    elif pair_table.is_table(text, Path(path).suffix):
        statements = pair_table.read(text, label, pairs or pair_table.kind_by_name(Path(path).stem))
    else:
        statements = yaml_text.read(text, label)
    try:
        return Knowledge(**statements)
    except KnowledgeError as error:
        raise KnowledgeError(f"{label}: {error}") from None


def _text(path: Path) -> str:
    if str(path) == "-":
        raise KnowledgeError("knowledge is read from files only; give a file's path, not -")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise KnowledgeError(f"{path} is not UTF-8 text; save the file as UTF-8") from None
    except FileNotFoundError:
        raise KnowledgeError(f"there is no knowledge file {path}") from None
    except OSError as error:
        raise KnowledgeError(f"{path} can't be read: {error.strerror or error}") from None


def write_knowledge(knowledge: Knowledge, path: str | PathLike[str]) -> None:
    """Write in the format of the path's suffix.

    Raises
    ------
    KnowledgeError
        When the format can't hold this, or the file can't be written.
    """
    text = _WRITERS.get(Path(path).suffix.lower(), tetrad_text.write)(knowledge)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise KnowledgeError(f"{path} can't be written: {error.strerror or error}") from None
