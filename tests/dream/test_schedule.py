"""Jobs are due at their intervals, done by one worker at a time, and tell how they went."""

from datetime import timedelta

import pytest
from dream_values import keep, learnt, teach

from recollect.dream import schedule
from recollect.dream.schedule import JOBS, LEASED, claimed
from recollect.dream.steps import STEPS, named
from recollect.errors import StoreBusy


def test_every_step_belongs_to_one_job():
    names = [name for names in JOBS.values() for name in names]
    assert sorted(names) == sorted(step.__name__ for step in STEPS)
    assert sorted(step.__name__ for job in JOBS for step in named(JOBS[job])) == sorted(names)


def test_the_intervals_are_those_of_the_document(memory):
    minutes = {name: every / timedelta(minutes=1) for name, every in memory.intervals.items()}
    often = {"consolidate": 15, "promote": 60, "patterns": 60}
    assert minutes == often | {"decay": 1440, "cleanup": 1440, "audit": 1440}


def test_what_never_ran_is_due_at_once_and_then_at_its_interval(memory, clock):
    keep(memory, "Ada likes tea")
    assert list(memory.work("w")) == list(JOBS)
    assert memory.work("w") == {}
    clock.advance(minutes=14, seconds=59)
    assert memory.work("w") == {}
    clock.advance(seconds=1)
    assert list(memory.work("w")) == ["consolidate"]
    clock.advance(minutes=45)
    assert list(memory.work("w")) == ["consolidate", "promote", "patterns"]
    clock.advance(days=1)
    assert list(memory.work("w")) == list(JOBS)


def test_a_worker_that_was_away_does_each_job_once(memory, clock):
    keep(memory, "Ada likes tea")
    memory.work("w")
    clock.advance(days=9)
    assert list(memory.work("w")) == list(JOBS)
    assert memory.work("w") == {}


def test_jobs_and_dreams_together_let_nothing_fade_twice(memory, clock):
    one = keep(memory, "The port is 8080", kind="fact")
    teach(memory, one, stability=20.0)
    for _ in range(3):
        clock.advance(days=1)
        memory.work("w")
        clock.advance(hours=1)
        memory.dream()
    days = 3 + 3 / 24
    assert learnt(memory, one).stability == pytest.approx(20 * (1 - 0.015) ** days)


def test_a_job_is_undone_like_a_dream_and_one_that_did_nothing_leaves_nothing(memory, clock):
    one = keep(memory, "The port is 8080", kind="fact")
    teach(memory, one, stability=20.0)
    clock.advance(days=1)
    memory.work("w")
    [run] = memory.dreams()
    assert (run.job, run.changed) == ("decay", 1)
    memory.undo_dream(run.id)
    assert learnt(memory, one).stability == 20.0
    clock.advance(days=1)
    memory.dream()
    assert learnt(memory, one).stability == pytest.approx(20 * 0.985**2), "as if it had not been done"


def test_while_one_works_nobody_else_does_until_it_is_taken_for_dead(memory, clock):
    keep(memory, "Ada likes tea")
    assert claimed(memory.store, "ada", "first", clock.now())
    assert memory.work("second") == {}
    clock.advance(seconds=LEASED.total_seconds() - 1)
    assert memory.work("second") == {}
    clock.advance(seconds=1)
    assert list(memory.work("second")) == list(JOBS)
    assert memory.store.record("ada", *schedule.LEASE) is None


def test_two_that_claim_at_once_are_told_apart_by_the_store(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")
    record, raced = memory.store.record, []

    def racing(user, kind, key):
        found = record(user, kind, key)
        if (kind, key) == schedule.LEASE and not raced:
            raced.append(True)
            assert claimed(memory.store, "ada", "quicker", clock.now())
        return found

    monkeypatch.setattr(memory.store, "record", racing)
    assert not claimed(memory.store, "ada", "slower", clock.now())


def test_a_job_that_fails_is_told_and_tried_again_when_it_is_next_due(memory, clock, monkeypatch):
    keep(memory, "Ada likes tea")

    def broken(*_, **__):
        raise StoreBusy("held for too long")

    with monkeypatch.context() as patched:
        patched.setattr("recollect.dream.cycle.dream", broken)
        assert isinstance(memory.work("w")["promote"], StoreBusy)
    told = memory.stats()["jobs"]["promote"]
    assert (told["error"], told["failures"], told["runs"]) == ("StoreBusy: held for too long", 1, 1)
    assert memory.work("w") == {}
    clock.advance(hours=1)
    memory.work("w")
    told = memory.stats()["jobs"]["promote"]
    assert (told["error"], told["failures"], told["runs"]) == (None, 1, 2)


def test_stats_tell_how_late_each_job_is(memory, clock):
    keep(memory, "Ada likes tea")
    assert memory.stats()["jobs"]["decay"] is None
    memory.work("w")
    clock.advance(minutes=20)
    jobs = memory.stats()["jobs"]
    assert (jobs["consolidate"]["lag_seconds"], jobs["decay"]["lag_seconds"]) == (300.0, 0.0)
    assert jobs["consolidate"]["seconds"] >= 0
    assert jobs["consolidate"]["changed"] == 0


def test_intervals_are_settings(memory, clock):
    keep(memory, "Ada likes tea")
    memory.configure({"worker.promote": 1})
    memory.work("w")
    clock.advance(minutes=1)
    assert list(memory.work("w")) == ["promote"]
