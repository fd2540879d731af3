"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import signal

import pytest

from examples import pag_cases


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_heard() -> None:
    """Hear SIGINT also where a shell started the tests in the background, with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def cases() -> list[dict]:
    return pag_cases()
