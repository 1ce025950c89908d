"""A dream as a whole: every step in order, each batch with its journal, finished by whoever comes next."""

import fcntl
import threading
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from dream_values import keep, learnt, only, sleeps, teach, view
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.dream import alone as lone
from recollect.dream import committing, cycle
from recollect.dream.committing import commit
from recollect.dream.journal import JOURNAL, entries
from recollect.dream.keeping import KEEPING, KEPT, keeping
from recollect.dream.proposal import Proposal
from recollect.dream.runs import Run
from recollect.dream.steps import STEPS, archive, tier_decay, utility_decay
from recollect.errors import Conflict, NotFound, Refused
from recollect.model import Edge, State
from recollect.ports import Changes, RecordChange
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def lived(memory, clock):
    """A memory in which every step finds something to do."""
    ids = {
        "felt": keep(memory, "The production database is gone", metadata={"emotion": {"arousal": 0.9}}),
        "often": keep(memory, "The deploy script lives in bin"),
        "idle": keep(memory, "The printer on the third floor jams"),
        "twin": keep(memory, "The nightly backup of billing runs at three"),
        "twin's": keep(memory, "The nightly backup of billing runs at three."),
        "over": keep(memory, "Ada is away this week", valid_until=clock.now() + timedelta(days=7)),
        "useless": keep(memory, "The old wiki lists the rooms"),
    }
    teach(memory, ids["often"], accesses=4, stability=5.0, strength=3.0)
    teach(memory, ids["useless"], utility=0.05)
    clock.advance(days=40)
    teach(memory, ids["often"], accesses=1)
    clock.advance(days=1)
    return ids


