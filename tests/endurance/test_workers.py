"""Two workers on one store: each job is done once per interval, and both end when they are told to."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.dream.schedule import JOBS
from recollect.testing import HashEmbedder

WORKER = Path(__file__).with_name("hash_worker.py")
SECONDS = int(os.environ.get("RECOLLECT_WORKERS_SECONDS", "30"))
INTERVALS = {
    "consolidate": 0.02,
    "promote": 0.03,
    "patterns": 0.03,
    "decay": 0.05,
    "cleanup": 0.05,
    "audit": 0.05,
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + 300)]


def test_two_workers_do_each_job_once_per_interval(tmp_path):
    path = tmp_path / "agent.db"
    for user in ("ada", "eve"):
        with Recollect(path, user=user, channel="_global", embedder=HashEmbedder()) as memory:
            memory.remember_many([f"Note {n} on subject {n * n + 1000}" for n in range(50)])
            memory.configure({f"worker.{job}": minutes for job, minutes in INTERVALS.items()})
    command = [sys.executable, WORKER, "--store", str(path), "worker", "--json", "--every", "0.2"]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    time.sleep(SECONDS)
    for one in workers:
        one.send_signal(signal.SIGTERM)
    assert [one.wait(60) for one in workers] == [0, 0]
    said = Counter()
    for one in workers:
        with one.stdout as lines:
            said.update(line.count('"changed"') for line in lines)
    for user in ("ada", "eve"):
        with Recollect(path, user=user, channel="_global", embedder=HashEmbedder()) as memory:
            assert memory.verify() == []
            check(memory)
    assert said[1] > 20, "the lines tell every job"


def check(memory):
    began, by = defaultdict(list), Counter()
    for entry in memory.store.witness(memory.user):
        if entry.operation == "job":
            assert entry.detail["error"] is None
            began[entry.detail["job"]].append(entry.detail["began"])
            by[entry.detail["worker"]] += 1
    assert began.keys() == JOBS.keys()
    for job, moments in began.items():
        gaps = [(later - one) / 60e6 for one, later in pairwise(moments)]
        assert len(gaps) > 1
        assert min(gaps) >= INTERVALS[job], f"{job} was done twice within its interval"
        assert memory.stats()["jobs"][job]["runs"] == len(moments)
    assert memory.dreams() == [] or all(run.state == "done" for run in memory.dreams())
