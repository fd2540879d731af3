"""Each hand-off by the other tool's own reader where that is installed, and its exact text."""

from __future__ import annotations

import csv

import networkx as nx
import numpy as np
import pytest

from export.hostile import ASYMMETRIC, EVERY_EDGE, NAMES, random_pag
from needs import needs
from rolearn.export import from_causal_learn, from_networkx, graph_text, read_graph, write_graph
from rolearn.graphs import CPDAG, DAG, MAG, PAG
from rolearn.runtime.errors import DataError, ParameterError, RolearnWarning

FOUR = ASYMMETRIC.subgraph("ABCD")
AMAT_PAG = [[0, 2, 1, 0], [3, 0, 2, 0], [1, 2, 0, 2], [0, 0, 1, 0]]
CAUSAL_LEARN = [[0, -1, 2, 0], [1, 0, 1, 0], [2, 1, 0, 2], [0, 0, 1, 0]]


def read(tmp_path, format, text):
    path = tmp_path / f"graph.{format}"
    path.write_text(text, encoding="utf-8")
    return read_graph(path)


def refusal(tmp_path, format, text):
    """Give what is said of a file that can't be read."""
    with pytest.raises(DataError) as caught:
        read(tmp_path, format, text)
    return str(caught.value)


def cells_of(text):
    header, *rows = csv.reader(text.splitlines())
    return header, [row[0] for row in rows], [[int(cell) for cell in row[1:]] for row in rows]


class TestPcalg:
    def test_cells(self):
        header, names, cells = cells_of(graph_text(FOUR, "pcalg"))
        assert header == ["pag", "A", "B", "C", "D"]
        assert names == ["A", "B", "C", "D"]
        assert cells == AMAT_PAG == FOUR.marks.tolist()

    def test_dags_and_cpdags_are_amat_cpdag(self, tmp_path):
        """Arrowhead at i where [i, j] is 1 and [j, i] is 0; both 1 for an undirected edge."""
        cpdag = CPDAG.from_edges(["A --> C", "B --> C", "C --> D", "E --- F"])
        header, _, cells = cells_of(graph_text(cpdag, "pcalg"))
        at = {name: i for i, name in enumerate(header[1:])}
        assert cells[at["C"]][at["A"]] == 1
        assert cells[at["A"]][at["C"]] == 0
        assert cells[at["E"]][at["F"]] == cells[at["F"]][at["E"]] == 1
        without_kind = graph_text(cpdag, "pcalg").replace('"cpdag"', '""', 1)
        assert read(tmp_path, "pcalg", without_kind) == cpdag

    def test_r_write_csv(self, tmp_path):
        assert read(tmp_path, "amat.csv", '"","A","B"\n"A",0,2\n"B",1,0\n') == PAG.from_edges(["A o-> B"])

    def test_tetrads_flavor(self, tmp_path):
        assert read(tmp_path, "pcalg", '"A" "B" \n"A" 0 2 \n"B" 1 0 \n') == PAG.from_edges(["A o-> B"])

    def test_r_write_table(self, tmp_path):
        text = '"A b"\t"B"\n"A b"\t0\t2\n"B"\t1\t0\n'
        assert read(tmp_path, "pcalg", text) == PAG.from_edges([("A b", "o->", "B")])

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("", "is empty"),
            (",A,B\nA,0,2\nC,1,0\n", "line 3: the row is named 'C' where the columns have 'B'"),
            (",A,B\nA,0,2\n", "3 cells in its first line and 1 rows"),
            (",A,B\nA,0\nB,1,0\n", "line 2: 1 cells where there are 2 names"),
            (",A,B\nA,0,x\nB,1,0\n", "line 2: 'x' is no mark"),
            (",A,B\nA,0,1.5\nB,1,0\n", "line 2: '1.5' is no mark"),
            (",A,B\nA,0,7\nB,1,0\n", "marks must be 0"),
            (",A,B\nA,0,2\nB,0,0\n", "no counterpart"),
            (",A,A\nA,0,2\nA,1,0\n", "'A'"),
            ("dag,A,B\nA,0,-1\nB,1,0\n", "0 and 1"),
        ],
    )
    def test_broken_files(self, tmp_path, text, part):
        said = refusal(tmp_path, "pcalg", text)
        assert part in said
        assert "graph.pcalg" in said


