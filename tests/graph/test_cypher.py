"""Cypher over one user's graph: it finds what is there, follows the store, and can do nothing else."""

import gc
import os
import time
from itertools import pairwise
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.graph.guard import reading_only
from recollect.ports import Changes
from recollect.testing import HashEmbedder

pytest.importorskip("ladybug")
COUNT = "MATCH (m:Memory) RETURN count(*) AS n"


@pytest.fixture
def asked(on_file):
    """A memory with a few things in it."""
    on_file.remember("Certificates are rotated every spring", tags=["ops"])
    return on_file


def rows(memory, query, **options):
    return [tuple(row) for row in memory.cypher(query, **options).rows]


def test_nodes_edges_and_tags_are_found(asked):
    one = asked.remember("The outage of May, said 'Ada' \"again\",\nand more", tags=["ops", "2026"]).id
    other = asked.remember("The certificate had expired").id
    asked.link(other, one, "causes", weight=0.5, reason="post-mortem")
    found = asked.cypher(
        "MATCH (a:Memory)-[r:causes]->(b:Memory) RETURN a.text, r.weight AS weight, r.reason, b.text, b.id"
    )
    assert found.columns == ("a.text", "weight", "r.reason", "b.text", "b.id")
    assert found.rows == (
        (
            "The certificate had expired",
            0.5,
            "post-mortem",
            "The outage of May, said 'Ada' \"again\",\nand more",
            one,
        ),
    )
    tagged = rows(asked, "MATCH (m)-[:has_tag]->(t:Tag) RETURN t.name, count(*) AS n ORDER BY n DESC, t.name")
    assert tagged == [("ops", 2), ("2026", 1)]


def test_the_copy_follows_every_change_without_being_made_anew(asked):
    one = asked.remember("first").id
    other = asked.remember("second").id
    asked.link(one, other, "related_to")
    assert rows(asked, COUNT) == [(3,)]
    process = asked._cypher_copy._process.pid
    third = asked.remember("third", tags=["ops"]).id
    asked.link(other, third, "related_to")
    asked.edit(one, "first, changed")
    asked.forget(other)
    found = "MATCH (a:Memory)-[:related_to]->(b:Memory) RETURN a.text, b.text, a.state ORDER BY a.text"
    assert rows(asked, found) == [("first, changed", "second", "active"), ("second", "third", "dormant")]
    gone = next(edge for edge in asked.edges(one) if edge.type == "related_to")
    asked.store.write("ada", Changes("test", asked.now(), unlinked=(gone,)))
    assert rows(asked, found) == [("second", "third", "dormant")]
    assert asked._cypher_copy._process.pid == process


def test_what_is_rebuilt_gives_the_same_answers(asked):
    ids = [asked.remember(f"note {number}", tags=[f"t{number % 3}"]).id for number in range(12)]
    rows(asked, COUNT)
    for before, after in pairwise(ids):
        asked.link(before, after, "elaborates")
    asked.edit(ids[3], "note 3, anew")
    query = "MATCH (a)-[r]->(b) RETURN label(a), a.id, label(r) AS type, b.id ORDER BY a.id, type, b.id"
    followed = rows(asked, query)
    asked._cypher_copy.end()
    assert rows(asked, query) == followed
    assert len(followed) == 11 + 13


def test_what_was_purged_is_gone_with_the_process_that_held_it(asked):
    secret = asked.remember("The vault's word is heliotrope").id
    assert rows(asked, COUNT) == [(2,)]
    process = asked._cypher_copy._process
    asked.purge(secret)
    assert process.poll() is not None
    assert rows(asked, COUNT) == [(1,)]
    assert rows(asked, "MATCH (m) WHERE m.text CONTAINS 'heliotrope' RETURN m.id") == []


def test_similar_memories_are_bound_with_their_scores(asked):
    near = asked.remember("Deploys go through staging first").id
    found = rows(
        asked,
        "UNWIND $q AS s MATCH (m:Memory {id: s.id}) RETURN m.id, s.score AS score ORDER BY score DESC LIMIT 1",
        near={"q": "how do we deploy?"},
    )
    assert found[0][0] == near
    assert found[0][1] > 0


def test_steps_belong_to_their_episode_and_follow_each_other(asked):
    with asked.episode("fix the auth bug", task_type="bugfix") as run:
        run.decide("tests fail")
        run.step(action="grep mutex", action_type="search", observation="found")
        run.decide("a lock is held")
        run.step(action="release the lock", action_type="edit", observation="passes")
        run.finish(success=True)
    found = rows(
        asked,
        "MATCH (a:Step)-[:temporal]->(b:Step)-[:part_of]->(e:Episode) RETURN e.text, e.task_type, a.action, b.action",
    )
    assert found == [("fix the auth bug", "bugfix", "grep mutex", "release the lock")]


