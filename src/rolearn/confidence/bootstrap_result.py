"""What a bootstrap found."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from rolearn.confidence.consensus import medoid
from rolearn.confidence.patterns import PATTERNS, PatternCounts, PatternFrequency
from rolearn.confidence.refit import Refit
from rolearn.estimators.rol import ROL
from rolearn.graphs import CPDAG, PAG
from rolearn.runtime.budget import StopReason

__all__ = ["Bootstrap"]


class Bootstrap:
    """How often each edge and each mark came in fits to resamples of the rows.

    Attributes
    ----------
    model_ : ROL
        Fitted to all rows.
    consensus_ : PAG or CPDAG
        The fitted graph closest to the frequencies: of those of the resamples and of all rows the one with
        the fewest wrong marks to be expected. As valid as they are.
    graphs_ : tuple of PAG or CPDAG
        Of the resamples that were fitted, in the sequence of their numbers.
    edge_frequencies_ : float array, shape (p, p)
        How often each pair was adjacent; NaN where no resample had both.
    n_resamples_, n_fitted_, n_degenerate_, n_stopped_ : int
        How many were asked for; gave a graph; could not be fitted, as where a column is constant in the
        resample; weren't done at the time limit or a Ctrl-C. Frequencies are shares of those fitted.
    problems_ : tuple of str
        Why resamples could not be fitted, each once.
    stop_reason_ : StopReason or None
        Why not all were done.
    resample_ : str
        "half" or "bootstrap".
    seed_ : int
        What all draws were made from.
    feature_names_in_ : array of str
        The columns of the table, in their order.
    """

    def __init__(
        self,
        model: ROL,
        canonical: Sequence[str],
        results: Sequence[Refit | None],
        resample: str,
        seed: int,
        stop_reason: StopReason | None,
    ) -> None:
        self.model_, self.resample_, self.seed_, self.stop_reason_ = model, resample, seed, stop_reason
        self.feature_names_in_ = model.feature_names_in_
        done = [result for result in results if result is not None]
        self._fitted = [result for result in done if result.problem is None]
        self.n_resamples_, self.n_fitted_ = len(results), len(self._fitted)
        self.n_degenerate_ = len(done) - len(self._fitted)
        self.n_stopped_ = len(results) - len(done)
        self.problems_ = tuple(dict.fromkeys(result.problem for result in done if result.problem))
        self._canonical = tuple(canonical)
        self._counts = PatternCounts(self._names, (_placed(result, self._names) for result in self._fitted))

    @property
    def _names(self) -> tuple[str, ...]:
        return self.model_.graph_.names

    @property
    def graphs_(self) -> tuple[PAG | CPDAG, ...]:
        """The graphs of the resamples that were fitted."""
        kind = type(self.model_.graph_)
        return tuple(kind.unchecked(result.marks, result.names) for result in self._fitted)

    @property
    def edge_frequencies_(self) -> np.ndarray:
        """How often each pair was adjacent, (p, p)."""
        return self._counts.edge_shares()

    def frequencies(self, a: Hashable, b: Hashable) -> dict[str, float]:
        """Give the frequency of each pattern of marks, read from a to b; they sum to 1.

        The patterns are none, -->, <--, o->, <-o, o-o, <->, ---, --o and o--. All are NaN where no resample
        had both variables.

        Raises
        ------
        ParameterError
            When there is no such variable, or both are the same.
        """
        return self._counts.of_pair(a, b)

    def table(self) -> list[PatternFrequency]:
        """List the frequency of every pattern for every pair: source, target, pattern, frequency.

        Pairs come in the order of the columns, each with all ten patterns. ``pandas.DataFrame`` of the list
        is a dataframe.
        """
        return self._counts.table()

    @cached_property
    def consensus_(self) -> PAG | CPDAG:
        """The fitted graph closest to the frequencies."""
        graph = self.model_.graph_
        kind = type(graph)
        complete = [r for r in self._fitted if set(r.names) == set(self._names)]
        graphs = [graph, *(kind.unchecked(r.marks, r.names) for r in complete)]
        in_order = [_arranged(one, self._canonical) for one in graphs]
        places = [graph.index(name) for name in self._canonical]
        counts = self._counts.mark_counts()[np.ix_(places, places)]
        best = medoid(in_order, counts)
        return kind.unchecked(in_order[best], self._canonical).reorder(self._names)

    def __str__(self) -> str:
        """List the pairs that were adjacent in at least half of the fits, with their commonest pattern."""
        shares, edges = self._counts.shares(), self.edge_frequencies_
        lines = []
        for i, j in np.argwhere(np.triu(edges >= 0.5, 1)):
            k = 1 + int(np.argmax(shares[i, j, 1:]))
            lines.append((self._names[i], PATTERNS[k], self._names[j], edges[i, j], shares[i, j, k]))
        widths = [max((len(line[k]) for line in lines), default=0) for k in (0, 2)]
        listed = [
            f"{a:<{widths[0]}} {pattern} {b:<{widths[1]}}  edge {edge:.2f}  as drawn {share:.2f}"
            for a, pattern, b, edge, share in lines
        ]
        return "\n".join([f"{self.n_fitted_} of {self.n_resamples_} resamples ({self.resample_})", *listed])

    def __repr__(self) -> str:
        return f"Bootstrap({self.n_fitted_} of {self.n_resamples_} resamples, {len(self._names)} variables)"


def _placed(result: Refit, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Give the marks among variables of these names, and the positions of those among them.

    Of columns that copy each other a resample may leave out another one.
    """
    place = {name: i for i, name in enumerate(names)}
    there = [i for i, name in enumerate(result.names) if name in place]
    positions = np.array([place[result.names[i]] for i in there], np.int64)
    return result.marks[np.ix_(there, there)], positions


def _arranged(graph: PAG | CPDAG, names: tuple[str, ...]) -> np.ndarray:
    return np.ascontiguousarray(graph.reorder(names).marks)
