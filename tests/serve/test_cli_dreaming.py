"""`recollect dream`: what it did, what it would do, and taking it back."""

import json
from datetime import timedelta

import pytest

from recollect import Recollect
from recollect.dream.schedule import JOBS
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def old(store):
    """A store with a memory that nobody has used for years."""
    with Recollect(
        store, user="default", channel="_global", embedder=HashEmbedder(), clock=FakeClock()
    ) as memory:
        now = memory._clock.now() - timedelta(days=2000)
        memory._clock.set(now)
        return memory.remember("The printer on the third floor jams").id


def test_a_dream_tells_what_each_step_did(cli, old):
    told = cli("dream", "--json").json
    assert (told["state"], told["changed"]) == ("done", 2)
    assert told["steps"]["archive"]["changed"] == {"archive": 1}
    assert cli("recall", "printer", "--json").json["hits"] == []
    assert cli("dream").out.startswith("done: 0 changes")


def test_a_dry_run_writes_nothing(cli, old):
    assert cli("dream", "--dry-run", "--json").json["steps"]["archive"]["changed"] == {"archive": 1}
    assert cli("dream", "--list", "--json").json == {"dreams": []}
    assert cli("dream", "--list").out == "no dreams yet\n"
    assert len(cli("recall", "printer", "--json").json["hits"]) == 1


def test_a_report_says_why_and_undo_takes_it_back(cli, old):
    run = cli("dream", "--json").json["id"]
    assert cli("dream", "--report", run, "--json").json["why"]["archive"] == {old: "archive"}
    assert f"{old}  archive: archive" in cli("dream", "--report", run).out
    assert cli("dream", "--undo", run).out == f"dream {run} is undone\n"
    assert [one["state"] for one in cli("dream", "--list", "--json").json["dreams"]] == ["undone"]
    assert run in cli("dream", "--list").out
    assert len(cli("recall", "printer", "--json").json["hits"]) == 1


def test_undo_names_what_it_left(cli, old):
    run = cli("dream", "--json").json["id"]
    cli("tag", old, "hardware")
    assert f"left as it is: {old} was changed since" in cli("dream", "--undo", run).out


def test_wrong_usage_is_told(cli, old):
    assert cli("dream", "--dry-run", "--list").code != 0
    ran = cli("dream", "--undo", "nothing")
    assert (ran.code, ran.err) == (1, "error: no dream nothing; `recollect dream --list` shows them\n")


def test_a_worker_does_once_what_is_due_for_every_user(cli, old, store):
    with Recollect(store, user="eve", channel="_global", embedder=HashEmbedder()) as memory:
        memory.remember("Eve likes coffee")
    lines = [json.loads(line) for line in cli("worker", "--once", "--json").out.splitlines()]
    assert [(one["user"], one["job"]) for one in lines] == [(u, j) for u in ("default", "eve") for j in JOBS]
    assert next(one for one in lines if one["job"] == "cleanup")["changed"] == 1
    assert cli("worker", "--once").out == ""
    assert cli("stats", "--json").json["jobs"]["cleanup"]["runs"] == 1


def test_a_worker_tells_each_job_in_a_line(cli, old):
    assert "default cleanup: 1 changes in " in cli("worker", "--once").out
    assert cli("worker", "--every", "0").code != 0


def test_a_dream_holds_facts_against_a_folder(cli, tmp_path):
    one = cli("remember", "The gate is in src/gate.py", "--json").json["id"]
    told = cli("dream", "--folder", str(tmp_path), "--json").json
    assert told["to_decide"] == [{"rule": "not in the folder", "ids": [one]}]
    ran = cli("dream", "--folder", str(tmp_path / "nowhere"))
    assert (ran.code, "no folder" in ran.err) == (2, True)
