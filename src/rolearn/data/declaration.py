"""What to say about how columns were read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rolearn.data.distinct import count_distinct
from rolearn.data.origin import name_columns
from rolearn.data.table import Table
from rolearn.runtime.errors import warn

__all__ = ["kinds_sentence", "warn_of_few_levels"]

_FEW = 10  # whole numbers that take at most this many values ...
_ROWS_A_VALUE = 5  # ... with at least so many rows a value may be codes of categories
_SHOWN = 5


def warn_of_few_levels(table: Table) -> None:
    """Warn of whole numbers that may be codes of categories and are read as numbers all the same.

    Warns
    -----
    RolearnWarning
        Naming the columns, and how to declare them.
    """
    few = [j for j, kind in enumerate(table.kinds) if not kind.is_discrete and _count_few(table.values[:, j])]
    if not few:
        return
    names = [table.names[j] for j in few]
    one = len(names) == 1
    listed = repr(names) if len(names) <= _SHOWN else "[...]"
    warn(
        f"{name_columns(names)} {'holds' if one else 'hold'} few different whole numbers and "
        f"{'is' if one else 'are'} read as continuous; if they stand for categories, say discrete={listed} "
        "(in the command: --discrete), and discrete=[] if none do"
    )


def _count_few(column: np.ndarray) -> bool:
    """Whether a column holds whole numbers that take few values; a look at a few rows settles most."""
    head = column[:64]
    head = head[~np.isnan(head)]
    if not (head == np.floor(head)).all() or count_distinct(head) > _FEW:
        return False
    column = column[~np.isnan(column)]
    if not (column == np.floor(column)).all():
        return False
    return 2 <= count_distinct(column) <= min(_FEW, len(column) // _ROWS_A_VALUE)


def kinds_sentence(kinds: Mapping[str, str], n_levels: Mapping[str, int]) -> str:
    """Say in one line how columns were read.

    Such as ``columns: 3 continuous, 2 discrete: 'sex' (2 levels), 'town' (7 levels)``.
    """
    discrete = [name for name, kind in kinds.items() if kind == "discrete"]
    n_continuous = len(kinds) - len(discrete)
    if not discrete:
        return f"columns: {n_continuous} continuous"
    told = [f"{name!r} ({n_levels[name]} levels)" for name in discrete[:_SHOWN]]
    more = f" and {len(discrete) - _SHOWN} more" if len(discrete) > _SHOWN else ""
    counts = ([f"{n_continuous} continuous"] if n_continuous else []) + [f"{len(discrete)} discrete"]
    return f"columns: {', '.join(counts)}: {', '.join(told)}{more}"
