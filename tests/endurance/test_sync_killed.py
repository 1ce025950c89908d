"""Either side of a sync is killed again and again: both verify, nothing is doubled or lost, and it finishes later."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from itertools import pairwise
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.exchange.jsonl import EVERYTHING
from recollect.ports import Changes
from recollect.testing import HashEmbedder

SYNCER = Path(__file__).with_name("syncer.py")
KILLS = int(os.environ.get("RECOLLECT_KILLS", "12"))
"""Fifty of them take two minutes and a half."""
EACH = 6

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


def begun(*words):
    return subprocess.Popen([sys.executable, SYNCER, *map(str, words)], stdout=subprocess.PIPE, text=True)


def served(path, port):
    process = begun("serve", path, port)
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return process
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the service did not start")


def opened(path):
    return Recollect(path, user="ada", channel="_global", embedder=HashEmbedder())


def told(path):
    with opened(path) as memory:
        assert memory.verify() == []
        found = memory.store.find("ada", EVERYTHING)
        return {one.id: [version.text for version in memory.store.versions("ada", one.id)] for one in found}


def related(path):
    with opened(path) as memory:
        return {(one.source, one.target, one.type) for one in memory.store.all_edges("ada")}


def written(path, name, number):
    with opened(path) as memory:
        made = [memory.remember(f"Fact {number}.{fact} of the {name}").id for fact in range(EACH)]
        for source, target in pairwise(made):
            memory.link(source, target, "causes")
        # Of each round one edge stays; of those that came by a sync, the last is taken away.
        gone = list(memory.store.all_edges("ada"))[-(EACH + 1) : -1]
        memory.store.write("ada", Changes("unlink", memory.now(), unlinked=tuple(gone)))
        memory.edit(memory.list(limit=1)[0].id, f"Fact {number} of the {name}, put right")


def synced(path, port):
    """A sync that nobody disturbs; how long it took from its first word on."""
    with begun("sync", path, port) as syncing:
        syncing.stdout.readline()
        began = time.perf_counter()
        assert "done" in syncing.stdout.read()
    return time.perf_counter() - began


def test_a_sync_that_is_killed_at_any_moment_loses_and_doubles_nothing(tmp_path):
    laptop, server, dice = tmp_path / "laptop.db", tmp_path / "server.db", random.Random(11)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    finished, broken = 0, 0
    written(laptop, "laptop", "first")
    written(server, "server", "first")
    service = served(server, port)
    took = synced(laptop, port)
    for kill in range(KILLS):
        written(laptop, "laptop", kill)
        written(server, "server", kill)
        service = service or served(server, port)
        with begun("sync", laptop, port) as syncing:
            first = syncing.stdout.readline()
            time.sleep(dice.uniform(0.0, took))
            if kill % 2:
                service.send_signal(signal.SIGKILL)
                service.wait()
                service.stdout.close()
                service = None
            else:
                syncing.send_signal(signal.SIGKILL)
            rest = first + syncing.stdout.read()
        finished += "done" in rest
        broken += "done" not in rest
        told(laptop)
        told(server)
    service = service or served(server, port)
    synced(laptop, port)
    service.terminate()
    service.wait()
    service.stdout.close()
    mine, theirs = told(laptop), told(server)
    assert mine == theirs
    assert related(laptop) == related(server)
    assert len(mine) == 2 * (KILLS + 1) * EACH
    texts = [texts[-1] for texts in mine.values()]
    assert len(texts) == len(set(texts))
    assert broken > KILLS // 8, (finished, broken)
