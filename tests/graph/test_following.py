"""Following the store by what was written since gives what reading all of it gives, whatever was done."""

import random

import pytest

from recollect.graph.following import Followed
from recollect.graph.growing import difference
from recollect.graph.shape import Naming, Rows, graph_rows
from recollect.model import Edge
from recollect.ports import Changes
from recollect.write.entities import merged, named_in

NAMING = Naming(named_in, merged)
ENTITIES = [f"entity://person/{name}" for name in ("ada", "ada-lovelace", "bo", "bo-derek", "bo-diddley")]


def linked(memory, dice):
    ids = [one.id for one in memory.list(limit=None)]
    if len(ids) > 1:
        memory.link(*dice.sample(ids, 2), dice.choice(["causes", "related_to"]))


def unlinked(memory, dice):
    edges = [edge for edge in memory.store.all_edges(memory.user) if edge.type == "causes"]
    if edges:
        gone = dice.choice(edges)
        memory.store.write(memory.user, Changes("test", memory.now(), unlinked=(gone,)))


def reweighed(memory, dice):
    edges = list(memory.store.all_edges(memory.user))
    if edges:
        one = dice.choice(edges)
        lighter = Edge(one.source, one.target, one.type, round(one.weight * 0.9, 3))
        memory.store.write(memory.user, Changes("test", memory.now(), reweighed=(lighter,)))


def remembered(memory, dice):
    named = {"entities": dice.sample(ENTITIES, 2)}
    memory.remember(f"note {dice.random()}", tags=dice.sample(["a", "b", "c"], 1), metadata=named)


def tried(memory, dice):
    with memory.episode(f"goal {dice.random()}") as run:
        for _ in range(2):
            run.decide(f"state {dice.random()}")
            run.step(action="act", action_type="act", observation="ok")
        run.finish(success=dice.random() < 0.5)


def changed(verb):
    def done(memory, dice):
        ids = [one.id for one in memory.list(limit=None)]
        if ids:
            verb(memory, dice.choice(ids), dice)

    return done


DEEDS = (
    remembered,
    remembered,
    linked,
    unlinked,
    reweighed,
    tried,
    changed(lambda memory, one, dice: memory.edit(one, f"edited {dice.random()}")),
    changed(lambda memory, one, _: memory.forget(one)),
    changed(lambda memory, one, _: memory.purge(one)),
)


def applied(rows, told):
    """The rows with a difference taken in, in the order in which the engine's copy takes it in."""
    now = copied(rows)
    for pair, apart in told.unlinked.items():
        for ends in apart:
            del now.links[pair][ends]
    for label, ids in told.removed.items():
        for one in ids:
            del now.nodes[label][one]
    for some, known in ((told.changed, True), (told.added, False)):
        for label, row in ((label, row) for label, rows in some.items() for row in rows):
            assert (row[0] in now.nodes[label]) is known
            now.nodes[label][row[0]] = row
    for pair, row in ((pair, row) for pair, rows in told.linked.items() for row in rows):
        assert row[:2] not in now.links.setdefault(pair, {})
        now.links[pair][row[:2]] = row
    return Rows(now.nodes, {pair: some for pair, some in now.links.items() if some})


def copied(rows):
    return Rows(
        {label: dict(some) for label, some in rows.nodes.items()},
        {pair: dict(some) for pair, some in rows.links.items()},
    )


@pytest.mark.parametrize("seed", range(6))
def test_what_is_followed_is_what_is_there(memory, clock, seed):
    dice = random.Random(seed)
    followed = Followed(memory.store, memory.user, NAMING)
    told = followed.news(None)
    held, ways = copied(told.rows), set()
    for _ in range(30):
        clock.advance(seconds=1)
        dice.choice(DEEDS)(memory, dice)
        there = graph_rows(memory.store, memory.user, NAMING)
        news = followed.news(told.sequence)
        if news is None:
            assert held == there
            continue
        told = news
        assert told.rows == there
        ways.add(told.difference is not None)
        assert applied(held, told.difference or difference(held, told.rows)) == there
        held = copied(told.rows)
    assert True in ways


def test_where_a_name_turns_out_to_stand_for_another_all_is_put_together_anew(memory):
    short, whole = "entity://person/ada", "entity://person/ada-lovelace"
    memory.remember("Ada called", metadata={"entities": [short]})
    followed = Followed(memory.store, memory.user, NAMING)
    told = followed.news(None)
    assert [*told.rows.nodes["Entity"]] == [short]
    memory.remember("Ada Lovelace wrote", metadata={"entities": [whole]})
    told = followed.news(told.sequence)
    assert told.difference is None
    assert told.rows == graph_rows(memory.store, memory.user, NAMING)
    assert [*told.rows.nodes["Entity"]] == [whole]


def test_where_nothing_was_written_there_is_no_news(memory):
    memory.remember("something")
    followed = Followed(memory.store, memory.user, NAMING)
    seen = followed.news(None).sequence
    assert followed.news(seen) is None
    assert followed.news(None).difference is None


def test_only_what_was_written_since_is_read_and_told(memory, monkeypatch):
    for number in range(5):
        memory.remember(f"note {number}", tags=["a"])
    followed = Followed(memory.store, memory.user, NAMING)
    seen = followed.news(None).sequence
    read = []
    find = type(memory.store).find

    def counted(store, user, where, **more):
        found = find(store, user, where, **more)
        read.append(len(found))
        return found

    def never(*_):
        pytest.fail("the edges were read again")

    made = memory.remember("one more", tags=["a", "b"])
    monkeypatch.setattr(type(memory.store), "find", counted)
    monkeypatch.setattr(type(memory.store), "all_edges", never)
    told = followed.news(seen)
    assert len(told.rows.nodes["Memory"]) == 6
    assert read == [1]
    assert {label: [row[0] for row in some] for label, some in told.difference.added.items()} == {
        "Memory": [made.id],
        "Tag": ["tag:b"],
    }
    assert [len(some) for some in told.difference.linked.values()] == [2]
    assert not told.difference.changed


def test_what_is_observed_and_formed_is_followed_without_reading_all_edges(memory, monkeypatch):
    memory.observe([{"role": "user", "content": "Priya Raman lives in Porto."}], session="s")
    memory.form_session("s")
    followed = Followed(memory.store, memory.user, NAMING)
    seen = followed.news(None).sequence
    memory.observe([{"role": "user", "content": "My sister Lena moved to Ankara."}], session="t")
    memory.form_session("t")
    there = graph_rows(memory.store, memory.user, NAMING)
    monkeypatch.setattr(type(memory.store), "all_edges", lambda *_: pytest.fail("the edges were read again"))
    told = followed.news(seen)
    assert told.rows == there
    assert told.difference.linked


def test_an_edge_that_is_not_at_what_was_written_is_found_all_the_same(memory):
    one, other = (memory.remember(text).id for text in ("one", "other"))
    followed = Followed(memory.store, memory.user, NAMING)
    seen = followed.news(None).sequence
    beside = (Edge(one, other, "causes"),)
    memory.store.write(memory.user, Changes("remember", memory.now(), edges=beside))
    told = followed.news(seen)
    assert told.rows == graph_rows(memory.store, memory.user, NAMING)
    assert [row[:2] for some in told.difference.linked.values() for row in some] == [(one, other)]
