"""Set peers up: a virtual environment each, in `.venvs` beside this file (or where ROLEARN_PEERS says).

python benchmarks/peers/setup.py flop tetrad
"""

from __future__ import annotations

import argparse
import subprocess
import venv

from catalog import PEERS, Peer


def set_up(peer: Peer) -> None:
    """Make the environment of a peer, anew."""
    venv.create(peer.home, with_pip=True, clear=True)
    pip = [str(peer.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *peer.packages], check=True)
    if peer.bare:
        subprocess.run([*pip, "--no-deps", *peer.bare], check=True)
    (peer.home / "receipt.txt").write_text(peer.receipt)


def main() -> None:
    names = [name for name, peer in PEERS.items() if peer.packages]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", nargs="+", choices=[*names, "all"], metavar="PEER", help=", ".join(names))
    chosen = parser.parse_args().peers
    for name in names if "all" in chosen else chosen:
        set_up(PEERS[name])
        print(f"{name}: in {PEERS[name].home}")


if __name__ == "__main__":
    main()
