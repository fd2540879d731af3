"""The estimator: what a user fits."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rolearn.estimators.conflicts import NamedConflict
from rolearn.estimators.inputs import Input, read_input
from rolearn.estimators.learned import Learned, Plan, carry_out
from rolearn.estimators.reading import ReadableModel
from rolearn.estimators.restricted import restricted_graph
from rolearn.estimators.saved import read_model
from rolearn.estimators.settings import (
    Search,
    check_alpha,
    check_collider_sets,
    check_progress,
    chosen_cost,
    chosen_search,
    refuse_fit_parameters,
    seed_of,
    thread_count,
)
from rolearn.graphs import CPDAG, PAG
from rolearn.graphs.validity import check_cpdag, check_pag
from rolearn.knowledge import Knowledge, as_knowledge
from rolearn.orders.bic import BIC
from rolearn.orders.cost import NeighborCount
from rolearn.orders.progress import ProgressCallback
from rolearn.runtime.budget import Budget, StopReason
from rolearn.runtime.errors import ParameterError, warn
from rolearn.runtime.parameters import check_count, check_flag
from rolearn.separations.separating_sets import SeparatingSets

__all__ = ["ROL", "learn", "load"]


class ROL(ReadableModel):
    """Learn a partial ancestral graph by a removable order (Mokhtarian et al., AAAI 2023).

    Follows scikit-learn's conventions without needing it: parameters here, data in `fit`, results in
    attributes that end in an underscore.

    Parameters
    ----------
    search : "hill-climb", "exact", "recursive", "policy-gradient", or such an object
        How to look for a cheap order: `HillClimb`, `Exact`, `Recursive` or `PolicyGradient`; the last needs
        ``rolearn[rl]``. `ColliderSets` looks for no order.
    cost : "auto", "bic", "neighbors", BIC or NeighborCount
        What an order costs; "auto" is bic for rows and Gaussian statistics, neighbors for an Oracle or a
        callable test. For discrete columns alone bic has a multinomial likelihood.
    test : "auto", "fisher-z", "degenerate-gaussian", "g-square", "chi-square" or callable
        The independence test, and with it the likelihood of the bic cost. "auto" is fisher-z for continuous
        columns, g-square for discrete ones, degenerate-gaussian for both (which sees neither interactions
        without main effects, such as an exclusive or, nor variances that a level changes). A callable takes
        ``(x, y, given)``, all by name, and gives a p-value; a ``CIT`` object of causal-learn, made of the
        same columns in the same order, is taken as it is.
    alpha : float
        Level of the separation tests, and of nothing else; an oracle ignores it.
    legal : bool
        Believe separations only while the graph stays valid, so that the result always is; with the bic cost
        of continuous columns a search over valid graphs by their likelihood follows.
    latents : bool
        Allow for unmeasured causes. If False the result is a CPDAG.
    knowledge : Knowledge, dict or path, optional
        What is known beforehand: a `Knowledge`, a dict of its parameters, or a file for `Knowledge.read`.
        Orders keep to tiers and required causes, and required edges to the graph. Otherwise the data alone
        decide on `pag_`; `restricted_pag_` adds the marks that knowledge forces.
    transform : None or "rank"
        "rank" takes each continuous column's ranks to normal scores before all else (nonparanormal).
    discrete : "auto" or list of str
        Columns of numbers that stand for categories. Text, booleans and categories are discrete in any case,
        and "auto" reads no numbers so; it warns of whole numbers that take few values.
    missing : "error", "listwise" or "pairwise"
        What is done with missing cells: refuse them, leave out rows that have any, or compare each pair of
        columns on the rows that have both (contingency tests: on those complete for all their variables).
        Then the n of a test is the smallest number of rows that two of its variables share, the bic cost has
        the harmonic mean over all pairs, and correlations that fit together badly are replaced by the nearest
        that are those of some table. Both ways of leaving out are valid where cells are missing completely at
        random (MCAR): whether one is depends on no value. Pairs are worth it where few rows are complete.
    degenerate : "error", "drop" or "isolate"
        What is done with columns that no statistic can use (constants, row numbers, a level in every row,
        copies, columns that others determine): refuse them, leave them out, or keep them as variables
        without edges. Of columns that determine each other as many go as must.
    n_starts : int, optional
        Searches to run: the first as set, the others of a climb from its first order scattered at random. The
        cheapest order wins, and with the bic cost the best graph found from any of their orders. Where not
        given one; of climbs with the bic cost over numbers two, and up to five if these end at orders that
        cost differently; ten with ``latents=False``. Fewer of more than 100 variables, or 50: one beyond 250.
    time_limit : float, optional
        Seconds after which the search stops with the best order so far.
    n_jobs : int, optional
        Threads for several starts; -1 for all cores, one where it isn't given. `joblib.parallel_config` sends
        the starts to processes or a cluster, and n_jobs is how many run at once there. The result doesn't
        depend on it.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Seed of random starts; the default is fixed, None is new each time.
    progress : callable, optional
        Receives `Progress` reports; may be called from another thread.

    Attributes
    ----------
    pag_ : PAG
        The result where ``latents``; always valid where ``legal``.
    cpdag_ : CPDAG
        The result where not ``latents``.
    graph_ : PAG or CPDAG
        Whichever of the two there is.
    restricted_pag_, restricted_cpdag_ : PAG, CPDAG
        With knowledge: `pag_` or `cpdag_` with the marks that knowledge forces and those that follow. It need
        not be the PAG or CPDAG of any Markov class; ``restricted_graph_`` is whichever there is. Where
        knowledge contradicts the graph, a warning names the edge, which here is as knowledge has it.
    knowledge_ : Knowledge or None
    knowledge_contradictions_ : list of str
    skeleton_ : bool array, shape (p, p)
        Where the graph has edges, in the order of `feature_names_in_`.
    separating_sets_ : mapping
        ``separating_sets_[a, b]`` is a `Separation` (given, p_value, reason), or None for adjacent pairs.
    order_ : tuple of str
        The best order, first removed first.
    cost_ : float
        Its cost: for neighbors the number of edges of its graph before the legal step, for bic the penalized
        likelihood of its DAG; NaN where a search through the rows was stopped before it was known.
    optimal_, lower_bound_
        Whether `cost_` is proved to be the least of all orders, and what every order is proved to cost at
        least: `cost_` itself where optimal, less where `Exact` was stopped, None where nothing is proved.
    trace_ : list of (float, float)
        Seconds since the start of the fit, and the lowest cost from then on.
    stop_reason_ : StopReason
    n_tests_ : int
        Distinct independence tests asked, exact up to two million a search; beyond that tests asked again
        count again. Boundaries read off a precision matrix are not counted.
    conflicts_ : list of NamedConflict
        Where separating sets contradict each other.
    column_kinds_ : dict of str to str
        How each column was read: "continuous" or "discrete". Empty for an Oracle and the like.
    feature_names_in_ : array of str, n_features_in_ : int, n_samples_ : float or None
        The variables of the graph, without columns that were dropped; and the rows used.
    """

    def __init__(
        self,
        search: str | Search = "hill-climb",
        cost: str | NeighborCount | BIC = "auto",
        test: str | Callable[[str, str, tuple[str, ...]], float] = "auto",
        alpha: float = 0.05,
        legal: bool = True,
        latents: bool = True,
        knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
        transform: str | None = None,
        discrete: str | Iterable[str] = "auto",
        missing: str = "error",
        degenerate: str = "error",
        n_starts: int | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = 0,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.search = search
        self.cost = cost
        self.test = test
        self.alpha = alpha
        self.legal = legal
        self.latents = latents
        self.knowledge = knowledge
        self.transform = transform
        self.discrete = discrete
        self.missing = missing
        self.degenerate = degenerate
        self.n_starts = n_starts
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: None = None, **unsupported: Any) -> ROL:
        """Learn from rows or statistics.

        Parameters
        ----------
        X : DataFrame of any library, array of shape (rows, columns), Table, Gaussian, Oracle or CallableTest
            Columns of an array are named X1, X2, ...
        y : None
            Ignored; there for scikit-learn's pipelines.
        **unsupported
            Refused: rows can't be weighted, nor clustered.

        Returns
        -------
        ROL
            This object, fitted.

        Raises
        ------
        DataError
            When the data can't be used; names the columns and what to do.
        ParameterError
            When a parameter is not allowed.
        KnowledgeError
            When background knowledge contradicts itself, or names what is no column.

        Warns
        -----
        RolearnWarning
            For what was decided on the user's behalf, for a graph that is not valid (``legal=False``), and
            where background knowledge contradicts the data.
        """
        refuse_fit_parameters(unsupported)
        plan = self._plan()
        budget = Budget(self.time_limit)
        return self._learn(plan, self._read(X), budget)

    def _read(self, X: Any, again: bool = False) -> Input:
        policies = (self.transform, self.discrete, self.missing, self.degenerate)
        return read_input(X, self.test, *policies, again)

    def _learn(self, plan: Plan, given: Input, budget: Budget) -> ROL:
        known = plan.knowledge
        if known is not None:
            plan = replace(plan, knowledge=known.without((*given.dropped, *given.isolated)))
        learned = carry_out(plan, given.statistics, budget)
        self._keep(given, learned)
        self._restrict(given, learned, known)
        if not self.legal:
            self._warn_of_problems()
        return self

    def _plan(self) -> Plan:
        search, cost = chosen_search(self.search), chosen_cost(self.cost)
        legal = check_flag("legal", self.legal)
        check_collider_sets(search, cost, legal)
        return Plan(
            search=search,
            cost=cost,
            alpha=check_alpha(self.alpha),
            legal=legal,
            latents=check_flag("latents", self.latents),
            n_starts=None if self.n_starts is None else check_count("n_starts", self.n_starts),
            threads=thread_count(self.n_jobs),
            seed=seed_of(self.random_state),
            progress=check_progress(self.progress),
            knowledge=as_knowledge(self.knowledge),
            n_jobs=self.n_jobs,
        )

    def _keep(self, given: Input, learned: Learned) -> None:
        inner, apart = given.statistics.names, len(given.isolated)
        marks = np.pad(learned.orientation.marks, (0, apart))
        everything = (*inner, *given.isolated)
        self.__dict__.pop("pag_", None)
        self.__dict__.pop("cpdag_", None)
        if self.latents:
            self.graph_ = self.pag_ = PAG.unchecked(marks, everything).reorder(given.names)
            member = check_pag(learned.orientation.marks).member if self.legal else None
        else:
            self.graph_ = self.cpdag_ = CPDAG.unchecked(marks, everything).reorder(given.names)
            member = check_cpdag(learned.orientation.marks).member if self.legal else None
        self.skeleton_ = self.graph_.skeleton
        self.separating_sets_ = SeparatingSets(
            given.statistics, learned.evidence, member, given.names, given.isolated
        )
        self.order_ = (*given.isolated, *(inner[i] for i in learned.order))
        self.cost_ = learned.cost
        self.optimal_ = learned.optimal
        self.lower_bound_ = learned.cost if self.optimal_ else learned.lower_bound
        self.trace_ = learned.trace
        self.stop_reason_: StopReason = learned.stop_reason
        self.n_tests_ = learned.n_tests
        self.conflicts_ = [NamedConflict.of(c, inner) for c in learned.orientation.conflicts]
        self.column_kinds_ = {name: given.kinds[name].kind for name in given.names if name in given.kinds}
        self.feature_names_in_ = np.array(given.names, dtype=object)
        self.n_features_in_ = len(given.names)
        self.n_samples_ = given.n_samples

    def _restrict(self, given: Input, learned: Learned, knowledge: Knowledge | None) -> None:
        for name in ("restricted_pag_", "restricted_cpdag_", "restricted_graph_"):
            self.__dict__.pop(name, None)
        self.knowledge_ = knowledge
        self.knowledge_contradictions_: list[str] = []
        if knowledge is None:
            return
        inner, self.knowledge_contradictions_ = restricted_graph(
            learned, self.latents, given.statistics.names
        )
        marks = np.pad(inner.marks, (0, len(given.isolated)))
        whole = type(inner).unchecked(marks, (*inner.names, *given.isolated))
        self.restricted_graph_ = whole.reorder(given.names)
        setattr(self, "restricted_pag_" if self.latents else "restricted_cpdag_", self.restricted_graph_)

    def _warn_of_problems(self) -> None:
        problems = self.graph_.problems()
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            warn(
                f"the graph found is not a valid {self.graph_.kind.upper()}: {problems[0]}{more}; "
                "legal=True gives one that is"
            )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the parameters by name (scikit-learn's convention)."""
        return {name: getattr(self, name) for name in _PARAMETERS}

    def set_params(self, **parameters: Any) -> ROL:
        """Set parameters by name.

        Raises
        ------
        ParameterError
            When there is none of a name.
        """
        for name, value in parameters.items():
            if name not in _PARAMETERS:
                raise ParameterError(f"ROL has no parameter {name!r}; it has {', '.join(_PARAMETERS)}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether `fit` has been called (scikit-learn's convention)."""
        return "graph_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        """Give scikit-learn's tags: rows alone, no target. Imports scikit-learn, which is the one to ask."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def __repr__(self) -> str:
        defaults = inspect.signature(ROL).parameters
        set_ = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not _same(value, defaults[name].default)
        ]
        return f"ROL({', '.join(set_)})"

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_") and not name.startswith("_"):
            if "graph_" not in self.__dict__:
                raise AttributeError(f"this ROL has no {name} yet; call fit(X) first")
            if name.startswith("restricted_") and self.knowledge_ is None:
                raise AttributeError(f"this ROL has no {name}: it was given no knowledge")
            if name in ("restricted_pag_", "restricted_cpdag_"):
                raise AttributeError(f"with latents={self.latents} there is no {name}; see restricted_graph_")
            if name in ("pag_", "cpdag_"):
                other = "cpdag_" if name == "pag_" else "pag_"
                raise AttributeError(f"with latents={self.latents} the result is {other}, not {name}")
        raise AttributeError(f"ROL has no attribute {name!r}")