class TestCausalLearn:
    def test_matrix(self):
        assert FOUR.to_causal_learn_matrix().tolist() == CAUSAL_LEARN
        header, _, cells = cells_of(graph_text(FOUR, "causal-learn"))
        assert header == ["pag", "A", "B", "C", "D"]
        assert cells == CAUSAL_LEARN
        assert from_causal_learn(CAUSAL_LEARN, FOUR.names) == FOUR

    @pytest.mark.parametrize("code", [3, 4, 5, 6])
    def test_two_edges_of_one_pair_are_refused(self, tmp_path, code):
        with pytest.raises(ParameterError, match="two edges between one pair"):
            from_causal_learn([[0, code], [1, 0]])
        with pytest.raises(DataError, match="two edges between one pair"):
            read(tmp_path, "causal-learn", f",A,B\nA,0,{code}\nB,1,0\n")

    def test_shape_and_kind(self):
        with pytest.raises(ParameterError, match="square"):
            from_causal_learn([[0, 1]])
        with pytest.raises(ParameterError, match="kind is 'tree'"):
            from_causal_learn([[0, -1], [1, 0]], kind="tree")
        assert isinstance(from_causal_learn([[0, -1], [1, 0]], kind="dag"), DAG)

    @needs("causallearn")
    def test_its_own_object(self):
        """Marks at both ends and ancestors as causal-learn itself gives them."""
        from causallearn.graph.Endpoint import Endpoint

        words = {Endpoint.TAIL.name: 3, Endpoint.ARROW.name: 2, Endpoint.CIRCLE.name: 1}
        for graph in [EVERY_EDGE, *(random_pag(seed) for seed in range(60))]:
            made = graph.to_causal_learn()
            assert made.get_node_names() == list(graph.names)
            nodes = made.get_nodes()
            for i, a in enumerate(nodes):
                for j, b in enumerate(nodes):
                    edge = made.get_edge(a, b) if i != j else None
                    there = 0 if edge is None else words[edge.get_proximal_endpoint(b).name]
                    assert there == graph.marks[i, j]
            assert made.get_num_edges() == graph.n_edges
            assert from_causal_learn(made) == graph

    @needs("causallearn")
    def test_ancestors_in_its_object(self):
        made = PAG.from_edges(["A --> B", "B --> C", "D o-> C"]).to_causal_learn()
        nodes = {node.get_name(): node for node in made.get_nodes()}
        assert made.is_ancestor_of(nodes["A"], nodes["C"])
        assert not made.is_ancestor_of(nodes["D"], nodes["C"])
        assert not made.is_ancestor_of(nodes["C"], nodes["A"])

    @needs("causallearn")
    def test_what_it_learns(self):
        from causallearn.search.ConstraintBased.FCI import fci
        from causallearn.search.ConstraintBased.PC import pc

        generator = np.random.default_rng(0)
        a, b, d = generator.standard_normal((3, 2000))
        c = a + b + 0.5 * generator.standard_normal(2000)
        rows = np.column_stack([a, b, c, c + d])
        found, _ = fci(rows, show_progress=False, verbose=False)
        assert from_causal_learn(found, list("ABCD")) == PAG.from_edges(["A o-> C", "B o-> C", "C --> D"])
        learned = pc(rows, show_progress=False)
        assert from_causal_learn(learned, list("ABCD")) == CPDAG.from_edges(["A --> C", "B --> C", "C --> D"])

    @needs("causallearn")
    def test_its_reader_of_tetrads_text(self, tmp_path):
        from causallearn.utils.TXT2GeneralGraph import txt2generalgraph

        for graph in [ASYMMETRIC, DAG.from_edges([("A", "B"), ("C", "B")], nodes="ABCD")]:
            write_graph(graph, tmp_path / "graph.tetrad")
            again = from_causal_learn(txt2generalgraph(str(tmp_path / "graph.tetrad")), kind=graph.kind)
            assert again == graph

    @needs("causallearn")
    def test_its_text_is_read_as_tetrads(self, tmp_path):
        assert read(tmp_path, "tetrad", str(ASYMMETRIC.to_causal_learn())) == ASYMMETRIC


