"""A worker looks for what is due with the same few questions, however many users there are."""

from datetime import timedelta

import pytest

from recollect import Recollect
from recollect.dream.schedule import JOBS
from recollect.serve.worker import Worker
from recollect.testing import HashEmbedder


@pytest.fixture
def worker(memory, clock):
    for user in ("ada", "bob", "eve"):
        memory.beside(user).remember(f"{user} likes tea")
    told, opened = [], []

    def engine(user):
        opened.append(user)
        return Recollect(memory.store, user=user, embedder=HashEmbedder(), clock=clock)

    made = Worker(memory.store, engine, told.append, clock)
    made.told, made.opened = told, opened
    return made


def test_only_users_for_whom_something_is_due_are_opened(memory, worker, clock):
    assert worker.look() == 3 * len(JOBS)
    assert worker.opened == ["ada", "bob", "eve"]
    assert worker.look() == 0
    assert worker.opened == ["ada", "bob", "eve"]
    clock.advance(minutes=15)
    assert worker.look() == 3
    assert {one["job"] for one in worker.told[-3:]} == {"consolidate"}


def test_an_interval_that_somebody_changes_counts_at_once_and_for_them_alone(memory, worker, clock):
    worker.look()
    memory.beside("bob").configure({"worker.decay": 1.0})
    clock.advance(minutes=1)
    worker.opened.clear()
    assert worker.look() == 1
    assert worker.opened == ["bob"]
    assert memory.beside("bob").intervals["decay"] == timedelta(minutes=1)


@pytest.mark.parametrize(
    ("stored", "jobs"), [({"worker.decay": "NaN"}, 3 * len(JOBS)), ({"dream.curve": '"flat"'}, 2 * len(JOBS))]
)
def test_what_one_user_has_set_stops_the_work_for_no_other(memory, worker, clock, stored, jobs):
    memory.store.set_settings("bob", stored, clock.now())
    assert worker.look() == jobs
    told = [one for one in worker.told if one["job"] == "settings"]
    assert [one["user"] for one in told] == ["bob"] * (jobs < 3 * len(JOBS))
