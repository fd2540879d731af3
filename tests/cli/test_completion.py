"""What a shell offers."""

import os
import subprocess
import sys

import pytest


def offered(words):
    """Ask as bash does for what completes the last word."""
    program = [sys.executable, "-c", "from rolearn.cli import main; main()"]
    asked = {"_ROLEARN_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    program[-1] = "import sys; sys.argv[0] = 'rolearn'; " + program[-1]
    done = subprocess.run(program, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    return done.stdout.split()


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
def test_names_are_completed(words, names):
    assert offered(words) == names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_sources(process, shell):
    outcome = process(env={"_ROLEARN_COMPLETE": f"source_{shell}"})
    assert outcome.code == 0
    assert f"complete_{shell}" in outcome.out