class TestTetrad:
    def test_text(self):
        assert graph_text(FOUR, "tetrad") == (
            "Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n1. A --> B\n2. A o-o C\n3. B <-> C\n4. C o-> D\n\n"
        )

    def test_what_tetrad_writes_after_an_edge(self, tmp_path):
        text = (
            "Graph Nodes:\nA,B,C,D\n\nGraph Edges:\n"
            "1. A --> B dd nl\n2. A o-o C [A --> C]:0.8000;[no edge]:0.2000;[edge]:0.8000\n"
            "7. C <-> B\n8. D <-o C pd pl\n9. A ... D\n\nGraph Attributes:\nScore: -17.5\n\n"
            "Ambiguous triples (i.e. list of triples for which there is ambiguous data):\n"
        )
        assert read(tmp_path, "tetrad", text) == FOUR

    @pytest.mark.parametrize(
        ("edges", "part"),
        [
            ("1. A -> B", "line 4: '->' is no edge"),
            ("1. A --> B\nA --> C", "line 5: 'A --> C' is no edge of the form"),
            ("1. A --> Z", "names 'Z'"),
            ("1. A --> B\n2. B --> A", "two edges between"),
            ("1. A =-> B", "'=->' is no edge"),
        ],
    )
    def test_broken_files(self, tmp_path, edges, part):
        text = f"Graph Nodes:\nA;B;C\nGraph Edges:\n{edges}\n"
        assert part in refusal(tmp_path, "tetrad", text)

    def test_latent_and_selection_nodes_are_refused(self, tmp_path):
        for name, what in (("(L)", "latent"), ("[S]", "selection")):
            with pytest.raises(DataError, match=what):
                read(tmp_path, "tetrad", f"Graph Nodes:\nA;{name}\n\nGraph Edges:\n")

    def test_another_text(self, tmp_path):
        with pytest.raises(DataError, match="is no Tetrad graph"):
            read(tmp_path, "tetrad", "A --> B\n")


class TestDot:
    def test_text(self):
        text = graph_text(ASYMMETRIC, "dot")
        assert text.startswith("digraph {\n")
        assert text.endswith(";}\n")
        assert '\n"A" -> "B" [dir=both, arrowtail=none, arrowhead=normal];' in text
        assert '\n"B" -> "C" [dir=both, arrowtail=normal, arrowhead=normal];' in text
        assert '\n"C" -> "D" [dir=both, arrowtail=odot, arrowhead=normal];' in text
        assert '\n"A" -> "C" [dir=both, arrowtail=odot, arrowhead=odot];' in text
        assert '\n"alone";' in text

    @needs("pydot")
    def test_networkx_reads_it_by_pydot(self):
        import pydot

        for seed in range(40):
            pag = random_pag(seed)
            read_by = nx.nx_pydot.from_pydot(pydot.graph_from_dot_data(graph_text(pag, "dot"))[0])
            assert len(read_by) == len(pag.names)
            assert read_by.number_of_edges() == pag.n_edges

    @needs("pydot")
    def test_pydot_reads_every_name(self):
        import pydot

        graph = PAG.from_edges([("A", "o->", name) for name in NAMES if name != "A"], nodes=["A", *NAMES])
        parsed = pydot.graph_from_dot_data(graph_text(graph, "dot"))[0]
        labels = {node.get_name(): node.get_label() for node in parsed.get_node_list()}
        assert len(labels) == len(graph.names)
        for edge in parsed.get_edge_list():
            assert (edge.get_dir(), edge.get_arrowtail(), edge.get_arrowhead()) == ("both", "odot", "normal")
            assert {edge.get_source(), edge.get_destination()} <= set(labels)
        shown = {str(label or name) for name, label in labels.items()}
        assert {'"R&D"', '"[0,1)"', '"größe"', r'"say \"x\""'} <= shown

    @pytest.mark.parametrize(
        ("text", "graph"),
        [
            ("digraph { a -> b; c }", DAG.from_edges(["a --> b"], nodes="abc")),
            ("digraph G {\n  a -> b -> c // so\n}\n", DAG.from_edges(["a --> b", "b --> c"])),
            ('digraph { 0 [label="x y"]; 1 [label=z]; 0 -> 1 }', DAG.from_edges([("x y", "z")])),
            ('digraph { 0 [label="x"]; 1 [label=x]; 0 -> 1 }', DAG.from_edges([("0", "1")])),
            ("digraph { node [shape=box]; a -> b [dir=back] }", PAG.from_edges(["b --> a"])),
            ("digraph { a -> b [dir=none]; }", PAG.from_edges(["a --- b"])),
            (
                "digraph { edge [dir=none] a -> b; {edge [dir=both] b -> c} c -> d }",
                PAG.from_edges(["a --- b", "b <-> c", "c --- d"]),
            ),
            ("digraph { a -> b [dir=both, arrowtail=odot]; }", PAG.from_edges(["a o-> b"])),
            ("digraph { a -> b [dir=both]; }", PAG.from_edges(["a <-> b"])),
            (
                'strict DIGRAPH "my graph" {rankdir=LR; a:n -> b:port:s [color=red; weight=2]}',
                DAG.from_edges(["a --> b"]),
            ),
            ('/* one\ntwo */ digraph {\n# a whole line\na -> "b" + "c" }', DAG.from_edges([("a", "bc")])),
            (
                "digraph { subgraph cluster_0 { a -> b; label=inner }; c }",
                DAG.from_edges(["a --> b"], nodes="abc"),
            ),
            ("digraph { a -> {b c} -> d }", DAG.from_edges(["a --> b", "a --> c", "b --> d", "c --> d"])),
            ("digraph { a [label=<<b>bold</b> text>]; a -> b }", DAG.from_edges([("<b>bold</b> text", "b")])),
            ("digraph { kind=mine; a -> b }", DAG.from_edges(["a --> b"])),
            ("digraph { kind=mag; a -> b [dir=both] }", MAG.from_edges(["a <-> b"])),
            ("digraph {}", DAG.from_edges([])),
        ],
    )
    def test_others_digraphs(self, tmp_path, text, graph):
        again = read(tmp_path, "dot", text)
        assert type(again) is type(graph)
        assert again == graph

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("graph { a -- b }", "undirected"),
            ("digraph { a -> ", "ends where a vertex should come"),
            ("", "ends where digraph or graph should come"),
            ("digraph { a -- b }", "the edge a -- b has no direction"),
            ("digraph {\n a -> b;\n b -> ]\n}", "line 3: there is ']' where a vertex should be"),
            ("digraph {\n a -> b;\n b $ c\n}", "line 3: '$ c' is not DOT"),
            ("digraph { a -> b; b -> a }", "two edges"),
            ("digraph { a -> b; b -> c; c -> a }", "cycle"),
            ("digraph { a -> b [arrowhead=box] }", "arrowhead=box; known are"),
            ("digraph { a -> b [dir=sideways] }", "dir=sideways; known are"),
            ("digraph { a -> a }", "joins 'a' to itself"),
            ("digraph " + "{" * 60, "nests"),
        ],
    )
    def test_what_is_refused(self, tmp_path, text, part):
        assert part in refusal(tmp_path, "dot", text)

    @needs("causallearn", "pydot")
    def test_causal_learns_pydot(self, tmp_path):
        from causallearn.utils.GraphUtils import GraphUtils

        text = GraphUtils.to_pydot(ASYMMETRIC.to_causal_learn()).to_string()
        assert read(tmp_path, "dot", text) == ASYMMETRIC


