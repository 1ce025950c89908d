"""Twenty-five questions to the graph, each in Cypher and in SQL over the store's own tables."""

from dataclasses import dataclass

MEMORY = """SELECT n.number, n.id, c.text, v.kind, v.importance, v.tags, v.content, c.metadata
    FROM version v JOIN node n ON n.number = v.node JOIN content c ON c.number = v.content
    WHERE v.retired_at IS NULL"""
BASE = f"WITH RECURSIVE m AS MATERIALIZED ({MEMORY}) "
ONE = (
    "WITH RECURSIVE one AS (SELECT number FROM node WHERE id = $id),"
    " kind_of AS (SELECT node, kind, importance FROM version WHERE retired_at IS NULL) "
)
"""Of one memory: by the indexes, so that SQL is at its best too."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The same question twice."""

    cypher: str
    sql: str
    bound: tuple[str, ...] = ()
    anchored: bool = False
    """Whether it begins at one node, so that it is to be quick."""


QUERIES = (
    # patterns
    Pair(
        "MATCH (m:Memory {id: $id}) RETURN m.text, m.kind, m.importance",
        BASE + "SELECT text, kind, importance FROM m WHERE id = $id",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})-[:causes]->(o:Memory) RETURN o.id ORDER BY o.id",
        ONE + "SELECT n.id FROM one JOIN edge e ON e.source = one.number JOIN node n ON n.number = e.target"
        " WHERE e.type = 'causes' ORDER BY 1",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})<-[r]-(o:Memory) RETURN label(r) AS type, o.id, r.weight ORDER BY type, o.id",
        ONE + "SELECT e.type, n.id, e.weight FROM one JOIN edge e ON e.target = one.number"
        " JOIN node n ON n.number = e.source ORDER BY 1, 2",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})-[r:causes|elaborates]-(o:Memory) RETURN DISTINCT o.id ORDER BY o.id",
        ONE + "SELECT DISTINCT n.id FROM one JOIN edge e ON one.number IN (e.source, e.target)"
        " JOIN node n ON n.number = CASE e.source WHEN one.number THEN e.target ELSE e.source END"
        " WHERE e.type IN ('causes', 'elaborates') ORDER BY 1",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (a:Memory {id: $id})-[:related_to]->(b:Memory)-[:causes]->(c:Memory)"
        " RETURN b.id, c.id ORDER BY b.id, c.id",
        ONE + "SELECT b.id, c.id FROM one JOIN edge e ON e.source = one.number AND e.type = 'related_to'"
        " JOIN node b ON b.number = e.target JOIN edge f ON f.source = e.target AND f.type = 'causes'"
        " JOIN node c ON c.number = f.target ORDER BY 1, 2",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})-[:has_tag]->(t:Tag)<-[:has_tag]-(o:Memory)"
        " WHERE o.id <> m.id RETURN count(o)",
        BASE + "SELECT count(*) FROM m a JOIN json_each(a.tags) t JOIN tag o ON o.name = t.value"
        " WHERE a.id = $id AND o.content <> a.content",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})-[:mentions]->(e:Entity) RETURN e.name, e.kind",
        BASE + "SELECT replace(replace(e.value, 'entity://person/', ''), '-', ' '), 'person'"
        " FROM m JOIN json_each(m.metadata, '$.entities') e WHERE m.id = $id",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (e:Entity {name: $name})<-[:mentions]-(m:Memory) RETURN m.id ORDER BY m.id LIMIT 20",
        BASE + "SELECT m.id FROM m JOIN json_each(m.metadata, '$.entities') e"
        " WHERE e.value = 'entity://person/' || replace($name, ' ', '-') ORDER BY 1 LIMIT 20",
        ("name",),
        anchored=True,
    ),
    # filters
    Pair(
        "MATCH (m:Memory) WHERE m.importance > 0.98 AND m.kind = 'strategy' RETURN m.id ORDER BY m.id LIMIT 50",
        BASE + "SELECT id FROM m WHERE importance > 0.98 AND kind = 'strategy' ORDER BY 1 LIMIT 50",
    ),
    Pair(
        "MATCH (m:Memory) WHERE m.text CONTAINS 'topic 123' RETURN count(*)",
        BASE + "SELECT count(*) FROM m WHERE instr(text, 'topic 123')",
    ),
    Pair(
        "MATCH (m:Memory) WHERE m.text STARTS WITH 'Memory number 99 ' RETURN m.id",
        BASE + "SELECT id FROM m WHERE text LIKE 'Memory number 99 %'",
    ),
    Pair(
        "MATCH (m:Memory)-[:has_tag]->(:Tag {name: 't7'}) WHERE m.kind IN ['fact', 'decision']"
        " RETURN m.kind, count(*) AS n ORDER BY m.kind",
        BASE + "SELECT m.kind, count(*) FROM m JOIN tag t ON t.content = m.content"
        " WHERE t.name = 't7' AND m.kind IN ('fact', 'decision') GROUP BY 1 ORDER BY 1",
    ),
    Pair(
        "MATCH (m:Memory {id: $id}) OPTIONAL MATCH (m)-[:contradicts]->(o:Memory) RETURN m.id, o.id",
        "SELECT $id, NULL",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})-[r]->(o:Memory) WHERE r.weight >= 0.5 AND o.kind <> 'note'"
        " RETURN count(*)",
        ONE
        + "SELECT count(*) FROM one JOIN edge e ON e.source = one.number JOIN kind_of k ON k.node = e.target"
        " WHERE e.weight >= 0.5 AND k.kind <> 'note'",
        ("id",),
        anchored=True,
    ),
    # variable-length paths
    Pair(
        "MATCH (m:Memory {id: $id})-[:causes*1..3]->(o:Memory) RETURN DISTINCT o.id ORDER BY o.id",
        ONE + ", walk(n, d) AS (SELECT number, 0 FROM one UNION SELECT e.target, d + 1 FROM walk"
        " JOIN edge e ON e.source = n AND e.type = 'causes' WHERE d < 3)"
        " SELECT DISTINCT n.id FROM walk JOIN node n ON n.number = walk.n WHERE d > 0 ORDER BY 1",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH (m:Memory {id: $id})<-[:elaborates*1..2]-(o:Memory) RETURN count(DISTINCT o.id)",
        ONE + ", walk(n, d) AS (SELECT number, 0 FROM one UNION SELECT e.source, d + 1 FROM walk"
        " JOIN edge e ON e.target = n AND e.type = 'elaborates' WHERE d < 2)"
        " SELECT count(DISTINCT n) FROM walk WHERE d > 0",
        ("id",),
        anchored=True,
    ),
    Pair(
        "MATCH p = (a:Memory {id: $id})-[:causes* SHORTEST 1..5]->(b:Memory {id: $other}) RETURN length(p)",
        ONE + ", walk(n, d) AS (SELECT number, 0 FROM one UNION SELECT e.target, d + 1 FROM walk"
        " JOIN edge e ON e.source = n AND e.type = 'causes' WHERE d < 5)"
        " SELECT min(d) FROM walk JOIN node n ON n.number = walk.n WHERE n.id = $other AND d > 0",
        ("id", "other"),
        anchored=True,
    ),
    # aggregation and ordering
    Pair(
        "MATCH (m:Memory) RETURN m.kind, count(*) AS n ORDER BY n DESC, m.kind",
        BASE + "SELECT kind, count(*) n FROM m GROUP BY 1 ORDER BY n DESC, 1",
    ),
    Pair(
        "MATCH (m:Memory) RETURN m.kind, avg(m.importance) AS mean, max(m.importance) AS most ORDER BY m.kind",
        BASE + "SELECT kind, avg(importance), max(importance) FROM m GROUP BY 1 ORDER BY 1",
    ),
    Pair(
        "MATCH (m:Memory)-[:has_tag]->(t:Tag) RETURN t.name, count(*) AS n ORDER BY n DESC, t.name LIMIT 10",
        "SELECT name, count(*) n FROM tag GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10",
    ),
    Pair(
        "MATCH (a:Memory)-[r]->(b:Memory) RETURN label(r) AS type, count(*) AS n, sum(r.weight) AS weight"
        " ORDER BY type",
        "SELECT type, count(*), sum(weight) FROM edge GROUP BY 1 ORDER BY 1",
    ),
    Pair(
        "MATCH (m:Memory)<-[:causes]-(o:Memory) WITH m, count(o) AS causes ORDER BY causes DESC, m.id LIMIT 5"
        " RETURN m.id, causes",
        "SELECT n.id, count(*) c FROM edge e JOIN node n ON n.number = e.target WHERE e.type = 'causes'"
        " GROUP BY 1 ORDER BY c DESC, 1 LIMIT 5",
    ),
    Pair(
        "MATCH (s:Memory {kind: 'strategy'})-[r:causes]->(o:Memory) WHERE o.importance > 0.94"
        " RETURN s.id, o.importance AS worth ORDER BY worth DESC, s.id LIMIT 5",
        BASE + "SELECT s.id, o.importance FROM m s JOIN edge e ON e.source = s.number AND e.type = 'causes'"
        " JOIN m o ON o.number = e.target WHERE s.kind = 'strategy' AND o.importance > 0.94"
        " ORDER BY 2 DESC, 1 LIMIT 5",
    ),
    # similarity
    Pair(
        "UNWIND $near AS s MATCH (m:Memory {id: s.id}) RETURN m.id, s.score ORDER BY s.score DESC LIMIT 10",
        "SELECT n.id, 1.0 / (n.number - (SELECT min(number) FROM node) + 1) FROM node n"
        " ORDER BY n.number LIMIT 10",
        anchored=True,
    ),
    Pair(
        "UNWIND $near AS s MATCH (m:Memory {id: s.id})-[:causes]->(o:Memory)"
        " RETURN o.id, max(s.score) AS score ORDER BY score DESC, o.id LIMIT 5",
        "SELECT t.id, max(1.0 / (n.number - (SELECT min(number) FROM node) + 1)) score FROM node n"
        " JOIN edge e ON e.source = n.number AND e.type = 'causes' JOIN node t ON t.number = e.target"
        " WHERE n.number < (SELECT min(number) FROM node) + 50 GROUP BY 1 ORDER BY score DESC, 1 LIMIT 5",
        anchored=True,
    ),
)
