"""Set peers up: a virtual environment each, in `.venvs` beside this file (or where ROLEARN_PEERS says).

python benchmarks/peers/setup.py flop tetrad
"""

from __future__ import annotations

import argparse

from rolearn.benchmarks.registry import known_methods, set_up


def main() -> None:
    peers = {method.peer.name: method.peer for method in known_methods().values() if method.peer.packages}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", nargs="+", choices=[*peers, "all"], metavar="PEER", help=", ".join(peers))
    chosen = parser.parse_args().peers
    for name in peers if "all" in chosen else chosen:
        set_up(peers[name])
        print(f"{name}: in {peers[name].home}")


if __name__ == "__main__":
    main()