class TestDagitty:
    def test_text(self):
        graph = PAG.from_edges(
            [("a b", "o->", "C"), ("C", "<->", 'say "x"'), ("C", "-->", "D"), ("D", "o-o", "a b")]
        )
        assert graph_text(graph, "dagitty").splitlines() == [
            "pag {",
            '"a b"',
            "C",
            '"say \\"x\\""',
            "D",
            '"a b" @-> C',
            '"a b" @-@ D',
            'C <-> "say \\"x\\""',
            "C -> D",
            "}",
        ]

    @pytest.mark.parametrize(
        ("graph", "first"),
        [
            (DAG.from_edges(["A --> B"]), "dag {"),
            (MAG.from_edges(["A <-> B"]), "mag {"),
            (CPDAG.from_edges(["A --- B"]), "pdag {"),
        ],
    )
    def test_kinds(self, graph, first):
        assert graph_text(graph, "dagitty").startswith(first)

    @pytest.mark.parametrize(
        ("text", "graph"),
        [
            ("dag{a->b<-c}", DAG.from_edges(["a --> b", "c --> b"])),
            (
                'dag {\nbb="0,0,1,1"\na [exposure,pos="0.1,0.2"]\nb [outcome]\na -> b\n}',
                DAG.from_edges(["a --> b"]),
            ),
            ("dag { {a b} -> c ; d }", DAG.from_edges(["a --> c", "b --> c"], nodes="abcd")),
            (
                "PAG { a @-@ b c @-> b; d @-- e --@ f }",
                PAG.from_edges(["a o-o b", "c o-> b", "d o-- e", "e --o f"]),
            ),
            ('mag { "x -> y" <-> z }', MAG.from_edges([("x -> y", "<->", "z")])),
        ],
    )
    def test_dagittys_own_examples(self, tmp_path, text, graph):
        again = read(tmp_path, "dagitty", text)
        assert type(again) is type(graph)
        assert again == graph

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("", "ends where dag, mag, pdag, pag, digraph or graph should come"),
            ("tree { a }", "there is 'tree' where dag, mag, pdag, pag"),
            ("dag { a -> }", "line 1: there is '}' where a vertex should be"),
            ("dag { a -> b", "ends where a vertex should come"),
            ("dag {\na => b }", "line 2"),
            ("dag { a <-> b }", "directed edges only"),
            ("dag { a [x", "ends where ']' should come"),
            ("dag { a } b", "where the end should be"),
        ],
    )
    def test_broken_files(self, tmp_path, text, part):
        assert part in refusal(tmp_path, "dagitty", text)


