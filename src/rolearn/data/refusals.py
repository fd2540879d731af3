"""The sentence about columns that are neither numbers nor levels."""

from __future__ import annotations

from collections.abc import Sequence

from rolearn.data.columns import Column, Refusal
from rolearn.data.origin import Origin, name_columns
from rolearn.runtime.errors import DataError

__all__ = ["ADVICE_FOR_SEVERAL", "check_refusals"]

ADVICE_FOR_SEVERAL = {  # by the advice of a Refusal, which is for one column
    "turn it into numbers": "turn them into numbers",
    "turn it into numbers, declare it discrete": "turn them into numbers, declare them discrete",
    "turn it into numbers, such as days since a start": "turn them into numbers, such as days since a start",
    "split it into real and imaginary parts": "split them into real and imaginary parts",
}


def check_refusals(names: Sequence[str], columns: Sequence[Column], origin: Origin) -> None:
    """Refuse columns that are neither numbers nor levels, all of the first kind found in one sentence."""
    refused = [(n, c) for n, c in zip(names, columns, strict=True) if isinstance(c, Refusal)]
    if not refused:
        return
    first_name, first = refused[0]
    alike = [n for n, c in refused if c.holds == first.holds]
    verb = "holds" if len(alike) == 1 else "hold"
    text = f"{origin.label}: {name_columns(alike)} {verb} {first.holds}"
    if first.row is not None:
        where = "" if len(alike) == 1 else f" of {first_name!r}"
        text += f" ({first.cell} in {origin.row(first.row)}{where})"
    advice = first.advice if len(alike) == 1 else ADVICE_FOR_SEVERAL[first.advice]
    raise DataError(f"{text}; {advice} or {_leave_out(alike, origin)}{_hint(first, origin)}")


def _leave_out(names: list[str], origin: Origin) -> str:
    if len(names) == 1:
        return origin.drop_advice(names[0])
    return "leave them out" + (" (--drop)" if origin.in_file else "")


def _hint(refusal: Refusal, origin: Origin) -> str:
    """Guess what a text cell in a file was meant to be."""
    cell = (refusal.cell or "").strip("'\"").strip()
    if not origin.in_file or refusal.holds != "text":
        return ""
    if len(cell) <= 3 and cell and not any(c.isalnum() for c in cell):
        return f"; if {cell!r} marks a missing cell, say --missing-marker '{cell}'"
    whole, comma, decimals = cell.lstrip("+-").partition(",")
    if comma and whole.isdigit() and decimals.isdigit():
        return "; write decimals with a point, not a comma"
    return ""
