"""The benchmarks by name: their problems, and the methods that are run where nobody says which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rolearn.benchmarks.problems import TABLE1, TABLE2, Problem, er, network, random_dag, table1, table2, weak
from rolearn.data.networks import load_network
from rolearn.runtime.errors import ParameterError
from rolearn.runtime.suggestions import did_you_mean

__all__ = ["BENCHMARKS", "Benchmark", "Case", "find_benchmark", "structures"]

WITH_LATENTS = (
    "default",
    "rol_hc",
    "rol_pg",
    "l_marvel",
    "mbcs",
    "rcd-rol_hc",
    "rcd-l_marvel",
    "fcit",
    "boss-fci",
    "grasp-fci",
    "gfci",
    "rfci",
    "tetrad-fci",
    "fci",
    "andrey-fci",
    "andrey-gfci",
    "whydra-rfci",
    "whydra-fci+",
    "gspo",
)
WITHOUT_LATENTS = (
    "default-no-latents",
    "rsl",
    "flop",
    "flop-20-restarts",
    "boss",
    "andrey-boss",
    "causal-learn-boss",
    "ges",
    "pc",
    "notears",
)


@dataclass(frozen=True)
class Case:
    """A problem at one place of a figure.

    Attributes
    ----------
    problem : str
        One panel of the figure for each.
    draw : callable
        Gives the problem of a run: 0, 1, ...
    at : float, optional
        The place on the axis, such as the number of rows.
    options : dict
        For all methods, besides their own.
    """

    problem: str
    draw: Callable[[int], Problem]
    at: float | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """Cases that are shown together.

    Attributes
    ----------
    about : str
        One line.
    axis : str
        What the places of the cases are; empty where they have none.
    scores : tuple of str
        Columns that the figure shows, a row of panels for each.
    against : str
        The column on the horizontal axis, where it isn't the place.
    """

    name: str
    about: str
    cases: tuple[Case, ...]
    methods: tuple[str, ...]
    axis: str = ""
    scores: tuple[str, ...] = ("f1",)
    against: str = ""

    def only(self, problems: Sequence[str]) -> Benchmark:
        """Leave some problems of it.

        Raises
        ------
        ParameterError
            When it has no problem of a name.
        """
        known = list(dict.fromkeys(case.problem for case in self.cases))
        for name in problems:
            if name not in known:
                raise ParameterError(
                    f"{self.name} has no problem {name!r}{did_you_mean(name, known)};"
                    f" it has {', '.join(known)}"
                )
        return replace(self, cases=tuple(case for case in self.cases if case.problem in problems))


def _drawn(draw: Callable[..., Problem], **more: Any) -> Callable[[int], Problem]:
    """Give a draw by the number of the run alone."""
    return lambda run: draw(repetition=run, **more)


def _over_rows(name: str) -> tuple[Case, ...]:
    sizes = (250, 500, 1000, 2000, 4000)
    return tuple(Case(name, _drawn(network, name=name, n_rows=rows), rows) for rows in sizes)


def _er_case(n: int) -> Case:
    return Case("er", _drawn(er, n=n, probability=n**-0.7), n)


def _mag_er_case(n: int) -> Case:
    return Case("mag-er", _drawn(random_dag, n=n, degree=3, n_rows=50 * n, hidden=n // 10), n)


def _scale_case(problem: str, n: int, rows: int) -> Case:
    return Case(
        problem, _drawn(random_dag, n=n, degree=4, n_rows=rows), n if problem == "variables" else rows
    )


_ALL = (
    Benchmark(
        name="table1",
        about="the paper's table 1: small networks, nothing hidden",
        cases=tuple(Case(name, _drawn(table1, name=name)) for name in TABLE1),
        methods=("default", "rol_hc", "rol_vi", "rol_pg", "l_marvel", "mbcs", *WITHOUT_LATENTS, "corl"),
    ),
    Benchmark(
        name="table2",
        about="the paper's table 2: networks with hidden variables, 50 rows a variable",
        cases=tuple(Case(name, _drawn(table2, name=name)) for name in TABLE2),
        methods=(*WITH_LATENTS, *WITHOUT_LATENTS),
        scores=("f1", "wrong_marks"),
    ),
    Benchmark(
        name="dag-er",
        about="Er(n, n^-0.7) of 10 to 100 variables, nothing hidden, 50 rows a variable",
        cases=tuple(map(_er_case, range(10, 101, 10))),
        methods=("default", "rol_hc", "rol_pg", *WITHOUT_LATENTS),
        axis="variables",
    ),
    Benchmark(
        name="dag-networks",
        about="alarm, barley and hepar2, nothing hidden, over the number of rows",
        cases=(*_over_rows("alarm"), *_over_rows("barley"), *_over_rows("hepar2")),
        methods=("default", "rol_hc", "rol_pg", *WITHOUT_LATENTS),
        axis="rows",
    ),
    Benchmark(
        name="density",
        about="Er(50, p) for p of .04 to .08, nothing hidden, 2500 rows",
        cases=tuple(Case("er50", _drawn(er, n=50, probability=p / 100), p / 100) for p in range(4, 9)),
        methods=("default", "rol_hc", "rol_pg", *WITHOUT_LATENTS),
        axis="probability of an edge",
    ),
    Benchmark(
        name="roc",
        about="alarm over the level of the tests, nothing hidden, 50 rows a variable",
        cases=tuple(
            Case("alarm", _drawn(table1, name="alarm"), alpha, {"alpha": alpha})
            for alpha in (0.0001, 0.001, 0.01, 0.05, 0.1, 0.2)
        ),
        methods=("default", "rol_hc", "l_marvel", "mbcs", "rsl", "tetrad-fci", "fci", "pc"),
        axis="alpha",
        scores=("recall",),
        against="false_positive_rate",
    ),
    Benchmark(
        name="runtime",
        about="seconds on barley over the number of rows, nothing hidden",
        cases=_over_rows("barley"),
        methods=("default", "rol_hc", "rol_pg", *WITHOUT_LATENTS),
        axis="rows",
        scores=("seconds",),
    ),
    Benchmark(
        name="mag-er",
        about="random graphs of degree 3, a tenth as many hidden common causes, 50 rows a variable",
        cases=tuple(map(_mag_er_case, (20, 40, 60, 80, 100))),
        methods=(*WITH_LATENTS, *WITHOUT_LATENTS),
        axis="variables",
        scores=("f1", "wrong_marks", "arrowhead_f1", "tail_f1", "circle_f1"),
    ),
    Benchmark(
        name="weak",
        about="50 variables, 5 hidden common causes, coefficients of .2 to .8, over the number of rows",
        cases=tuple(Case("weak", _drawn(weak, n_rows=rows), rows) for rows in (500, 1000, 2000, 5000)),
        methods=(*WITH_LATENTS, *WITHOUT_LATENTS),
        axis="rows",
        scores=("f1", "wrong_marks", "arrowhead_f1", "tail_f1", "circle_f1"),
    ),
    Benchmark(
        name="scale",
        about="seconds and memory over variables (2000 rows) and rows (100 variables), degree 4",
        cases=(
            *(_scale_case("variables", n, 2000) for n in (25, 50, 100, 200, 400)),
            *(_scale_case("rows", 100, rows) for rows in (500, 2000, 8000, 32000)),
        ),
        methods=(
            "default",
            "default-no-latents",
            "rol_hc",
            "flop",
            "flop-20-restarts",
            "boss",
            "fcit",
            "boss-fci",
        ),
        axis="variables or rows",
        scores=("seconds", "peak_mb"),
    ),
)

BENCHMARKS = {benchmark.name: benchmark for benchmark in _ALL}


def find_benchmark(name: str) -> Benchmark:
    """Give a benchmark by its name.

    Raises
    ------
    ParameterError
        When there is none; lists those there are.
    """
    if name not in BENCHMARKS:
        raise ParameterError(
            f"there is no benchmark {name!r}{did_you_mean(name, BENCHMARKS)};"
            f" there are {', '.join(BENCHMARKS)}"
        )
    return BENCHMARKS[name]


def structures(names: Sequence[str]) -> list[dict[str, object]]:
    """Give the paper's table of structures: variables, edges, largest in-degree and largest degree."""
    rows: list[dict[str, object]] = []
    for name in names:
        arrows = load_network(name).marks == 2
        rows.append(
            {
                "network": name,
                "variables": len(arrows),
                "edges": int(arrows.sum()),
                "in_degree": int(arrows.sum(0).max()),
                "degree": int((arrows | arrows.T).sum(0).max()),
            }
        )
    return rows
