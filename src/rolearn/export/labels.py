"""What a picture writes in a vertex's box, and how wide that is in a fixed-width font."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

__all__ = ["CELL", "FONT", "HEIGHT", "box_sizes", "label_width", "short_labels", "visible"]

FONT = 13.0
CELL = 0.6 * FONT  # the width of a character in fixed-width fonts
HEIGHT = 28.0
_LONGEST = 27  # longer names are shortened in the box; the whole name is its tooltip

_UNPRINTABLE = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x20:
        return " "
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def visible(name: str) -> str:
    """Replace what can't be seen, and what XML can't hold, by characters that stand for it."""
    return _UNPRINTABLE.sub(_shown, name)


def label_width(label: str) -> float:
    """Give the width of a label in pixels at the size `FONT`."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in label)
    return CELL * (len(label) + wide)


def short_labels(names: list[str]) -> list[str]:
    """Shorten long names in the middle, unless two would read the same."""
    side = (_LONGEST - 1) // 2
    short = [name if len(name) <= _LONGEST else f"{name[:side]}…{name[-side:]}" for name in names]
    return short if len(set(short)) == len(names) else names


def box_sizes(labels: list[str]) -> np.ndarray:
    """Give the sizes (n, 2) of the boxes that hold labels, in pixels."""
    return np.array([[max(label_width(label), 2 * CELL) + 18.0, HEIGHT] for label in labels]).reshape(-1, 2)
