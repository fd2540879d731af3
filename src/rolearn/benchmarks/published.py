"""Skeleton F1 as the paper published it (Mokhtarian et al. 2023, tables 1 and 2), to stand beside ours.

The paper drew its own hidden variables and rows, and ran code in MATLAB, so these are anchors, not targets.
"""

from __future__ import annotations

__all__ = ["published_f1"]

_TABLE1 = ("earthquake", "survey", "asia", "sachs")
_TABLE2 = ("insurance", "water", "ecoli70", "hailfinder", "carpo", "hepar2", "arth150")
_ROL_HC = (0.89, 0.86, 0.93, 0.90, 1.00, 0.97, 0.93)
_L_MARVEL = (0.87, 0.78, 0.93, 0.90, 0.99, 0.94, 0.92)
_RFCI = (0.74, 0.68, 0.84, 0.84, 0.86, 0.70, 0.86)
_PUBLISHED: dict[str, dict[str, tuple[float, ...]]] = {
    "table1": {"rol_vi": (0.96, 1.00, 0.97, 0.97), "rol_hc": (0.96, 0.98, 0.97, 0.95)},
    "table2": {
        "rol_hc": _ROL_HC,
        "rcd-rol_hc": _ROL_HC,
        "rol_pg": (0.86, 0.76, 0.90, 0.87, 0.97, 0.84, 0.93),
        "rfci": _RFCI,
        "whydra-rfci": _RFCI,
        "whydra-fci+": (0.60, 0.55, 0.78, 0.77, 0.80, 0.57, 0.78),
        "l_marvel": _L_MARVEL,
        "rcd-l_marvel": _L_MARVEL,
        "mbcs": (0.77, 0.62, 0.90, 0.83, 0.99, 0.92, 0.87),
        "gspo": (0.75, 0.60, 0.66, 0.58, 0.84, 0.58, 0.45),
    },
}
_PROBLEMS = {"table1": _TABLE1, "table2": _TABLE2}


def published_f1(benchmark: str, problem: str, method: str) -> float | None:
    """Give what the paper has of a method on a network; None where it has nothing."""
    figures = _PUBLISHED.get(benchmark, {}).get(method)
    networks = _PROBLEMS.get(benchmark, ())
    return figures[networks.index(problem)] if figures and problem in networks else None
