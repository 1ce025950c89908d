"""What the endurance test of dreams talks to: forks a process for each night, and kills it when it is told to."""

import json
import os
import signal
import sys
import time
from datetime import datetime

from recollect import Recollect
from recollect.testing import FakeClock, HashEmbedder


def opened(path, moment):
    return Recollect(
        path,
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        clock=FakeClock(moment),
        settings={"dream.batch": 10, "dream.rehearsals": 5},
    )


def night(path, moment, delay):
    """A process that dreams, killed after a while unless it is done; whether it was, and how long it took."""
    began, child = time.perf_counter(), os.fork()
    if not child:
        with opened(path, datetime.fromisoformat(moment)) as memory:
            memory.dream()
        os._exit(0)
    while delay is None or time.perf_counter() - began < delay:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return False, time.perf_counter() - began, status
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status), time.perf_counter() - began, 0 if os.WIFSIGNALED(status) else status


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(night(*json.loads(line))), flush=True)