def interrupted(memory, after):
    """A dream that dies after some of its batches."""
    left = [after]

    class Killed(BaseException):
        pass

    def dying(*arguments):
        if not left[0]:
            raise Killed
        left[0] -= 1
        return commit(*arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("recollect.dream.cycle.commit", dying)
        try:
            memory.dream()
        except Killed:
            return True
    return False


def test_every_step_is_reported_in_its_order(lived, memory):
    done = memory.dream()
    assert list(done.steps) == [step.__name__ for step in STEPS]
    assert done.state == "done"
    assert done.steps["tier_decay"].changed == {"fading": 1}
    assert done.steps["promotion"].changed == {"access frequency": 1}
    assert done.steps["foresight_expiry"].changed == {"foresight expiry": 1}
    assert done.steps["strategic_forgetting"].changed == {"utility floor": 1, "redundancy": 1}
    assert done.params["tiers"]["promoted_accesses"] == 3, "a report tells the thresholds that it went by"
    assert memory.dreams() == [done]


def test_a_dry_run_decides_the_same_and_writes_nothing(lived, memory):
    before, witness = view(memory), memory.store.witness("ada")
    tried = memory.dream(dry_run=True)
    assert (view(memory), memory.store.witness("ada"), memory.dreams()) == (before, witness, [])
    done = memory.dream()
    assert [replace(step, seconds=0) for step in tried.steps.values()] == [
        replace(step, seconds=0) for step in done.steps.values()
    ]
    assert tried.changed > 5


def test_a_report_says_why_each_memory_was_changed(lived, memory):
    _, why = memory.dreamt(memory.dream().id[:20])
    assert why["strategic_forgetting"][lived["useless"]] == "utility floor"
    assert why["promotion"] == {lived["often"]: "access frequency"}


def test_a_second_dream_at_the_same_moment_changes_nothing(lived, memory):
    memory.dream()
    before = view(memory)
    assert memory.dream().changed == 0
    assert view(memory) == before


def test_no_batch_is_larger_than_its_bound(memory, clock):
    ids = [keep(memory, f"Note {n} on subject {n * n + 1000}") for n in range(7)]
    for one in ids:
        teach(memory, one, stability=9.0)
    clock.advance(days=1)
    done = only(memory, tier_decay, batch=3)
    assert [len(entry.counters) for entry in entries(memory.store, "ada", done.id)] == [3, 3, 1]


def test_a_journal_holds_no_texts(lived, memory):
    memory.dream()
    told = str(
        [
            record.value
            for kind in (JOURNAL, "dream.run", "asleep")
            for record in memory.store.records("ada", kind)
        ]
    )
    for one in lived.values():
        assert memory.get(one).text not in told
    assert "printer" not in told


def test_an_interrupted_dream_is_finished_by_the_next_and_no_step_is_applied_twice(tmp_path):
    def grown(name):
        clock = FakeClock()
        engine = Recollect(
            tmp_path / name, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock
        )
        engine.configure({"dream.batch": 2})
        ids = [keep(engine, f"Note {n} on subject {n * n + 1000}", kind="fact") for n in range(5)]
        for place, one in enumerate(ids):
            teach(engine, one, stability=9.0, utility=0.9, accesses=place)
        clock.advance(days=100)
        return engine, ids

    whole, ids = grown("whole.db")
    whole.dream()
    expected = [(learnt(whole, one), sleeps(whole, one)) for one in ids]
    whole.close()
    for after in range(12):
        broken, ids = grown(f"{after}.db")
        more = interrupted(broken, after)
        broken._clock.advance(days=3)
        assert [run.state for run in broken.dreams()] == (["running"] if more else ["done"])
        if more:
            assert broken.dream().state == "done"
        assert len(broken.dreams()) == 1
        assert [(learnt(broken, one), sleeps(broken, one)) for one in ids] == expected, (
            f"after {after} batches"
        )
        broken.close()


def test_what_is_used_while_the_night_goes_on_is_left_alone(memory, clock):
    used, unused = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    clock.advance(days=100)

    def meanwhile(night):
        teach(memory, used, accesses=1)
        yield from ()

    only(memory, meanwhile, archive)
    assert (sleeps(memory, used), sleeps(memory, unused)) == (False, True)


def test_what_is_pinned_while_the_night_goes_on_stays_awake(memory, clock):
    one = keep(memory, "Ada likes tea")
    clock.advance(days=100)

    def meanwhile(night):
        memory.pin(one)
        yield from ()

    only(memory, meanwhile, archive)
    assert not sleeps(memory, one)


def test_what_is_purged_while_the_night_goes_on_does_not_stop_it(memory, clock):
    gone, other = keep(memory, "Ada likes tea"), keep(memory, "The port is 8080")
    clock.advance(days=100)

    def meanwhile(night):
        memory.purge(gone)
        yield from ()

    assert only(memory, meanwhile, archive).state == "done"
    assert sleeps(memory, other)


def test_a_learner_that_writes_between_reading_and_writing_is_not_overwritten(memory, clock, monkeypatch):
    one = keep(memory, "Ada likes tea", kind="fact")
    teach(memory, one, stability=9.0)
    clock.advance(days=1)
    settled, raced = committing._settled, []

    def racing(night, proposal):
        found = settled(night, proposal)
        if not raced:
            raced.append(True)
            memory._accesses.add([one], clock.now())
            memory._accesses.flush()
        return found

    monkeypatch.setattr(committing, "_settled", racing)
    only(memory, tier_decay)
    assert raced
    assert learnt(memory, one).stability > 9.0


def unseen(monkeypatch):
    """As from two machines: neither sees that the other is at it."""
    monkeypatch.setattr(cycle, "alone", lambda *_: nullcontext())


def test_two_who_dream_at_once_do_it_once(memory, clock, monkeypatch):
    unseen(monkeypatch)
    one = keep(memory, "Ada likes tea", kind="fact")
    teach(memory, one, stability=9.0, utility=0.9)
    clock.advance(days=1)

    def other(night):
        only(memory, other_step, tier_decay, utility_decay)
        yield from ()

    def other_step(night):
        yield from ()

    with pytest.raises(Conflict, match="another process"):
        only(memory, other, tier_decay, utility_decay)
    assert learnt(memory, one).stability == pytest.approx(9 * 0.985)
    assert [run.state for run in memory.dreams()] == ["done"]


def test_who_comes_while_another_dreams_waits_for_its_end(tmp_path, clock, monkeypatch):
    came, held = threading.Event(), []

    def flock(handle, how):
        if held:
            came.set()
        held.append(handle)
        fcntl.flock(handle, how)

    monkeypatch.setattr(lone, "fcntl", SimpleNamespace(flock=flock, LOCK_EX=fcntl.LOCK_EX))
    steps = []
    with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(), clock=clock) as memory:

        def first(night):
            later.start()
            assert came.wait(60), "the other is there, and waits"
            yield Proposal(cursor="1")
            steps.append("first")

        def second(night):
            steps.append("second")
            yield from ()

        later = threading.Thread(target=lambda: only(memory, second))
        only(memory, first)
        later.join()
        assert steps == ["first", "second"]
        assert [run.state for run in memory.dreams()] == ["done", "done"]


