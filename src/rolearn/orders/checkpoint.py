"""A search over policies on disk: saved in one stroke, refused where it belongs to something else."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rolearn.orders.cost import OrderCosts
from rolearn.runtime.errors import ParameterError

__all__ = ["fingerprint", "load", "load_policy", "save"]

_FORMAT = 1


def fingerprint(costs: OrderCosts, settings: tuple) -> str:
    """Give a digest of the statistics, the cost and what decides how a search goes."""
    digest = hashlib.sha256(repr((_FORMAT, type(costs.arrays).__name__, settings)).encode())
    digest.update(repr(costs.statistics.names if not costs.statistics.compiled else ()).encode())
    _add(digest, costs.statistics.arrays)
    _add(digest, costs.arrays.boundaries)
    _add(digest, getattr(costs.arrays, "finder", ()))
    if costs.precedence.any():
        _add(digest, costs.precedence)
    return digest.hexdigest()


def _add(digest: Any, value: Any) -> None:
    if isinstance(value, tuple):
        for part in value:
            _add(digest, part)
    elif isinstance(value, np.ndarray):
        digest.update(repr(value.shape).encode() + np.ascontiguousarray(value).tobytes())
    elif not callable(value):
        digest.update(repr(value).encode())


def save(path: str, print_: str, state: dict[str, Any]) -> None:
    """Write a state.

    Raises
    ------
    ParameterError
        When the file can't be written.
    """
    beside = f"{path}.part"
    try:
        torch.save({"rolearn": _FORMAT, "fingerprint": print_, **state}, beside)
        os.replace(beside, path)
    except (OSError, RuntimeError) as error:
        raise ParameterError(f"checkpoint can't be written to {path}: {error}") from None


def load(path: str, print_: str) -> dict[str, Any] | None:
    """Read a state; None where there is no file.

    Raises
    ------
    ParameterError
        When the file is no checkpoint, or one of another table or other settings.
    """
    if not Path(path).exists():
        return None
    state = _read("checkpoint", path)
    if state["fingerprint"] != print_:
        raise ParameterError(
            f"checkpoint {path} is of another table or other settings; give another path, or delete it"
        )
    return state


def load_policy(path: str) -> dict[str, torch.Tensor]:
    """Read the weights of a policy from a checkpoint of any table.

    Raises
    ------
    ParameterError
        When there is no such checkpoint.
    """
    if not Path(path).exists():
        raise ParameterError(f"policy is {path!r}, and there is no such file; give a checkpoint of a search")
    return _read("policy", path)["policy"]


def _read(parameter: str, path: str) -> dict[str, Any]:
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state["rolearn"] == _FORMAT:
            return state
    except Exception:  # whatever torch says of a file that isn't one of its own
        pass
    raise ParameterError(f"{parameter} is {path!r}, which is no checkpoint of a policy-gradient search")
