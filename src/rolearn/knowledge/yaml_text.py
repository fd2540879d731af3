"""Knowledge as YAML or JSON: the parameters of `Knowledge` by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rolearn.runtime.errors import KnowledgeError
from rolearn.runtime.suggestions import did_you_mean

if TYPE_CHECKING:
    from rolearn.knowledge.knowledge import Knowledge

__all__ = ["read", "write", "write_json"]

_KEYS = ("tiers", "forbidden", "required", "adjacent", "no_causes_within")


def read(text: str, label: str) -> dict[str, Any]:
    """Give the parameters of `Knowledge`. All scalars are names: no, 1 and 2020-01-01 stay as written.

    Raises
    ------
    KnowledgeError
        Naming the line that can't be read, or the key that isn't known.
    """
    import yaml

    try:
        loader = yaml.BaseLoader(text)  # its nodes know their lines
        root = loader.get_single_node()
        document = None if root is None else loader.construct_document(root)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise KnowledgeError(f"{label}{line}: this is no YAML ({error.problem})") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise KnowledgeError(f"{label} is no YAML: {str(error).splitlines()[0]}") from None
    if root is None:
        return {}
    if not isinstance(document, dict):
        raise KnowledgeError(f"{label} has no keys; give {', '.join(_KEYS)}, such as\nforbidden:\n- A -> B")
    lines: dict[str, int] = {}
    for key, _ in root.value:
        line = key.start_mark.line + 1
        if key.value not in _KEYS:
            hint = did_you_mean(str(key.value), _KEYS)
            raise KnowledgeError(
                f"{label}, line {line}: there is no key {key.value!r}{hint}; there are {', '.join(_KEYS)}"
            )
        if key.value in lines:
            raise KnowledgeError(
                f"{label}: {key.value} is there twice, in lines {lines[key.value]} and {line}"
            )
        lines[key.value] = line
    return {key: value for key, value in document.items() if value != ""}


def _document(knowledge: Knowledge) -> dict[str, Any]:
    plain = {
        "tiers": [list(names) for names in knowledge.tiers],
        "no_causes_within": list(knowledge.no_causes_within),
        **{
            key: [list(pair) for pair in getattr(knowledge, key)]
            for key in ("forbidden", "required", "adjacent")
        },
    }
    return {key: value for key, value in plain.items() if value}


def write(knowledge: Knowledge) -> str:
    """Write YAML."""
    import yaml

    return yaml.safe_dump(_document(knowledge), sort_keys=False, allow_unicode=True, default_flow_style=None)


def write_json(knowledge: Knowledge) -> str:
    """Write JSON, which is YAML, too."""
    return json.dumps(_document(knowledge), indent=1, ensure_ascii=False) + "\n"
