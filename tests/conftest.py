"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import signal

import pytest
from examples import pag_cases


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_heard() -> None:
    """Shells start background jobs with SIGINT ignored, which these tests and their children would inherit."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def cases() -> list[dict]:
    return pag_cases()
