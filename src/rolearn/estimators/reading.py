"""What a fitted model answers about itself in words and tables."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from rolearn.estimators.saved import save_model
from rolearn.estimators.settings import check_alpha
from rolearn.graphs import CPDAG, PAG
from rolearn.graphs.readable import named_pair
from rolearn.graphs.sentences import listed
from rolearn.separations.markov_check import Independence, MarkovCheck
from rolearn.separations.separating_sets import SeparatingSets, Separation

__all__ = ["ReadableModel"]

_REASONS = {
    "boundary": "one was outside the other's Markov boundary",
    "test": "a test separated them",
    "score": "the likelihood of the graph is better without an edge",
}


class ReadableModel:
    """Questions to a fitted model; a part of `ROL`."""

    graph_: PAG | CPDAG
    separating_sets_: SeparatingSets
    n_samples_: float | None
    alpha: float

    def explain(self, a: Any, b: Hashable | None = None) -> str:
        """Say in a sentence what the edge between two variables means, or why there is none.

        Parameters
        ----------
        a, b
            Two names; or an `Edge`, a pair, or text such as ``"A o-> B"`` alone.

        Returns
        -------
        str
            For an edge what its marks mean; for two variables that aren't adjacent the set that separates
            them, the p-value of that independence, and how it was found.

        Raises
        ------
        ParameterError
            When a name is unknown, both are one, or the edge isn't in the graph.

        Examples
        --------
        >>> import rolearn
        >>> dag = rolearn.DAG.from_edges([("A", "C"), ("B", "C"), ("C", "D")])
        >>> model = rolearn.learn(rolearn.Oracle(dag))
        >>> print(model.explain("C", "D"))
        C is a cause of D, directly or through others, and no unmeasured variable causes both.
        >>> print(model.explain("A", "D"))
        A and D are not adjacent: they are independent given C (as the oracle says).
        """
        sentence = self.graph_.explain(a, b)
        first, second, _ = named_pair(a, b)
        separation = self.separating_sets_.get((str(first), str(second)))
        if separation is None:
            return sentence
        return self._absence(str(first), str(second), separation)

    def _absence(self, a: str, b: str, separation: Separation) -> str:
        apart = f"{a} and {b} are not adjacent"
        if separation.reason == "isolated":
            return f"{apart}: no statistic can use one of them, which was kept without edges."
        condition = f"given {listed(separation.given)}" if separation.given else "without any condition"
        sentence = f"{apart}: they are independent {condition}"
        if self.n_samples_ is None:
            return f"{sentence} (as the oracle says)."
        how = _REASONS.get(separation.reason, separation.reason)
        doubt = "; so small a p-value speaks against it" if separation.p_value < self.alpha else ""
        return f"{sentence} (p = {separation.p_value:.2g}; {how}{doubt})."

    def markov_check(self, alpha: float | None = None) -> MarkovCheck:
        """Test the independences that the graph implies, on the data it was learned from.

        One for each pair that isn't adjacent, given a minimal set that separates the two in a member of the
        class. Where the graph is right the p-values are about uniform.

        Parameters
        ----------
        alpha : float, optional
            The level that rejections are counted at; that of the fit where not given.

        Returns
        -------
        MarkovCheck
            A list of `Independence` (a, b, given, p_value), with ``share_below``, ``uniformity`` and
            ``summary``; ``to_csv`` writes it.

        Raises
        ------
        ParameterError
            When the graph isn't valid, or the model was loaded and its test was a function of yours.

        Examples
        --------
        >>> import rolearn
        >>> dag = rolearn.DAG.from_edges([("A", "B"), ("B", "C")])
        >>> print(rolearn.learn(rolearn.Oracle(dag)).markov_check())
        a  b  given  p_value
        A  C  B      1
        """
        level = check_alpha(self.alpha if alpha is None else alpha)
        member = self.graph_.mag() if isinstance(self.graph_, PAG) else self.graph_.dag()
        rows = [Independence(*row) for row in self.separating_sets_.implied(member)]
        return MarkovCheck(rows, level, self.n_samples_ is None)

    def save(self, path: str | Path) -> None:
        """Write the fitted model to a JSON file, which `rolearn.load` reads back.

        It holds the graph, so that `read_graph` reads it too, the separating sets, the settings, and the
        sufficient statistics. A test that is a function of yours is not kept.

        Raises
        ------
        ParameterError
            When the path can't be written.

        Examples
        --------
        >>> import rolearn, pathlib, tempfile
        >>> model = rolearn.learn(rolearn.Gaussian([[1, 0.6], [0.6, 1]], n_samples=100))
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
        >>> model.save(path)
        >>> rolearn.load(path).pag_ == model.pag_
        True
        """
        save_model(self, path)
