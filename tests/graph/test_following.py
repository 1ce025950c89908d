"""Following the store by what was written since gives what reading all of it gives, whatever was done."""

import random

import pytest

from recollect.graph.following import Followed
from recollect.graph.shape import Naming, graph_rows
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


@pytest.mark.parametrize("seed", range(4))
def test_what_is_followed_is_what_is_there(memory, clock, seed):
    dice = random.Random(seed)
    followed = Followed(memory.store, memory.user, NAMING)
    seen = None
    for _ in range(25):
        clock.advance(seconds=1)
        dice.choice(DEEDS)(memory, dice)
        told = followed.news(seen)
        if told is not None:
            seen, rows = told
        assert rows == graph_rows(memory.store, memory.user, NAMING)


def test_where_nothing_was_written_there_is_no_news(memory):
    memory.remember("something")
    followed = Followed(memory.store, memory.user, NAMING)
    seen, _ = followed.news(None)
    assert followed.news(seen) is None
    assert followed.news(None) is not None


def test_only_what_was_written_since_is_read(memory, monkeypatch):
    for number in range(5):
        memory.remember(f"note {number}")
    followed = Followed(memory.store, memory.user, NAMING)
    seen, _ = followed.news(None)
    read = []
    find, all_edges = type(memory.store).find, type(memory.store).all_edges

    def counted(store, user, where, **more):
        found = find(store, user, where, **more)
        read.append(len(found))
        return found

    def never(*_):
        pytest.fail("the edges were read again")

    memory.remember("one more")
    monkeypatch.setattr(type(memory.store), "find", counted)
    monkeypatch.setattr(type(memory.store), "all_edges", never)
    assert len(followed.news(seen)[1].nodes["Memory"]) == 6
    assert read == [1]
    monkeypatch.setattr(type(memory.store), "all_edges", all_edges)
