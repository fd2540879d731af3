"""``rolearn evaluate`` and ``rolearn compare``: two graphs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rolearn.metrics import Difference, Scores

__all__ = ["compare", "evaluate"]

_FORMATS = ("table", "json")


def evaluate(
    learned: Annotated[str, typer.Argument(metavar="LEARNED", help="A graph file.")],
    truth: Annotated[str, typer.Argument(metavar="TRUTH", help="A graph file, or the truth of simulate.")],
    format: Annotated[str | None, typer.Option(metavar="F", help="table or json.")] = None,
) -> int:
    """Score a learned graph against the truth: skeleton, arrowheads and tails."""
    from rolearn.cli.files import check_readable_graph
    from rolearn.cli.streams import output_format, say, shown_notes, write_result
    from rolearn.export import document_text, read_graph
    from rolearn.export.truth import read_truth
    from rolearn.metrics import evaluate as scores_of

    shown_as = output_format(format, _FORMATS)
    check_readable_graph("LEARNED", learned)
    check_readable_graph("TRUTH", truth)
    with shown_notes():
        found = read_graph(learned)
        there = read_truth(truth, found.kind)
    if found.kind != there.kind:
        kinds = f"a {found.kind.upper()} is compared with a {there.kind.upper()}"
        say(f"note: {kinds}, whose marks don't mean the same")
    scores = scores_of(found, there)
    document = {"format_version": 1, "learned": learned, "truth": truth, **scores.as_dict()}
    write_result(document_text(document) if shown_as == "json" else _score_table(scores))
    return 0


def _score_table(scores: Scores) -> str:
    skeleton, arrows, tails = scores.skeleton, scores.arrowheads, scores.tails
    extra, missing = skeleton.false_positives, skeleton.false_negatives
    return "\n".join(
        [
            "            precision  recall     F1",
            f"skeleton    {skeleton.precision:9.3f} {skeleton.recall:7.3f} {skeleton.f1:6.3f}",
            f"arrowheads  {arrows.precision:9.3f} {arrows.recall:7.3f}",
            f"tails       {tails.precision:9.3f} {tails.recall:7.3f}",
            f"SHD         {skeleton.shd} ({extra} extra, {missing} missing)",
            f"wrong marks {scores.wrong_marks} of {scores.n_pairs} ordered pairs",
        ]
    )


def compare(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Another over the same variables.")],
    format: Annotated[str | None, typer.Option(metavar="F", help="table, json or csv.")] = None,
) -> int:
    """List where two graphs differ, mark by mark."""
    from rolearn.cli.files import check_readable_graph
    from rolearn.cli.streams import output_format, shown_notes, write_result
    from rolearn.export import document_text, read_graph
    from rolearn.metrics import compare as differences_of

    shown_as = output_format(format, (*_FORMATS, "csv"))
    check_readable_graph("GRAPH", graph)
    check_readable_graph("OTHER", other)
    with shown_notes():
        differences = differences_of(read_graph(graph), read_graph(other))
    if shown_as == "json":
        listed = [difference._asdict() for difference in differences]
        document = {"format_version": 1, "first": graph, "second": other, "differences": listed}
        write_result(document_text(document))
    elif shown_as == "csv":
        write_result(differences.to_csv())
    else:
        write_result(_difference_table(differences))
    return 0


def _difference_table(differences: list[Difference]) -> str:
    if not differences:
        return "no differences"
    left = max(len(difference.a) for difference in differences)
    right = max(len(difference.b) for difference in differences)
    return "\n".join(
        f"{d.a:>{left}} {d.edge_in_first} {d.b:<{right}}  |  {d.a:>{left}} {d.edge_in_second} {d.b}".rstrip()
        for d in differences
    )