_PARAMETERS = tuple(inspect.signature(ROL).parameters)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def learn(X: Any, **parameters: Any) -> ROL:
    """Fit a `ROL` with these parameters; gives the fitted model.

    Raises
    ------
    DataError, ParameterError
        As `ROL.fit`; also ParameterError for an unknown parameter.

    Examples
    --------
    >>> import numpy as np, rolearn
    >>> rows = np.random.default_rng(0).standard_normal((500, 3))
    >>> rows[:, 2] += rows[:, 0] + rows[:, 1]
    >>> model = rolearn.learn(rows)
    >>> print(model.pag_)
    X1 o-> X3
    X2 o-> X3
    >>> model.separating_sets_["X1", "X2"].given
    ()
    """
    return ROL().set_params(**parameters).fit(X)


def load(path: str | Path) -> ROL:
    """Read a fitted model that `ROL.save` wrote.

    Everything is as it was, p-values and `ROL.markov_check` included. A ``test`` that was a function isn't
    kept, nor a ``random_state`` that was a generator: the defaults stand in, with a warning.

    Raises
    ------
    DataError
        When the file isn't there, is no such model, is damaged, or was written by a newer version.

    Warns
    -----
    RolearnWarning
        When settings couldn't be kept.
    """
    types = (BIC, NeighborCount, Knowledge, *Search.__args__)
    return read_model(path, ROL, {kind.__name__: kind for kind in types})