def test_entities_are_nodes_that_memories_mention(on_file):
    on_file.observe([{"role": "user", "content": "Priya Raman lives in Porto."}], session="s")
    on_file.form_session("s")
    found = rows(on_file, "MATCH (m:Memory)-[:mentions]->(e:Entity) RETURN e.name ORDER BY e.name")
    assert ("priya raman",) in found


def test_another_users_memories_are_not_there(asked, tmp_path):
    with asked.beside("bob") as bob:
        bob.remember("Bob's own secret")
        assert rows(bob, "MATCH (m) RETURN m.text") == [("Bob's own secret",)]
        assert rows(asked, "MATCH (m:Memory) RETURN m.text") == [("Certificates are rotated every spring",)]


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (m:Memory {id: 'x'})",
        "MATCH (m:Memory) SET m.text = 'x'",
        "MATCH (m:Memory) DETACH DELETE m",
        "MERGE (m:Memory {id: 'x'})",
        "MATCH (m) RETURN m; MATCH (m) DELETE m",
        "CALL timeout=0",
        "COPY (MATCH (m:Memory) RETURN m.text) TO '/tmp/stolen.csv'",
        "LOAD FROM '/etc/passwd' RETURN *",
        "MATCH (m:Memory) LOAD FROM '/etc/passwd' RETURN *",
        "/* RETURN 1 */ DROP TABLE Memory",
        "ATTACH '/etc/passwd' AS x",
        "INSTALL httpfs",
        "BEGIN TRANSACTION",
        "COMMIT",
        "",
        "   ",
        "RETURN 'not closed",
        "RETURN 1 /* not closed",
        "RETURN `x",
        "RETURN '" + "\\'" * 9_000,
        "/*" * 9_000,
        "RETURN 1 //" + "x" * 20_000,
    ],
)
def test_nothing_but_reading_is_let_through(query):
    with pytest.raises(InvalidInput):
        reading_only(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (m:Memory) WHERE m.text = 'CREATE; DELETE' RETURN m",
        'RETURN "DROP"',
        "MATCH (m) RETURN m.set, $load, m.text AS `create`",
        "match (m) return m;",
        "// CREATE\nMATCH (m) RETURN m",
    ],
)
def test_words_that_are_quoted_or_names_are_let_through(query):
    assert reading_only(query)


def test_even_past_the_guard_nothing_is_written_and_no_file_is_opened(asked, monkeypatch, tmp_path):
    rows(asked, COUNT)
    monkeypatch.setattr("recollect.graph.cypher.reading_only", lambda query: query)
    stolen = tmp_path / "stolen.csv"
    for query in (
        "CREATE (m:Memory {id: 'x'})",
        "MATCH (m:Memory) DETACH DELETE m",
        "LOAD FROM '/etc/passwd' (file_format='csv', delim='|') RETURN *",
        f"COPY (MATCH (m:Memory) RETURN m.text) TO '{stolen}'",
    ):
        with pytest.raises(InvalidInput):
            asked.cypher(query)
    assert not stolen.exists()
    assert rows(asked, COUNT) == [(1,)]


def test_a_runaway_query_is_stopped_and_the_next_is_answered(tmp_path, clock):
    limits = {"graph.cypher_seconds": 0.5, "graph.cypher_megabytes": 256}
    with Recollect(
        tmp_path / "a.db", user="ada", embedder=HashEmbedder(), clock=clock, settings=limits
    ) as memory:
        memory.remember("something")
        began = time.monotonic()
        with pytest.raises(InvalidInput, match=r"stopped after 0\.5 s"):
            memory.cypher(
                "UNWIND range(1, 3000000) AS x UNWIND range(1, 3000000) AS y"
                " WITH x, y WHERE x * y % 7 = 3 RETURN count(*)"
            )
        assert time.monotonic() - began < 30
        with pytest.raises(InvalidInput, match=r"memory|MB"):
            memory.cypher("UNWIND range(1, 100000000) AS x RETURN collect(x)")
        assert rows(memory, COUNT) == [(1,)]


def test_a_process_that_does_not_answer_is_ended_and_made_anew(asked, monkeypatch):
    import signal

    monkeypatch.setattr("recollect.graph.cypher.GRACE_SECONDS", -4.5)
    rows(asked, COUNT)
    os.kill(asked._cypher_copy._process.pid, signal.SIGSTOP)
    with pytest.raises(InvalidInput, match="stopped"):
        asked.cypher(COUNT)
    monkeypatch.setattr("recollect.graph.cypher.GRACE_SECONDS", 30.0)
    assert rows(asked, COUNT) == [(1,)]


def test_a_process_that_was_killed_is_made_anew(asked):
    rows(asked, COUNT)
    asked._cypher_copy._process.kill()
    asked._cypher_copy._process.wait()
    assert rows(asked, COUNT) == [(1,)]


