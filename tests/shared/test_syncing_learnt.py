"""What one of two stores was told of episodes the other learns: once, also where a sync broke off."""

import pytest
from sync_peer import KEY, Beside, broken_off

from recollect import Recollect
from recollect.exchange.syncing import place_value
from recollect.testing import FakeClock, HashEmbedder

JAM = ["fix the printer", "nothing", "paper jam"]
POSSIBLE = ["reset", "reboot"]


@pytest.fixture
def stores(tmp_path):
    clock = FakeClock()
    opened = [
        Recollect(tmp_path / f"{name}.db", user="ada", embedder=HashEmbedder(), clock=clock)
        for name in ("laptop", "server")
    ]
    opened[0].clock = clock
    yield opened
    for one in opened:
        one.close()


def tried(memory, clock, action, success, used=(), **said):
    with memory.episode("fix the printer", task_type="print", **said) as run:
        run.decide("paper jam", possible=POSSIBLE)
        run.step(action)
        run.step(f"then {action}", state="the lid is open")
        run.finish(success, used=used)
    clock.advance(hours=1)
    return run.id


def learnt(memory):
    advice = memory.decide(JAM, possible=POSSIBLE, task_type="print")
    return (
        {one.id: one.ending for one in memory.episodes(limit=None)},
        advice.choices,
        [(one.id, one.reward) for one in advice.precedents],
        memory.tools(),
        [one.text for one in memory.critiques("fix the printer")],
    )


def practised(memory, clock):
    note = memory.remember("The reset button is below the lid").id
    for _ in range(3):
        tried(memory, clock, "reset", True, [note])
        last = tried(memory, clock, "reboot", False, [note])
    memory.reflect(last, "do not reboot while it prints")
    return note, last


def test_both_know_afterwards_how_the_episodes_ended(stores):
    laptop, server = stores
    note, _ = practised(laptop, laptop.clock)
    laptop.sync(Beside(server), key=KEY)
    assert learnt(server) == learnt(laptop)
    assert (server.counters(note).wins, server.counters(note).losses) == (3.0, 3.0)
    assert laptop.sync(Beside(server), key=KEY).outcomes == 0
    assert (server.counters(note).wins, server.counters(note).losses) == (3.0, 3.0)
    tried(server, laptop.clock, "reset", True, [note])
    assert laptop.sync(Beside(server), key=KEY).outcomes == 1
    assert learnt(server) == learnt(laptop)
    assert laptop.counters(note).wins == 4.0
    assert laptop.verify() == server.verify() == []


def test_a_skill_is_made_once(stores):
    laptop, server = stores
    practised(laptop, laptop.clock)
    laptop.sync(Beside(server), key=KEY)
    for _ in range(3):
        tried(server, laptop.clock, "reset", True)
    assert [(one.id, one.wins) for one in server.skills()] == [(laptop.skills()[0].id, 6)]


def test_what_was_taken_back_is_taken_back_on_both_sides_and_can_be_told_anew(stores):
    laptop, server = stores
    _, last = practised(laptop, laptop.clock)
    laptop.sync(Beside(server), key=KEY)
    laptop.undo(last)
    laptop.clock.advance(hours=1)
    laptop.sync(Beside(server), key=KEY)
    assert server.episode_of(last).ending == "open"
    assert learnt(server) == learnt(laptop)
    laptop.clock.advance(hours=1)
    server.outcome(last, success=True)
    laptop.clock.advance(hours=1)
    laptop.sync(Beside(server), key=KEY)
    for _ in range(3):
        done = laptop.sync(Beside(server), key=KEY)
        assert (done.outcomes, done.conflicts) == (0, [])
    assert [one.episode_of(last).ending for one in stores] == ["won", "won"]


def test_told_anew_before_the_other_heard_of_it_the_later_holds(stores):
    laptop, server = stores
    _, last = practised(laptop, laptop.clock)
    laptop.sync(Beside(server), key=KEY)
    laptop.undo(last)
    laptop.clock.advance(hours=1)
    laptop.outcome(last, success=True)
    laptop.clock.advance(hours=1)
    for _ in range(3):
        laptop.sync(Beside(server), key=KEY)
    assert [one.episode_of(last).ending for one in stores] == ["won", "won"]
    assert learnt(server)[0] == learnt(laptop)[0]
    assert laptop.sync(Beside(server), key=KEY).outcomes == 0


def test_what_both_were_told_otherwise_each_keeps(stores):
    laptop, server = stores
    run = laptop.episode("fix the printer")
    run.step("reset", state="paper jam")
    laptop.sync(Beside(server), key=KEY)
    laptop.outcome(run.id, success=True)
    server.outcome(run.id, success=False)
    assert laptop.sync(Beside(server), key=KEY).conflicts == [run.id]
    assert [one.episode_of(run.id).ending for one in stores] == ["won", "lost"]


def test_only_what_leaves_is_told(stores):
    laptop, server = stores
    here = tried(laptop, laptop.clock, "reset", True, channel="office")
    tried(laptop, laptop.clock, "reset", True, channel="home")
    laptop.sync(Beside(server), key=KEY, channels=["office"])
    assert {one.id: one.ending for one in server.episodes()} == {here: "won"}


@pytest.mark.parametrize("at", [*range(1, 5), *range(-4, 0)])
def test_broken_off_at_any_call_everything_is_learnt_once(stores, at):
    laptop, server = stores
    note, _ = practised(laptop, laptop.clock)
    tried(server, laptop.clock, "reset", True)
    broken_off(laptop, server, at)
    laptop.sync(Beside(server), key=KEY)
    assert learnt(server)[0] == learnt(laptop)[0]
    assert [(one.counters(note).wins, one.counters(note).losses) for one in stores] == [(3.0, 3.0)] * 2


def test_a_page_of_an_older_store_is_taken(stores):
    laptop, server = stores
    practised(laptop, laptop.clock)
    page = laptop.sync_page(place_value(server.sync_place("x")))
    old = {name: one for name, one in page.items() if name not in ("endings", "notes")}
    report = server.take_page(old | {"sender": f"{page['store']}/"})
    assert (report.outcomes, bool(report.created)) == (0, True)
