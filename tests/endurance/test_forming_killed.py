"""A process that is killed while it learns leaves every message with all that it taught, or without itself."""

import json
import random
from pathlib import Path

import pytest
from killing import acknowledged_by

from recollect import Filter, Lane, Recollect
from recollect.testing import HashEmbedder

WORKER = Path(__file__).with_name("learner.py")
ROUNDS = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_a_killed_learner_leaves_all_of_a_message_or_nothing(tmp_path):
    path, rng = tmp_path / "agent.db", random.Random(5)
    acknowledged = 0
    for kill in range(ROUNDS):
        lines = acknowledged_by(WORKER, path, kill, rng=rng, within_seconds=0.5)
        acknowledged += len(lines)
        check(path, lines)
    assert acknowledged > ROUNDS


def check(path, lines):
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        assert memory.verify() == []
        turns = memory.list(Filter(lanes=(Lane.LOG,)), limit=None)
        formed = memory.list(Filter(lanes=(Lane.MEMORY,)), limit=None)
        sources = {source for one in formed for source in one.origin.sources}
        assert sources == {turn.id for turn in turns}
        texts = {one.text for one in formed}
        for turn in turns:
            number = turn.text.split()[-1].rstrip(".")
            assert {f"Ada keeps {number} boxes in Porto", f"Ada's code is N{number}"} <= texts
        ids = {turn.id for turn in turns}
        assert {json.loads(line)[0] for line in lines} <= ids
