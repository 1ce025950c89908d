"""Taking a dream back restores exactly what was, and guesses nothing where somebody changed it since."""

import random
from datetime import timedelta

import pytest
from dream_values import keep, learnt, sleeps, teach, view

from recollect.dream import undo as undoing
from recollect.dream.strengthening import Use, strengthen
from recollect.errors import NotFound, Refused
from recollect.model import Edge
from recollect.ports import Changes


def live(memory, clock, rng, day):
    """A day: something new, something used, something that helped or did not."""
    for n in range(4):
        said = f"Note {day}-{n} on subject {rng.randint(1, 10**6)}"
        keep(
            memory,
            rng.choice([said, "The nightly backup runs at three" + "." * rng.randint(0, 9)]),
            kind=rng.choice(["fact", "note", "preference"]),
            pinned=rng.random() < 0.1,
            valid_until=clock.now() + timedelta(days=3) if rng.random() < 0.2 else None,
            metadata={"entities": [f"entity://tech/{rng.randint(1, 9)}"]},
        )
    memory._accesses.flush()  # a text that was said again is a use
    known = [one.id for one in memory.list(limit=None)]
    for _ in range(3):
        strengthen(memory.store, "ada", [Use(tuple(rng.sample(known, 3)), clock.now())])
    teach(memory, rng.choice(known), utility=rng.choice([0.05, 0.9]))
    clock.advance(days=rng.choice([1, 5, 20]))


def test_undoing_ten_nights_restores_the_first_evening_exactly(memory, clock):
    rng = random.Random(7)
    for day in range(6):
        live(memory, clock, rng, day)
    evening = view(memory)
    nights = []
    for _ in range(10):
        clock.advance(days=12)
        nights.append(memory.dream())
    assert view(memory) != evening
    assert sum(night.changed for night in nights) > 30
    for night in reversed(nights):
        assert memory.undo_dream(night.id).conflicts == ()
    assert view(memory) == evening
    assert memory.store.verify("ada") == []


def test_what_was_written_since_and_does_not_conflict_stays(memory, clock):
    old = keep(memory, "The printer on the third floor jams")
    clock.advance(days=100)
    night = memory.dream()
    assert sleeps(memory, old)
    new = keep(memory, "The printer was replaced")
    before = memory.get(new)
    assert memory.undo_dream(night.id).conflicts == ()
    assert (sleeps(memory, old), memory.get(new)) == (False, before)


def test_what_was_changed_since_is_reported_and_left(memory, clock):
    tagged, other = keep(memory, "The printer on the third floor jams"), keep(memory, "Rain on Monday")
    used = keep(memory, "Ada likes tea", kind="preference")
    teach(memory, used, utility=0.9)
    clock.advance(days=100)
    night = memory.dream()
    memory.tag(tagged, "hardware")
    teach(memory, used, utility=0.7)
    undone = memory.undo_dream(night.id)
    assert set(undone.conflicts) == {f"{tagged} was changed since", f"{used}: its utility was changed since"}
    assert (sleeps(memory, tagged), memory.get(tagged).tags) == (True, ("hardware",))
    assert learnt(memory, used).utility == 0.7
    assert not sleeps(memory, other)


def test_what_was_purged_since_is_reported(memory, clock):
    one = keep(memory, "The printer on the third floor jams")
    clock.advance(days=100)
    night = memory.dream()
    memory.purge(one)
    assert memory.undo_dream(night.id).conflicts == (f"{one} was purged",)


def test_edges_of_a_dream_go_and_their_weights_come_back(memory, clock):
    one, other = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    third = keep(memory, "Rain on Monday")
    memory.store.write(
        "ada", Changes("link", clock.now(), edges=(Edge(*sorted((one, third)), "recalled_with", 0.1),))
    )
    for ids in [(one, other), (one, third)] * 3:
        strengthen(memory.store, "ada", [Use(ids, clock.now())])
    before = view(memory)
    night = memory.dream()
    assert {edge.weight for edge in memory.edges(one)} == {0.875}
    memory.undo_dream(night.id)
    assert view(memory) == before
    memory.dream()
    assert {edge.weight for edge in memory.edges(one)} == {0.875}, "what was undone is dreamt again"


def test_a_dream_is_undone_once_and_the_next_goes_on_from_the_one_before(memory, clock):
    one = keep(memory, "Ada likes tea", kind="fact")
    teach(memory, one, stability=9.0)
    clock.advance(days=2)
    night = memory.dream()
    memory.undo_dream(night.id)
    with pytest.raises(Refused, match="already"):
        memory.undo_dream(night.id)
    with pytest.raises(NotFound):
        memory.undo_dream("nothing")
    clock.advance(days=2)
    memory.dream()
    assert learnt(memory, one).stability == pytest.approx(9 * 0.985**4), "as if it had slept on"


def test_an_interrupted_undo_is_finished_by_calling_it_again(memory, clock, monkeypatch):
    ids = [keep(memory, f"Note {n} on subject {n * n + 1000}") for n in range(6)]
    for one in ids:
        teach(memory, one, stability=9.0)
    before = view(memory)
    clock.advance(days=100)
    night = memory.dream()
    monkeypatch.setattr(undoing, "BATCH", 2)
    write, left = memory.store.write, [3]

    def dying(user, changes):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return write(user, changes)

    monkeypatch.setattr(memory.store, "write", dying)
    with pytest.raises(KeyboardInterrupt):
        memory.undo_dream(night.id)
    assert [run.state for run in memory.dreams()] == ["undoing"]
    assert memory.undo_dream(night.id).conflicts == ()
    assert view(memory) == before
