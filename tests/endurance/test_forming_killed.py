"""A process that is killed while it learns leaves every message with all that it taught, or without itself."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recollect import Filter, Lane, Recollect
from recollect.testing import HashEmbedder

WORKER = Path(__file__).with_name("learner.py")
ROUNDS = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_a_killed_learner_leaves_all_of_a_message_or_nothing(tmp_path):
    path, rng = tmp_path / "agent.db", random.Random(5)
    acknowledged = 0
    for kill in range(ROUNDS):
        with subprocess.Popen(
            [sys.executable, WORKER, str(path), str(kill)], stdout=subprocess.PIPE, text=True
        ) as process:
            first = process.stdout.readline()
            time.sleep(rng.uniform(0.0, 0.5))
            process.send_signal(signal.SIGKILL)
            lines = (first + process.stdout.read()).splitlines()
        acknowledged += len(lines)
        check(path, [line for line in lines if line.endswith("]")])
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
