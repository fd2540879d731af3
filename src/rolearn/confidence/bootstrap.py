"""Fits to many resamples of the rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rolearn.confidence.bootstrap_result import Bootstrap
from rolearn.confidence.refit import RESAMPLES, Frame, Refit, check_test, refit
from rolearn.confidence.repeats import Repeats, settings_of_each
from rolearn.data.table import Table, as_table
from rolearn.estimators.rol import ROL
from rolearn.independence import Statistics
from rolearn.runtime.budget import Budget
from rolearn.runtime.errors import ParameterError, warn
from rolearn.runtime.parameters import check_choice, check_count

__all__ = ["bootstrap"]


def bootstrap(X: Any, n: int = 200, resample: str = "half", **parameters: Any) -> Bootstrap:
    """Learn from many resamples of the rows, and count how often each edge and each mark comes.

    Each resample goes the way of all rows: transformed, checked and fitted by the same parameters, with a
    seed of its own; columns that all rows leave out or keep without edges stay so. Its fit searches less than
    `ROL.fit`: from one start where ``n_starts`` isn't given, over graphs by small districts first and up to
    some work, and from the graph where that ends it doesn't search on. Frequencies are as right.

    Parameters
    ----------
    X : DataFrame of any library, array of shape (rows, columns), or Table
        Rows as `ROL.fit` takes them.
    n : int
        The number of resamples.
    resample : "half" or "bootstrap"
        "half" draws half of the rows, none twice; "bootstrap" draws as many rows as there are, with
        replacement. Repeated rows count as independent observations, so that a bootstrap adds edges that
        neither the table nor the truth has; half of the rows carry less, so that weak edges come less often.
    **parameters
        Those of `ROL`. ``time_limit`` is for all of it. ``n_jobs`` is how many resamples run at once; where
        it isn't given, all cores or what `joblib.parallel_config` says, whose ``backend="dask"`` takes them
        to a cluster. ``progress`` is told the share of resamples that are done. A test that is a callable
        needs a method ``of_rows(rows)`` that makes the test over the rows at these positions (int64 array);
        it runs in processes, so that it and its rows have to be picklable.

    Returns
    -------
    Bootstrap
        The same for any number of workers, backend, order of columns and names.

    Raises
    ------
    DataError
        When the table can't be used; names the columns.
    ParameterError
        When a parameter isn't allowed, or there are no rows to resample.

    Warns
    -----
    RolearnWarning
        When resamples could not be fitted, as where a column is constant in them.

    Examples
    --------
    >>> import rolearn
    >>> from rolearn.data.networks import load_sachs
    >>> resamples = rolearn.bootstrap(load_sachs(), n=5, transform="rank")
    >>> resamples.frequencies("raf", "mek")["o-o"]
    1.0
    """
    model = ROL().set_params(**parameters)
    count = check_count("n", n)
    check_choice("resample", resample, RESAMPLES)
    plan = model._plan()
    check_test(model.test)
    if isinstance(X, Statistics):
        raise ParameterError(f"a bootstrap resamples rows, and {type(X).__name__} has none; give the rows")
    budget = Budget(model.time_limit)
    table = as_table(X, discrete=model.discrete, missing=model.missing)
    for note in () if isinstance(X, Table) else table.notes:
        warn(note)
    given = model._read(table)
    settings = settings_of_each(model, plan.seed)
    settings["discrete"] = ()  # the table's kinds say so
    model._learn(plan, given, budget)
    if plan.knowledge is not None:
        settings["knowledge"] = plan.knowledge.without((*given.dropped, *given.isolated))
    repeats = Repeats(model.n_jobs, not callable(model.test), "resamples", model.progress)
    frame, values = Frame.of(table, given)
    results: list[Refit | None] = repeats.run(
        refit, range(count), (values, frame, settings, resample), budget
    )
    _warn_of_problems(results)
    canonical = (*given.statistics.names, *given.isolated)
    return Bootstrap(model, canonical, results, resample, plan.seed, budget.reason)


def _warn_of_problems(results: list[Refit | None]) -> None:
    problems = Counter(result.problem for result in results if result is not None and result.problem)
    if problems:
        [(sentence, _)] = problems.most_common(1)
        n_done = sum(result is not None for result in results)
        more = "" if len(problems) == 1 else ", most often since"
        reason = f"{more} {sentence}" if more else f": {sentence}"
        warn(f"{problems.total()} of {n_done} resamples could not be fitted and don't count{reason}")
