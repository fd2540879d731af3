"""Completion, asked for as a shell does."""

from __future__ import annotations

import pytest


def completed(process, words, shell="bash"):
    position = str(len(words.split(" ")) - 1)
    return process(
        env={"COMP_WORDS": words, "COMP_CWORD": position, "_ROLEARN_COMPLETE": f"complete_{shell}"}
    ).out


def test_commands_and_options(process):
    commands = completed(process, "rolearn ").split()
    assert {"learn", "demo", "simulate", "evaluate", "compare", "convert", "benchmark"} <= set(commands)
    assert completed(process, "rolearn ev").split() == ["evaluate"]
    assert {"--search", "--seed"} <= set(completed(process, "rolearn learn --se").split())


def test_names_that_options_take(process):
    assert completed(process, "rolearn learn --finder ").split() == ["auto", "rsl", "l-marvel", "mbcs"]
    assert completed(process, "rolearn learn --finder m").split() == ["mbcs"]
    assert completed(process, "rolearn learn --search e").split() == ["exact"]
    assert completed(process, "rolearn learn --test g").split() == ["g-square"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_sources(process, shell):
    outcome = process(env={"_ROLEARN_COMPLETE": f"source_{shell}"})
    assert outcome.code == 0
    assert f"complete_{shell}" in outcome.out
