"""Columns that no statistic can use, found in one pass, and what is done about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rolearn.data.canonical import canonical_order
from rolearn.data.dependence import continuous_correlations, copy_findings, dependence_findings
from rolearn.data.origin import name_columns
from rolearn.data.single_columns import Finding, single_column_findings
from rolearn.data.table import Table
from rolearn.data.transform import rank_continuous
from rolearn.runtime.errors import DataError
from rolearn.runtime.parameters import check_choice

__all__ = ["DEGENERATE", "Report", "check_degenerate", "prepared"]

DEGENERATE = ("error", "drop", "isolate")


@dataclass(frozen=True)
class Report:
    """What was found, and done.

    Attributes
    ----------
    dropped : tuple of str
        Columns left out for good.
    isolated : tuple of str
        Columns left out of the table that are to be variables without edges.
    notes : tuple of str
        A sentence each for what users should hear.
    """

    dropped: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check_degenerate(degenerate: Any) -> str:
    """Give a policy that is one of those allowed.

    Raises
    ------
    ParameterError
        When it isn't.
    """
    return check_choice("degenerate", degenerate, DEGENERATE)


def prepared(table: Table, degenerate: str = "error", transform: str | None = None) -> tuple[Table, Report]:
    """Transform a table and rid it of columns that no statistic can use.

    To be called on every table that statistics are made of, resamples too: what is constant or a copy in
    a resample needn't be so in the whole table. It warns of nothing; the report says what to warn of.

    Looked for: columns that are constant, that number the rows, that have another level in every row or too
    many levels; copies up to scale and shift, or up to the names of levels; columns that others determine
    linearly. Of copies and of dependent columns the one to go is chosen by content, so that neither the
    order of columns nor their names matter. Columns nearly constant are usable: "error" keeps them and
    says so. With no more rows than columns each is a combination of others, and that isn't looked for.

    Parameters
    ----------
    table : Table
    degenerate : "error", "drop" or "isolate"
    transform : None or "rank"

    Returns
    -------
    table : Table
        Transformed, without the columns dropped and isolated.
    report : Report

    Raises
    ------
    DataError
        With "error", naming all such columns; with the others when no column is left.
    """
    found = single_column_findings(table)
    whole = rank_continuous(table) if transform == "rank" else table
    usable = _without(range(whole.n_columns), found)
    dependent = _dependent(whole, usable)
    if dependent:  # nearly never; then choose anew, by content
        dependent = _dependent(whole, _order(table, whole, usable))
    found += dependent
    if degenerate == "error":
        return whole, _judged(found)
    gone = sorted({j for finding in found for j in finding.columns})
    if len(gone) == whole.n_columns:
        raise DataError(f"no column is left to learn from: {_sentences(found)}")
    names = tuple(whole.names[j] for j in gone)
    notes = tuple(_note(table, finding, degenerate) for finding in found)
    report = Report(names, (), notes) if degenerate == "drop" else Report((), names, notes)
    return _only(whole, [j for j in range(whole.n_columns) if j not in set(gone)]), report


def _dependent(table: Table, columns: Sequence[int]) -> list[Finding]:
    """Find copies, then combinations of what is left."""
    correlation = continuous_correlations(table, columns)
    copies = copy_findings(table, columns, correlation)
    left = _without(columns, copies)
    continuous = [j for j in columns if not table.kinds[j].is_discrete]
    stay = [i for i, j in enumerate(continuous) if j in set(left)]
    return copies + dependence_findings(table, left, correlation[np.ix_(stay, stay)])


def _order(table: Table, whole: Table, columns: Iterable[int]) -> list[int]:
    """Order columns by content; equal ones by what they were before the transform, else by name."""
    order = sorted(columns, key=table.names.__getitem__)
    for values in (table.values, whole.values):
        order = [order[i] for i in canonical_order(values[:, order])]
    return order


def _without(columns: Iterable[int], found: Sequence[Finding]) -> list[int]:
    gone = {j for finding in found if finding.unusable for j in finding.columns}
    return [j for j in columns if j not in gone]


def _sentences(found: Sequence[Finding]) -> str:
    return "; ".join(finding.sentence for finding in found)


def _judged(found: Sequence[Finding]) -> Report:
    """Refuse what can't be used; give the rest as notes."""
    unusable = [finding for finding in found if finding.unusable]
    if not unusable:
        return Report(notes=tuple(finding.sentence for finding in found))
    alone = len(unusable) == 1 and len(unusable[0].columns) == 1 and unusable[0].by_itself
    them = "it" if alone else "such columns"
    raise DataError(
        f"{_sentences(unusable)}; leave {them} out, or say degenerate='drop' or 'isolate'"
        " (in the command: --drop, --degenerate)"
    )


def _note(table: Table, finding: Finding, degenerate: str) -> str:
    names = [table.names[j] for j in finding.columns]
    if finding.by_itself:
        what = "left out" if degenerate == "drop" else "without edges"
        return f"{what}: {finding.sentence}"
    if degenerate == "drop":
        what = f"{name_columns(names)} {'is' if len(names) == 1 else 'are'} left out"
    else:
        what = f"{name_columns(names)} {'gets' if len(names) == 1 else 'get'} no edges"
    return f"{what}: {finding.sentence}"


def _only(table: Table, columns: Sequence[int]) -> Table:
    if len(columns) == table.n_columns:
        return table
    values = np.ascontiguousarray(table.values[:, columns])
    values.setflags(write=False)
    return replace(
        table,
        names=tuple(table.names[j] for j in columns),
        values=values,
        kinds=tuple(table.kinds[j] for j in columns),
    )
