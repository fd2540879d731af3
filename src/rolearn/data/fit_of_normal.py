"""Whether Fisher's z suits a table: columns near normal, and related by straight lines."""

from __future__ import annotations

import numpy as np
from numpy.linalg import norm

from rolearn.data.moments import standardize, tidied
from rolearn.data.origin import name_columns
from rolearn.data.table import Table, chosen_columns
from rolearn.data.transform import normal_scores
from rolearn.runtime.errors import warn
from rolearn.runtime.threads import single_blas_thread

__all__ = ["bent_pairs", "far_from_normal", "warn_of_poor_fit"]

_ROWS_LOOKED_AT = 5000
_FEWEST_ROWS = 20
_LEAST_AGREEMENT = 0.9  # R^2 of a column with the normal scores of its ranks; 0.82 for exponential columns
_ROOM_FOR_CHANCE = 4.0  # over n: a sample of normal columns agrees less when it is small
_FEW_VALUES = 10
_LEAST_BEND = 0.2  # correlation of a residual with the square of another column: 4% of its variance
_BEND_Z = 4.0  # standard errors above the level that p^2 looks at chance reach
_CLIPPED = 3.0  # standard deviations beyond which a cell counts as if it were there
_REMEDY = "transform='rank' (in the command: --transform rank)"


def warn_of_poor_fit(table: Table) -> None:
    """Warn where continuous columns are far from normal, or bend with each other.

    Looks at 5000 rows at most, evenly spread.

    Warns
    -----
    RolearnWarning
        Naming the columns, and ``transform="rank"``.
    """
    columns = np.array([j for j, kind in enumerate(table.kinds) if not kind.is_discrete], np.int64)
    values = chosen_columns(table.values[:: max(1, -(-table.n_rows // _ROWS_LOOKED_AT))], columns)
    missing = np.isnan(values)
    values = values[~missing.any(axis=1)] if missing.any() else values
    if len(values) < _FEWEST_ROWS or not len(columns):
        return
    varied = _varied(values)
    values, names = chosen_columns(values, varied), [table.names[j] for j in columns[varied]]
    far = far_from_normal(values)
    if far.any():
        odd = [names[i] for i in np.flatnonzero(far)]
        verb = "is" if len(odd) == 1 else "are"
        warn(
            f"{name_columns(odd)} {verb} far from normal (skewed, or with cells far out), which Gaussian"
            f" tests such as Fisher's z don't suit; {_REMEDY} goes by ranks instead"
        )
        return  # columns so far from normal bend for that reason
    pairs = bent_pairs(values)
    if pairs:
        (i, j), more = pairs[0], len(pairs) - 1
        others = f", and {more} more pair{'s' * (more > 1)}" if more else ""
        warn(
            f"columns {names[i]!r} and {names[j]!r}{others} are related by a curve rather than a line, which "
            f"Gaussian tests such as Fisher's z don't suit; {_REMEDY} straightens curves that rise or fall "
            "throughout"
        )


def _varied(values: np.ndarray) -> np.ndarray:
    """Give the columns that take enough values for a shape to mean something; few are told of elsewhere."""
    many = _takes_many(values[: 10 * _FEW_VALUES])
    few = np.flatnonzero(~many)  # in the first rows, that is, which take no time
    many[few] = _takes_many(values[:, few])
    return np.flatnonzero(many)


def _takes_many(values: np.ndarray) -> np.ndarray:
    ordered = np.sort(values, axis=0)
    return np.count_nonzero(ordered[1:] > ordered[:-1], axis=0) >= _FEW_VALUES


def far_from_normal(values: np.ndarray) -> np.ndarray:
    """Tell which columns agree badly with the normal scores of their ranks (Shapiro and Francia's W').

    Parameters
    ----------
    values : float64 array, shape (n_rows, n_columns)
        Without constants and missing cells.

    Returns
    -------
    bool array, shape (n_columns,)
    """
    ordered = np.sort(values, axis=0)
    scores = normal_scores(ordered)
    spread = np.square(scores).sum(axis=0) - np.square(scores.sum(axis=0)) / len(scores)
    agreement = np.einsum("ij,ij->j", standardize(ordered), scores) ** 2 / spread
    return agreement < _LEAST_AGREEMENT - _ROOM_FOR_CHANCE / len(values)


def bent_pairs(values: np.ndarray) -> list[tuple[int, int]]:
    """Find columns whose residual, given all other columns, goes with the square of another.

    Parameters
    ----------
    values : float64 array, shape (n_rows, n_columns)
        Without constants and missing cells.

    Returns
    -------
    list of (int, int)
        The column whose residual bends, and the other; the clearest first.
    """
    n, p = values.shape
    if p < 2 or n < 5 * p or n < _FEWEST_ROWS:
        return []
    unit = standardize(values)
    with single_blas_thread():
        precision = np.linalg.inv(tidied(unit.T @ unit) + 1e-6 * np.eye(p))
        unit *= np.sqrt(n)
        residuals = unit @ precision  # up to scale
        residuals /= norm(residuals, axis=0) / np.sqrt(n)
        residuals = _clipped(residuals)
        residuals -= residuals.mean(axis=0)
        squares = np.square(_clipped(unit))
        squares -= squares.mean(axis=0)
        bend = np.abs(residuals.T @ squares) / np.outer(norm(residuals, axis=0), norm(squares, axis=0))
    np.fill_diagonal(bend, 0.0)
    level = (np.sqrt(2.0 * np.log(p * p)) + _BEND_Z) / np.sqrt(n)
    rows, columns = np.nonzero(bend > max(level, _LEAST_BEND))
    order = np.argsort(-bend[rows, columns], kind="stable")
    return [(int(rows[k]), int(columns[k])) for k in order]


def _clipped(standard: np.ndarray) -> np.ndarray:
    """Bring cells far out, which would drown all others, to a few standard deviations, in place."""
    return np.clip(standard, -_CLIPPED, _CLIPPED, out=standard)
