"""A query is put in other words only where they bring the same rows."""

import time

import pytest

from recollect.graph.phrasing import phrased

NEAR = [
    {"id": "a", "score": 0.9},
    {"id": "a", "score": 0.9},
    {"id": "b", "score": None},
    {"id": None, "score": 0.5},
    {"id": "nowhere", "score": 0.1},
]
FROM_A_LIST = (
    "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[r:causes]->(o:Memory) RETURN m.id, r.weight, o.id, s.score",
    "UNWIND $near AS s MATCH (m {id: s.id})-[r]-(o) RETURN label(m), label(r), label(o), o.id",
    "UNWIND $near AS s MATCH (o:Memory)-[:causes]->(m:Memory {id: s.id}) RETURN o, m, s.score",
    (
        "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[:causes]->(o)-[:causes]->(p), (p)-[:has_tag]->(t)"
        " WHERE o.id <> m.id AND t.name STARTS WITH 'with' RETURN m.id, o.id, p.id, t.name"
    ),
    "UNWIND $near AS s MATCH p = (m:Memory {id: s.id})-[r:causes*1..2]->(o) RETURN length(p), o.id",
    "UNWIND $near AS s // the best\nMATCH (m:Memory {id: s.id}) MATCH (m)-[:causes]->(o)\nRETURN m.id, o.id",
    (
        "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[:causes]->(o) WHERE s.score > 0.5"
        " WITH o, count(*) AS n WHERE n > 1 RETURN o.id, n"
    ),
    (
        "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[:causes]->(o:Memory {text: 'MATCH (x) WHERE'})"
        " WHERE EXISTS { MATCH (o)-[:causes]->(m) } RETURN o.id"
    ),
    "UNWIND ['b', 'c', 'b'] AS one MATCH (m:Memory {id: one})-[:causes]->(o) RETURN m.id, o.id",
)
LINKS = ("ab", "bc", "ca", "ba", "aa")
AS_IT_WAS = (
    "MATCH (m:Memory {id: $id})-[:causes]->(o) RETURN o.id",
    "UNWIND $near AS s MATCH (m:Memory {id: s.id}) RETURN m.id, s.score",
    "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[:causes]->() RETURN m.id",
    "UNWIND $near AS s MATCH (m:Memory {id: s.id}) WITH m MATCH (m)-[:causes]->(o) RETURN o.id",
    "UNWIND $near AS s OPTIONAL MATCH (m:Memory {id: s.id})-[:causes]->(o) RETURN o.id",
    "UNWIND $near AS s MATCH (m:Memory {kind: s.id})-[:causes]->(o) RETURN o.id",
    "UNWIND $near AS s MATCH (m)-[:causes]->(o) WHERE EXISTS { MATCH (x {id: s.id})-[]->(o) } RETURN o.id",
    "UNWIND $near AS s MATCH (o)-[:causes]->(m {id: s.id}) RETURN *",
    "UNWIND $near AS s MATCH (m {id: s.id})-[]->(o) RETURN o.id UNION MATCH (o) RETURN o.id",
    "MATCH (a)-[r:causes* SHORTEST 1..3]->(b) RETURN length(r)",
    "MATCH (a)-[:causes*ACYCLIC 1..3]->(b) RETURN b.id",
    "MATCH (a) WHERE a.text = '-[*1..3]-' RETURN a.id // -[*]-",
    "UNWIND $near AS s",
    "",
)


@pytest.fixture(scope="module")
def engine():
    """A small graph with a circle, in the engine itself."""
    ladybug = pytest.importorskip("ladybug")
    connection = ladybug.Connection(ladybug.Database(":memory:", max_db_size=1 << 30), num_threads=1)
    for made in (
        "CREATE NODE TABLE Memory(id STRING, text STRING, kind STRING, PRIMARY KEY(id))",
        "CREATE NODE TABLE Tag(id STRING, name STRING, PRIMARY KEY(id))",
        "CREATE REL TABLE causes(FROM Memory TO Memory, weight DOUBLE)",
        "CREATE REL TABLE has_tag(FROM Memory TO Tag, weight DOUBLE)",
        "UNWIND ['a', 'b', 'c'] AS one CREATE (:Memory {id: one, text: 'MATCH (x) WHERE', kind: one})",
        "CREATE (:Tag {id: 'tag:within', name: 'within'})",
        *(
            f"MATCH (x:Memory {{id: '{one}'}}), (y:Memory {{id: '{other}'}}) CREATE (x)-[:causes {{weight: 0.5}}]->(y)"
            for one, other in LINKS
        ),
        "MATCH (m:Memory), (t:Tag) CREATE (m)-[:has_tag]->(t)",
    ):
        connection.execute(made)
    return connection


def answer(engine, query):
    found = engine.execute(query, {"near": NEAR} if "$near" in query else {})
    return found.get_column_names(), sorted(map(str, found.get_all()))


@pytest.mark.parametrize("query", FROM_A_LIST)
def test_what_a_list_names_is_looked_up_first_and_the_rows_stay_the_same(engine, query):
    put = phrased(query)
    assert "OPTIONAL MATCH" in put
    columns, rows = answer(engine, put)
    assert (columns, rows) == answer(engine, query.replace("*1..2", "*TRAIL 1..2"))
    assert rows


@pytest.mark.parametrize("query", AS_IT_WAS)
def test_what_gains_nothing_stays_as_it_was_written(query):
    assert phrased(query) == query


def test_paths_go_along_no_link_twice(engine):
    def trails(here, gone):
        onward = [link for link in LINKS if link[0] == here and link not in gone] if len(gone) < 4 else []
        return sum(1 + trails(link[1], (*gone, link)) for link in onward)

    query = "MATCH (a:Memory {id: 'c'})-[:causes*1..4]->(b) RETURN count(*)"
    assert answer(engine, phrased(query))[1] == [f"[{trails('c', ())}]"]
    assert answer(engine, query)[1] != answer(engine, phrased(query))[1]


@pytest.mark.parametrize(
    "hostile",
    [
        "-[" + " " * 19_000,
        "MATCH (a" + " " * 19_000 + "b) RETURN 1",
        "UNWIND $x AS s MATCH " + "(m " * 6_000,
        "UNWIND $x AS s MATCH (m" + ": " * 9_000 + "RETURN m",
        "UNWIND " + "AS " * 6_000 + " MATCH (m)",
        "RETURN " + "-[`a`:b|" * 2_000,
    ],
)
def test_a_strangers_query_is_phrased_in_no_time(hostile):
    began = time.process_time()
    phrased(hostile)
    assert time.process_time() - began < 1
