"""Messages that are kept to be read later outlive a kill, and teach what they say once."""

import json
import os
import random
from collections import Counter
from pathlib import Path

import pytest
from killing import acknowledged_by

from recollect import Filter, Lane, Recollect
from recollect.testing import HashEmbedder
from recollect.write.receiving import WAITING

WORKER = Path(__file__).with_name("later_worker.py")
ROUNDS = int(os.environ.get("RECOLLECT_KILLS", "10"))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_whatever_was_acknowledged_is_kept_and_learnt_from_once(tmp_path):
    path, rng, acknowledged, left = tmp_path / "agent.db", random.Random(6), set(), 0
    for kill in range(ROUNDS):
        lines = acknowledged_by(WORKER, path, kill, rng=rng, within_seconds=0.4)
        acknowledged |= {json.loads(line)[0] for line in lines}
        left += check(path, acknowledged)
    assert left, "no kill came while something waited: nothing was tried"


def check(path, acknowledged):
    """Everything is there, once, when the next one has read what waits; how many messages that were."""
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        left = len(memory.store.records("ada", WAITING))
        assert acknowledged <= {turn.id for turn in memory.list(Filter(lanes=(Lane.LOG,)), limit=None)}
        memory.catch_up()
        assert memory.verify() == []
        turns = memory.list(Filter(lanes=(Lane.LOG,)), limit=None)
        formed = memory.list(Filter(lanes=(Lane.MEMORY,)), limit=None)
        assert Counter(source for one in formed for source in one.origin.sources) == {
            turn.id: 2 for turn in turns
        }
        assert memory.store.unembedded_count(HashEmbedder().name) == 0
    return left
