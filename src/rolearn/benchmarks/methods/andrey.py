"""FCI, GFCI and BOSS of andrey; an edge costs 2 log n, as with the others here."""

import andrey
from adapter import Found

VERSION = "0.10.0"
PACKAGES = ("andrey-core==0.10.0",)
METHODS = {
    "andrey-fci": {"search": "fci", "alpha": 0.05},
    "andrey-gfci": {"search": "gfci", "alpha": 0.05, "lambda_value": 2.0},
    "andrey-boss": {"search": "boss", "lambda_value": 2.0, "seed": 0},
}
MARKS = {1: "tail", 2: "arrowhead", 3: "circle"}


def search(name, rows, options):
    """Give the function to be timed."""
    if name == "boss":
        options = {option: value for option, value in options.items() if option != "alpha"}

    def run():
        found = getattr(andrey, name)(rows, **options).structure
        edges = [
            (int(i), int(j), MARKS[int(at_i)], MARKS[int(at_j)]) for i, j, at_i, at_j in found.to_edges()
        ]
        return Found(found.kind, edges)

    return run
