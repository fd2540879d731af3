"""``rolearn simulate``: data with a known truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np

    from rolearn.graphs import DAG

__all__ = ["simulate"]


def simulate(
    samples: Annotated[int, typer.Option(metavar="N", help="Rows to draw.")],
    network: Annotated[
        str | None, typer.Option(metavar="NAME", help="A published network, such as insurance.")
    ] = None,
    er: Annotated[
        str | None, typer.Option(metavar="N,DEGREE", help="A random DAG: vertices, expected degree.")
    ] = None,
    hidden: Annotated[int, typer.Option(metavar="K", help="Variables to hide, chosen at random.")] = 0,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same data.")] = 0,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="The data (.csv .tsv .parquet .feather)."),
    ] = None,
    truth: Annotated[str | None, typer.Option(metavar="FILE", help="The true graphs, as JSON.")] = None,
) -> int:
    """Draw data from a linear model over a known DAG, hiding some of its variables.

    Without -o the data goes to stdout as CSV. Coefficients are uniform on 1 to 1.5 with either sign,
    noise is normal with a standard deviation of 0.7 to 1.2.
    """
    import numpy as np

    from rolearn.cli.streams import check_writable, write_result
    from rolearn.data import simulation
    from rolearn.data.writers import check_table_suffix, table_text, write_table
    from rolearn.export import document_text, truth_document
    from rolearn.export.registry import write_text_file

    rng = np.random.default_rng(_checked_seed(seed))
    dag = _chosen_dag(network, er, rng)
    if output is not None:
        check_table_suffix(output)
    for path in (output, truth):
        if path is not None:
            check_writable(path)
    drawn = simulation.simulate(dag, samples, hidden, rng)
    if truth is not None:
        settings = {"network": network, "er": er, "hidden": hidden, "samples": samples, "seed": seed}
        write_text_file(truth, document_text(truth_document(drawn, settings)))
    if output is None:
        write_result(table_text(drawn.table))
    else:
        write_table(drawn.table, output)
    return 0


def _checked_seed(seed: int) -> int:
    from rolearn.runtime.errors import ParameterError

    if seed < 0:
        raise ParameterError(f"--seed is {seed}; give a whole number of at least 0")
    return seed


def _chosen_dag(network: str | None, er: str | None, rng: np.random.Generator) -> DAG:
    from rolearn.data.networks import load_network
    from rolearn.data.simulation import random_dag
    from rolearn.runtime.errors import ParameterError

    if (network is None) == (er is None):
        raise ParameterError("give either --network NAME or --er N,DEGREE")
    if network is not None:
        return load_network(network)
    n, degree = _size_and_degree(er or "")
    return random_dag(n, degree / (n - 1), rng)


def _size_and_degree(text: str) -> tuple[int, float]:
    from rolearn.runtime.errors import ParameterError

    size, _, expected = text.partition(",")
    try:
        n, degree = int(size), float(expected)
    except ValueError:
        raise ParameterError(
            f"--er is {text!r}; give a number of vertices and a degree, such as 50,4"
        ) from None
    if n < 2 or not 0 <= degree <= n - 1:
        raise ParameterError(
            f"--er is {text!r}; give at least 2 vertices and a degree from 0 to {max(n - 1, 1)}"
        )
    return n, degree
