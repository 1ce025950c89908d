"""What use teaches: the used, its neighbours and its company last longer, once for each use."""

import threading

import pytest

from recollect import Recollect
from recollect.dream.strengthening import TOGETHER, Use, pair, strengthen
from recollect.errors import StoreBusy
from recollect.formulas.retention import retention
from recollect.model import Counters, Edge
from recollect.ports import Changes
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def three(memory):
    """The ids of three memories."""
    return [memory.remember(text).id for text in ("Ada likes tea", "The port is 8080", "Rain on Monday")]


def learnt(memory, memory_id):
    return memory.store.counters("ada", [memory_id]).get(memory_id, Counters())


def used(memory, *ids):
    strengthen(memory.store, "ada", [Use(ids, memory._clock.now())])


def test_a_used_memory_is_stored_deeper_and_fades_more_slowly(memory, three, clock):
    clock.advance(days=9)
    used(memory, three[0])
    found = learnt(memory, three[0])
    assert found.stability == pytest.approx(1 + 0.5 * (1 - float(retention(9, 1))))
    assert found.strength == pytest.approx(1.9)
    assert (found.access_count, found.last_accessed_at) == (1, clock.now())


def test_what_was_used_a_moment_ago_gains_no_stability_from_being_used_again(memory, three, clock):
    clock.advance(days=9)
    used(memory, three[0])
    before = learnt(memory, three[0])
    used(memory, three[0])
    after = learnt(memory, three[0])
    assert after.stability == before.stability
    assert after.strength > before.strength


def test_accessing_a_memory_gives_its_neighbours_two_percent(memory, three):
    one, other, apart = three
    memory.link(one, other, "related_to")
    used(memory, one)
    assert learnt(memory, other) == Counters(stability=1.02)
    assert learnt(memory, apart) == Counters()


def test_entity_crosslinks_count_and_sources_do_not(memory, three):
    one, other, source = three
    memory.link(one, other, "same_entity")
    memory.store.write(
        "ada", Changes("link", memory._clock.now(), edges=(Edge(one, source, "derived_from"),))
    )
    used(memory, one)
    assert learnt(memory, other).stability == 1.02
    assert learnt(memory, source) == Counters()


def test_those_brought_back_together_are_counted_and_strengthened_together(memory, three):
    one, other, apart = three
    used(memory, one, other)
    used(memory, other, one)
    used(memory, apart)
    assert memory.store.record("ada", TOGETHER, pair(one, other)).value["count"] == 2
    assert [learnt(memory, each).stability for each in three] == pytest.approx([1.02**2, 1.02**2, 1.0])


def test_only_the_best_hits_came_to_mind_together(memory):
    ids = [memory.remember(f"Note number {n}").id for n in range(7)]
    used(memory, *ids)
    assert len(memory.store.records("ada", TOGETHER)) == 10, "five of them make ten pairs"
    assert learnt(memory, ids[6]).stability == 1.0


def test_what_is_purged_meanwhile_takes_nothing_with_it(memory, three):
    memory.purge(three[0])
    used(memory, three[0], three[1])
    assert learnt(memory, three[1]).access_count == 1
    assert memory.store.records("ada", TOGETHER) == []


def test_a_recall_strengthens_unless_told_not_to(memory, three, clock):
    clock.advance(days=9)
    memory.recall("what does Ada like?", k=1, learn=False)
    assert memory.counters(three[0]) == Counters()
    memory.recall("what does Ada like?", k=1)
    assert memory.counters(three[0]).stability > 1.0


def test_strengthening_can_be_switched_off_and_uses_are_counted_all_the_same(memory, three):
    memory.configure({"dream.strengthen": False})
    memory.recall("what does Ada like?", k=2)
    found = memory.counters(three[0])
    assert (found.access_count, found.strength) == (1, 1.0)
    assert memory.store.records("ada", TOGETHER) == []


def test_a_full_batch_is_written_while_the_caller_goes_on(on_file, monkeypatch):
    ids = [one.id for one in on_file.remember_many([f"Note number {n}" for n in range(256)])]
    held, released = threading.Event(), threading.Event()
    write = on_file.store.write

    def slow(user, changes):
        held.set()
        assert released.wait(20)
        return write(user, changes)

    monkeypatch.setattr(on_file.store, "write", slow)
    on_file._accesses.add(ids, on_file._clock.now())
    assert held.wait(20), "a thread of its own writes"
    on_file._accesses.add(ids[:1], on_file._clock.now())
    released.set()
    assert on_file.counters(ids[0]).access_count == 2


def test_a_store_that_cannot_be_written_keeps_the_uses_for_later(memory, three, monkeypatch):
    def busy(user, changes):
        raise StoreBusy("held")

    with monkeypatch.context() as patched:
        patched.setattr(memory.store, "write", busy)
        memory._accesses.add([three[0]], memory._clock.now())
        with pytest.raises(StoreBusy):
            memory._accesses.flush()
    assert memory.counters(three[0]).access_count == 1


def test_two_processes_that_learn_at_once_lose_no_use(tmp_path):
    path, clock = tmp_path / "agent.db", FakeClock()
    engines = [
        Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) for _ in range(2)
    ]
    one = engines[0].remember("Ada likes tea").id
    other = engines[0].remember("The port is 8080").id
    threads = [
        threading.Thread(target=lambda e=engine: [used(e, one, other) for _ in range(20)])
        for engine in engines
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = learnt(engines[0], one)
    assert found.access_count == 40
    assert found.stability == pytest.approx(1.02**40)
    assert found.strength == pytest.approx(10 - 9 * 0.9**40)
    assert engines[0].store.record("ada", TOGETHER, pair(one, other)).value["count"] == 40
    for engine in engines:
        engine.close()


def test_users_do_not_strengthen_each_others_memories(memory, three):
    strengthen(memory.store, "eve", [Use(tuple(three), memory._clock.now())])
    assert [learnt(memory, one) for one in three] == [Counters()] * 3
