"""Names of variables: always unique strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rolearn.runtime.errors import ParameterError, RolearnError

__all__ = ["numbered_names", "string_names", "variable_names"]


def string_names(
    labels: Sequence[Any], error: type[RolearnError] = ParameterError, what: str = "column"
) -> tuple[str, ...]:
    """Turn labels into strings, refusing two that are or become the same.

    Raises
    ------
    error
        Naming the duplicated label, or the two labels that read the same as text.
    """
    seen: dict[str, Any] = {}
    for label in labels:
        name = str(label)
        if name in seen:
            if type(seen[name]) is type(label):
                raise error(f"more than one {what} is named {name!r}; rename them so that names are unique")
            raise error(
                f"the labels {seen[name]!r} and {label!r} are both {name!r} as text; rename one of them"
            )
        seen[name] = label
    return tuple(seen)


def numbered_names(count: int) -> tuple[str, ...]:
    """Give X1, X2, ... for variables without names."""
    return tuple(f"X{i + 1}" for i in range(count))


def variable_names(names: Iterable[Any] | None, count: int, what: str = "variable") -> tuple[str, ...]:
    """Give one unique string a variable, X1, X2, ... where there are no names.

    Raises
    ------
    ParameterError
        When names are not one each, or two are the same.
    """
    if names is None:
        return numbered_names(count)
    if isinstance(names, str):
        raise ParameterError(f"names is one string, {names!r}; give a list of names, one a {what}")
    listed = list(names)
    if len(listed) != count:
        raise ParameterError(f"there are {len(listed)} names for {count} {what}s; give one each")
    return string_names(listed, what=what)
