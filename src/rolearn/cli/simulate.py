"""``rolearn simulate``: data with a known truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rolearn.cli.completion import network_names

if TYPE_CHECKING:
    import numpy as np

    from rolearn.graphs import DAG

__all__ = ["simulate"]


def simulate(
    samples: Annotated[str, typer.Option(metavar="N", help="Rows to draw.")],
    network: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="A published network, such as insurance.", autocompletion=network_names
        ),
    ] = None,
    er: Annotated[
        str | None, typer.Option(metavar="N,DEGREE", help="A random DAG: vertices, expected degree.")
    ] = None,
    hidden: Annotated[str, typer.Option(metavar="K", help="Variables to hide, chosen at random.")] = "0",
    seed: Annotated[str, typer.Option(metavar="S", help="The same seed gives the same data.")] = "0",
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

    from rolearn.cli.files import save
    from rolearn.cli.streams import write_result
    from rolearn.cli.values import whole_number
    from rolearn.data import simulation
    from rolearn.data.writers import table_bytes, table_text
    from rolearn.export import document_text, truth_document

    n_samples = whole_number("--samples", samples, least=1)
    n_hidden = whole_number("--hidden", hidden, least=0)
    number = whole_number("--seed", seed, least=0)
    rng = np.random.default_rng(number)
    dag = _chosen_dag(network, er, rng)
    _check_files(output, truth)
    drawn = simulation.simulate(dag, n_samples, n_hidden, rng)
    if truth is not None:
        settings = {"network": network, "er": er, "hidden": n_hidden, "samples": n_samples, "seed": number}
        save(truth, document_text(truth_document(drawn, settings)))
    if output is None:
        write_result(table_text(drawn.table))
    else:
        save(output, table_bytes(drawn.table, output))
    return 0


def _check_files(output: str | None, truth: str | None) -> None:
    from rolearn.cli.files import check_writable, same_file
    from rolearn.data.writers import TABLE_SUFFIXES
    from rolearn.runtime.errors import ParameterError

    if output is not None and truth is not None and same_file(output, truth):
        raise ParameterError(f"-o and --truth are one file, {output}; give two")
    for option, path, suffixes in (("-o", output, TABLE_SUFFIXES), ("--truth", truth, (".json",))):
        if path is None:
            continue
        if not path.lower().endswith(suffixes):
            raise ParameterError(f"{option} is {path!r}; give a file that ends in {', '.join(suffixes)}")
        check_writable(path)


def _chosen_dag(network: str | None, er: str | None, rng: np.random.Generator) -> DAG:
    from rolearn.cli.exits import UsageError
    from rolearn.data.networks import load_network
    from rolearn.data.simulation import random_dag

    if (network is None) == (er is None):
        raise UsageError("give either --network NAME or --er N,DEGREE")
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