class TestNetworkX:
    def test_codes_are_amat_pag(self):
        assert nx.to_numpy_array(FOUR.to_networkx(), weight="code").tolist() == AMAT_PAG

    def test_kinds(self):
        skeleton = ASYMMETRIC.to_networkx(kind="skeleton")
        assert not skeleton.is_directed()
        assert set(skeleton) == set(ASYMMETRIC.names)
        assert skeleton.number_of_edges() == 4
        with pytest.warns(RolearnWarning, match="3 edges that aren't --> of 4 left out"):
            directed = ASYMMETRIC.to_networkx(kind="directed")
        assert list(directed.edges) == [("A", "B")]
        assert "alone" in directed
        with pytest.warns(RolearnWarning, match="3 edges"):
            assert list(ASYMMETRIC.to_networkx(directed_only=True).edges) == [("A", "B")]
        with pytest.raises(ParameterError, match="'marks', 'skeleton', 'directed'"):
            ASYMMETRIC.to_networkx(kind="arcs")

    @pytest.mark.parametrize(
        "graph",
        [DAG.from_edges(["A --> B"]), MAG.from_edges(["A <-> B"]), CPDAG.from_edges(["A --- B"]), FOUR],
    )
    def test_the_kind_survives(self, graph):
        again = from_networkx(graph.to_networkx())
        assert type(again) is type(graph)
        assert again == graph

    def test_plain_digraphs_are_dags(self):
        graph = nx.DiGraph([(0, 1), (2, 1)])
        graph.add_node("x")
        assert from_networkx(graph) == DAG.from_edges([("0", "1"), ("2", "1")], nodes=["0", "1", "2", "x"])
        graph.graph["kind"] = "of my own"
        assert isinstance(from_networkx(graph), DAG)
        dag = DAG.from_edges(["A --> B"], nodes="ABC")
        assert from_networkx(dag.to_networkx(kind="directed")) == dag
        with pytest.raises(DataError, match="cycle"):
            from_networkx(nx.DiGraph([(0, 1), (1, 2), (2, 0)]))

    def test_what_is_refused(self):
        def marked(*arcs):
            graph = nx.MultiDiGraph()
            graph.add_edges_from((u, v, {} if mark is None else {"mark": mark}) for u, v, mark in arcs)
            return graph

        for graph, part in [
            ("A -> B", "is a str; give a networkx.DiGraph"),
            (nx.Graph([("A", "B")]), "undirected"),
            (marked(("A", "B", "arrow")), "no arc back"),
            (marked(("A", "B", "arrow"), ("B", "A", None)), "has no mark, and others have"),
            (marked(("A", "B", "arrow"), ("B", "A", "star")), "no mark 'star'"),
            (marked(("A", "B", "arrow"), ("A", "B", "tail")), "two arcs"),
            (nx.DiGraph([(1, 2, {"code": 9})]), "codes are 1 circle, 2 arrow, 3 tail"),
            (nx.DiGraph([(1, "1")]), "both '1' as text"),
        ]:
            with pytest.raises(DataError, match=part):
                from_networkx(graph)

    def test_graphml_is_read_by_networkx(self, tmp_path):
        for seed in range(60):
            pag = random_pag(seed)
            write_graph(pag, tmp_path / "graph.graphml")
            read_by = nx.read_graphml(tmp_path / "graph.graphml")
            assert read_by.number_of_nodes() == len(pag.names)
            if not (tmp_path / "graph.graphml.names.json").exists():
                assert from_networkx(read_by) == pag

    def test_graphml_of_others(self, tmp_path):
        nx.write_graphml(nx.DiGraph([("A", "B")]), tmp_path / "graph.graphml")
        assert read_graph(tmp_path / "graph.graphml") == DAG.from_edges([("A", "B")])
        for text in ("", "<xml>", "<graphml></graphml>"):
            with pytest.raises(DataError, match=r"graph\.graphml"):
                read(tmp_path, "graphml", text)

    @needs("pgmpy")
    def test_pgmpy_takes_dags(self):
        import pgmpy.base

        dag = DAG.from_edges(["A --> B", "C --> B", "B --> D"])
        theirs = pgmpy.base.DAG(dag.to_networkx(kind="directed"))
        assert not theirs.is_dconnected("A", "C")
        assert theirs.is_dconnected("A", "D")