def test_a_run_that_begins_after_the_look_is_not_begun_beside(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")
    clock.advance(days=100)
    look, other = cycle.keeping, Run("01OTHER", "running", clock.now(), ("archive",))

    def begins(store, user):
        found = look(store, user)
        if not memory.dreams():
            changes = Changes("dream", clock.now(), records=(other.change, found.begun(other).change))
            store.write(user, changes)
        return found

    monkeypatch.setattr(cycle, "keeping", begins)
    assert memory.dream().id == "01OTHER"
    assert [(run.id, run.state) for run in memory.dreams()] == [("01OTHER", "done")]
    assert keeping(memory.store, "ada").running == ()


def test_a_run_that_ended_after_the_look_is_no_obstacle(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")
    unseen(monkeypatch)
    look = cycle.keeping

    def ends(store, user):
        found = look(store, user)
        monkeypatch.setattr(cycle, "keeping", look)
        memory.dream()
        return found

    monkeypatch.setattr(cycle, "keeping", ends)
    memory.dream()
    assert [run.state for run in memory.dreams()] == ["done", "done"]


def test_where_no_folder_can_be_made_a_dream_goes_on(tmp_path, clock):
    (tmp_path / "agent.db.index").touch()
    with Recollect(tmp_path / "agent.db", user="ada", embedder=HashEmbedder(), clock=clock) as memory:
        assert only(memory, archive).state == "done"


def test_only_the_last_dreams_can_be_undone(memory, clock):
    one = keep(memory, "Ada likes tea", kind="fact")
    teach(memory, one, stability=9.0)
    for _ in range(KEPT + 1):
        clock.advance(days=1.05)
        only(memory, tier_decay)
    first, second, *_ = memory.dreams()
    with pytest.raises(Refused, match="too long ago"):
        memory.undo_dream(first.id)
    assert memory.undo_dream(second.id).state == "undone"


def test_users_dream_of_their_own_memories_alone(memory, clock):
    one = keep(memory, "Ada likes tea")
    clock.advance(days=100)
    eve = Recollect(memory.store, user="eve", channel="_global", embedder=HashEmbedder(), clock=clock)
    theirs = keep(eve, "Eve likes coffee")
    done = eve.dream()
    assert not sleeps(memory, one)
    assert memory.dreams() == []
    with pytest.raises(NotFound):
        memory.undo_dream(done.id)
    assert eve.get(theirs).state is State.ACTIVE


def test_a_recall_that_asks_the_sleeping_wakes_the_best_of_them(memory, clock):
    dreamt, forgotten = (
        keep(memory, "Ada likes tea"),
        keep(memory, "The printer jams on Mondays", kind="preference"),
    )
    memory.forget(forgotten)
    clock.advance(days=100)
    memory.dream()
    memory.recall("what does Ada like?", include_dormant=True, learn=False)
    assert sleeps(memory, dreamt)
    memory.recall("what does Ada like?", include_dormant=True)
    assert not sleeps(memory, dreamt)
    assert memory.why_asleep(dreamt) is None
    memory.recall("when does the printer jam?", include_dormant=True)
    assert sleeps(memory, forgotten), "what somebody forgot on purpose stays forgotten"


TEXTS = {
    "alone": "Note {n} on {n}7",
    "twin": "The backup runs at three{dots}",
    "value": "The office of the northern sales team is in {city}",
    "denied": "The office of the northern sales team is{no} open",
    "file": "The gate is in src/gate{n}.py",
}
CITIES = ("Lisbon", "Porto", "Rome", "Oslo")

lives = st.lists(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(("fact", "note", "preference", "decision")),
            "pinned": st.booleans(),
            "immutable": st.booleans(),
            "arousal": st.sampled_from((0.0, 0.5, 0.8, 1.0)),
            "utility": st.sampled_from((0.0, 0.1, 0.5, 0.9)),
            "stability": st.sampled_from((1.0, 4.0, 30.0)),
            "accesses": st.integers(0, 4),
            "tier": st.sampled_from(("episodic", "semantic")),
            "expires": st.booleans(),
            "text": st.sampled_from(sorted(TEXTS)),
            "tag": st.sampled_from(("ops", "OPS", "Ops")),
            "confidence": st.sampled_from((0.01, 0.5, 1.0)),
            "channel": st.sampled_from(("_global", "web")),
        }
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives, st.floats(0.1, 400), st.booleans())
def test_protected_memories_are_honoured_by_every_step(tmp_path_factory, each, days, crowded):
    clock, folder = FakeClock(), tmp_path_factory.mktemp("folder")
    given_settings = {"dream.capacity": 1 if crowded else 1000, "dream.themes": crowded}
    with Recollect(
        ":memory:",
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=clock,
        settings=given_settings,
    ) as engine:
        ids = []
        for place, one in enumerate(each):
            told = {"n": place, "dots": "." * place, "city": CITIES[place % 4], "no": " not" * (place % 2)}
            ids.append(
                keep(
                    engine,
                    TEXTS[one["text"]].format(**told),
                    kind=one["kind"],
                    tags=[one["tag"]],
                    confidence=one["confidence"],
                    channel=one["channel"],
                    pinned=one["pinned"],
                    immutable=one["immutable"],
                    metadata={"emotion": {"arousal": one["arousal"]}, "entities": ["entity://tech/redis"]},
                    valid_until=clock.now() + timedelta(hours=1) if one["expires"] else None,
                    # The same text again would be the first one, protected or not.
                    once=False,
                )
            )
            teach(
                engine, ids[-1], **{name: one[name] for name in ("utility", "stability", "accesses", "tier")}
            )
            clock.advance(minutes=1)
        engine.store.write(
            "ada",
            Changes(
                "link", clock.now(), edges=tuple(Edge(ids[0], other, "contradicts") for other in ids[1:])
            ),
        )
        before = {one: (engine.get(one), learnt(engine, one)) for one in ids}
        clock.advance(days=days)
        engine.dream(folder=folder)
        assert engine.verify() == []
        for one, life in zip(ids, each, strict=True):
            if life["pinned"] or life["immutable"] or life["arousal"] >= 0.8:
                memory_before, counters_before = before[one]
                after = learnt(engine, one)
                assert engine.get(one) == memory_before, "not even a version is added"
                assert after.stability >= counters_before.stability
                assert after.utility == counters_before.utility
                if life["pinned"] or life["immutable"]:
                    assert after.tier == counters_before.tier


def test_a_dream_reads_no_reports_of_earlier_ones(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")
    memory.dream()
    read, records = [], memory.store.records

    def watched(user, kind, **options):
        read.append(kind)
        return records(user, kind, **options)

    monkeypatch.setattr(memory.store, "records", watched)
    clock.advance(days=1)
    memory.dream()
    assert "dream.run" not in read


def test_a_dream_that_only_its_report_tells_of_is_finished_too(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")
    clock.advance(days=100)
    monkeypatch.setattr("recollect.dream.cycle._stepped", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        memory.dream()
    monkeypatch.undo()
    memory.store.write("ada", Changes("forget", clock.now(), records=(RecordChange(*KEEPING, None),)))
    [left] = memory.dreams()
    assert (memory.dream().id, [one.state for one in memory.dreams()]) == (left.id, ["done"])


def test_what_two_begin_at_once_is_both_kept(memory, clock):
    keep(memory, "Ada likes tea")
    one, other = (Run(name, "running", clock.now()) for name in ("01A", "01B"))
    before = keeping(memory.store, "ada")
    memory.store.write("ada", Changes("dream", clock.now(), records=(before.begun(one).change,)))
    with pytest.raises(Conflict):
        memory.store.write("ada", Changes("dream", clock.now(), records=(before.begun(other).change,)))
    assert keeping(memory.store, "ada").begun(other).running == ("01A", "01B")
