"""Nothing acknowledged is lost: processes are killed, and four of them share one file."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import apsw
import pytest

from recollect import Filter, Recollect, State
from recollect.testing import HashEmbedder

WORKER = Path(__file__).with_name("worker.py")
ROUNDS = 20
SECONDS = 30

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def started(*arguments):
    return subprocess.Popen([sys.executable, WORKER, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def test_every_acknowledged_write_survives_twenty_kills(tmp_path):
    path, rng = tmp_path / "agent.db", random.Random(7)
    acknowledged: dict[str, int] = {}
    for _ in range(ROUNDS):
        process = started("write_until_killed", path, max(acknowledged.values(), default=0) + 1000)
        with process:
            first = process.stdout.readline()
            time.sleep(rng.uniform(0.0, 0.6))
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read()
        for line in (first + rest).splitlines():
            try:
                memory_id, number = json.loads(line)
            except json.JSONDecodeError:
                continue  # the kill fell into the middle of the line: it was not acknowledged
            acknowledged[memory_id] = number
        with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
            assert memory.verify() == []
            everything = {
                m.id: m for m in memory.store.find("ada", Filter(states=tuple(State), any_session=True))
            }
            assert acknowledged.keys() <= everything.keys()
            for memory_id in rng.sample(sorted(acknowledged), min(15, len(acknowledged))):
                number = acknowledged[memory_id]
                hits = memory.recall(f"acknowledged memory number n{number}", k=5, include_dormant=True)
                assert memory_id in {hit.id for hit in hits}
    assert len(acknowledged) > ROUNDS
    assert apsw.Connection(str(path)).execute("PRAGMA integrity_check").get == "ok"


@pytest.mark.alone
def test_four_processes_share_one_file_without_loss(tmp_path):
    path = tmp_path / "agent.db"
    writers = [started("write_and_read", path, name, SECONDS) for name in "abc"]
    reader = started("read_only", path, SECONDS)
    results = [json.loads(process.communicate()[0]) for process in (*writers, reader)]
    assert [process.returncode for process in (*writers, reader)] == [0, 0, 0, 0]
    written = {memory_id for result in results[:3] for memory_id in result["written"]}
    assert len(written) == sum(len(result["written"]) for result in results[:3])
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        assert {m.id for m in memory.store.find("ada", Filter())} == written
        assert memory.verify() == []
        for memory_id in random.Random(3).sample(sorted(written), 50):
            assert memory.recall(memory.get(memory_id).text, k=1)[0].id == memory_id
    assert all(result["reads"] > SECONDS for result in results)


def test_a_reader_does_not_wait_for_whoever_writes(tmp_path):
    path = tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        kept = memory.remember("the reader sees this")
    # Whoever holds the lock does so until the reader, a process of its own, has ended.
    with apsw.Connection(str(path)) as writer:
        writer.execute("UPDATE version SET confidence = 0.5")
        reader = started("read_once", path, kept.id)
        assert json.loads(reader.communicate(timeout=60)[0]) == {"text": kept.text, "first": kept.id}
