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


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("rolearn lea", ["learn"]),
        ("rolearn learn --sea", ["--search"]),
        ("rolearn learn --search e", ["exact"]),
        ("rolearn learn --finder ", ["auto", "rsl", "l-marvel", "mbcs"]),
        ("rolearn learn --finder m", ["mbcs"]),
        ("rolearn learn --test g", ["g-square"]),
        ("rolearn simulate --network sac", ["sachs"]),
        ("rolearn convert g.json --format da", ["dagitty"]),
        ("rolearn convert g.json --from p", ["pcalg"]),
        ("rolearn convert g.json --kind c", ["cpdag"]),
        ("rolearn benchmark dag-", ["dag-er", "dag-networks"]),
        ("rolearn benchmark table1 --methods default,flo", ["default,flop", "default,flop-20-restarts"]),
        ("rolearn learn ", []),  # so that the shell offers files
    ],
)
def test_names_are_completed(process, words, names):
    assert completed(process, words).split() == names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_sources(process, shell):
    outcome = process(env={"_ROLEARN_COMPLETE": f"source_{shell}"})
    assert outcome.code == 0
    assert f"complete_{shell}" in outcome.out
