"""A dream that is killed at any moment is finished by the next one, as if nothing had happened."""

import json
import os
import random
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from dreamer import opened

from recollect import Filter, Lane, State
from recollect.model import Counters
from recollect.ports import Changes
from recollect.testing import FakeClock

DREAMER = Path(__file__).with_name("dreamer.py")
KILLS = int(os.environ.get("RECOLLECT_KILLS", "50"))
TEXTS = (
    "The backup runs at three{dots}",
    "Note {n} on subject {some}",
    "The capital of the northern republic of Ruritania is Town{some}",
    "Ada Lovelace lives in Town{some} with all of the family",
    "Note {n} on the subject of tea and rain {some}",
)
FORMED = Filter(lanes=(Lane.MEMORY,), any_session=True, states=(State.ACTIVE, State.DORMANT))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def night():
    """Dreams one night in a process of its own; gives whether it was killed, and how long it took."""
    with subprocess.Popen(
        [sys.executable, DREAMER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as forking:

        def dream(path, moment, delay=None):
            print(json.dumps([str(path), moment.isoformat(), delay]), file=forking.stdin, flush=True)
            killed, seconds, status = json.loads(forking.stdout.readline())
            assert status == 0
            return killed, seconds

        yield dream
        forking.stdin.close()


def filled(path, start):
    """Some hundred memories of every fate."""
    rng = random.Random(3)
    with opened(path, start) as memory:
        texts = [TEXTS[n % 5].format(n=n, some=rng.randint(1, 10**9), dots="." * n) for n in range(300)]
        drafts = [
            {
                "text": text,
                "tags": [rng.choice(["ops", "OPS", "Ops"])],
                "valid_from": start - timedelta(days=rng.randint(1, 50)),
                "kind": rng.choice(["fact", "note", "preference"]),
                "pinned": rng.random() < 0.1,
                "valid_until": start + timedelta(days=20) if rng.random() < 0.2 else None,
            }
            for text in texts
        ]
        ids = [one.id for one in memory.remember_many(drafts)]
        learnt = {
            one: {"stability": rng.uniform(1, 20), "utility": rng.choice([0.05, 0.3, 0.9])} for one in ids
        }
        accesses = {one: (rng.randint(1, 5), start) for one in ids if rng.random() < 0.5}
        memory.store.write("ada", Changes("teach", start, counters=learnt, accesses=accesses))
    return ids


def state(path, moment):
    """What the store holds, and that it is whole; with how the dreams so far ended."""
    with opened(path, moment) as memory:
        assert memory.verify() == []
        found = memory.store.find("ada", FORMED)
        counters = memory.store.counters("ada", [one.id for one in found])
        told = {
            one.id: (
                one.text,
                one.state,
                one.version,
                one.tags,
                one.superseded_by,
                counters.get(one.id, Counters()),
            )
            for one in found
        }
        edges = {(edge.source, edge.target, edge.type, edge.weight) for edge in memory.store.all_edges("ada")}
        return told, edges, [run.state for run in memory.dreams()]


def test_fifty_kills_at_random_moments_lose_nothing_and_apply_nothing_twice(tmp_path, night):
    path, calm = tmp_path / "killed.db", tmp_path / "calm.db"
    start, rng = FakeClock().now(), random.Random(11)
    ids = filled(path, start)
    shutil.copyfile(path, calm)
    kills = nights = 0
    while kills < KILLS:
        nights += 1
        moment = start + timedelta(days=20 * nights)
        _, seconds = night(calm, moment)
        runs = []
        while runs != ["done"] * nights:
            kills += night(path, moment, rng.uniform(0.0, seconds))[0]
            told, _, runs = state(path, moment)
            assert told.keys() == set(ids), "nothing is lost"
            assert runs.count("running") <= 1
        assert state(path, moment) == state(calm, moment), f"night {nights} ends as if nobody had been killed"
    print(f"{kills} kills in {nights} nights")