def test_no_process_is_left_when_the_memory_is_closed(tmp_path):
    with Recollect(tmp_path / "a.db", user="ada", embedder=HashEmbedder()) as memory:
        memory.remember("something")
        rows(memory, COUNT)
        number = memory._cypher_copy._process.pid
    assert not Path(f"/proc/{number}").exists()


def test_nor_when_a_memory_that_nobody_closes_is_gone(asked):
    beside = asked.beside("ben")
    beside.remember("Ben likes tea")
    beside.cypher("MATCH (m:Memory) RETURN m.text")
    process = beside._cypher_copy._process
    assert process.poll() is None
    del beside
    gc.collect()
    assert process.poll() is not None
    assert process.stdin.closed
    assert process.stdout.closed


def test_only_a_few_copies_stay_in_one_process(asked, monkeypatch):
    monkeypatch.setattr("recollect.graph.cypher.MOST_RUNNING", 1)
    with asked.beside("bob") as bob:
        bob.remember("x")
        rows(asked, COUNT)
        rows(bob, COUNT)
        assert not asked._cypher_copy.is_running
        assert rows(asked, COUNT) == [(1,)]


def test_rows_are_limited_and_that_is_said(asked):
    found = asked.cypher("UNWIND range(1, 50) AS x RETURN x", limit=10)
    assert len(found.rows) == 10
    assert found.truncated
    assert not asked.cypher("RETURN 1").truncated
    for wrong in (0, 10_001):
        with pytest.raises(InvalidInput):
            asked.cypher("RETURN 1", limit=wrong)


def test_an_answer_that_is_too_long_is_not_sent(asked, monkeypatch):
    monkeypatch.setattr("recollect.graph.cypher.MOST_CHARACTERS", 1_000)
    with pytest.raises(InvalidInput, match="longer than 1,000 characters"):
        asked.cypher("UNWIND range(1, 50) AS x RETURN repeat('x', 100)")
    assert len(asked.cypher("UNWIND range(1, 5) AS x RETURN repeat('x', 100)").rows) == 5


def test_a_process_that_says_more_than_it_may_is_ended(asked, monkeypatch):
    rows(asked, COUNT)
    process = asked._cypher_copy._process
    monkeypatch.setattr("recollect.graph.cypher.MOST_CHARACTERS", 1_000)
    with pytest.raises(InvalidInput, match="ended"):
        asked.cypher("UNWIND range(1, 50) AS x RETURN repeat('x', 100)")
    assert process.poll() is not None
    assert rows(asked, COUNT) == [(1,)]


def test_moments_are_bound_as_texts_and_what_is_no_number_is_refused(asked, clock):
    query = "MATCH (m:Memory) WHERE m.recorded_at <= timestamp($at) RETURN count(*)"
    assert rows(asked, query, parameters={"at": clock.now()}) == [(1,)]
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(InvalidInput, match="finite"):
            asked.cypher("RETURN $x", {"x": wrong})


def test_what_is_near_leads_on_along_links(asked):
    cause = asked.remember("The certificate of the provider had expired").id
    outage = asked.remember("Nobody could pay on Friday").id
    asked.link(cause, outage, "causes")
    found = rows(
        asked,
        "UNWIND $q AS s MATCH (m:Memory {id: s.id})-[r:causes*1..2]->(o:Memory)"
        " RETURN m.id, length(r) AS far, o.id",
        near={"q": "expired certificate"},
    )
    assert found == [(cause, 1, outage)]


def test_what_the_engine_stumbles_over_is_asked_as_it_was_written(asked):
    one, other = asked.remember("one").id, asked.remember("other").id
    asked.link(one, other, "causes")
    query = "UNWIND $ids AS x MATCH p = (m:Memory {id: x})-[:causes*1..2]->(o) RETURN length(p), o.id"
    assert rows(asked, query, parameters={"ids": [one]}) == [(1, other)]


def test_mistakes_are_told_of_the_query_as_it_was_written(asked):
    with pytest.raises(InvalidInput, match="Nope") as told:
        asked.cypher("UNWIND $q AS s MATCH (m:Nope {id: s.id})-[:causes]->(o) RETURN o.id", {"q": []})
    assert "OPTIONAL" not in str(told.value)


def test_mistakes_are_told_in_plain_words(asked):
    with pytest.raises(InvalidInput, match="Nope"):
        asked.cypher("MATCH (m:Nope) RETURN m")
    with pytest.raises(InvalidInput):
        asked.cypher("MATCH (m:Memory) RETURN n.text")
    with pytest.raises(InvalidInput):
        asked.cypher("MATCH (m:Memory RETURN")


def test_who_does_not_recall_is_not_answered(asked):
    asked.configure({"memory.recalling": False})
    with pytest.raises(Refused):
        asked.cypher(COUNT)
