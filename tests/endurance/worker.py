"""What the endurance tests run in processes of their own."""

import json
import random
import sys
import time

from recollect import Recollect
from recollect.testing import HashEmbedder


def opened(path):
    return Recollect(path, user="ada", channel="_global", embedder=HashEmbedder())


def write_until_killed(path, start):
    """Prints each id once its write was acknowledged; every kind of write takes its turn."""
    memory = opened(path)
    for number in range(int(start), 10**9):
        text = f"acknowledged memory number n{number} of the endurance test"
        if number % 3 == 0:
            kept = memory.observe([{"role": "user", "content": text}], session="s")[0]
        else:
            kept = memory.remember(text, tags=["t"])
        if number % 5 == 0:
            memory.edit(kept.id, text + " edited") if number % 3 else memory.forget(kept.id)
        if number % 7 == 0:
            memory.recall(f"number n{number - 1}")
        print(json.dumps([kept.id, number]), flush=True)


def write_and_read(path, name, seconds):
    """Writes and reads for a while; prints what it wrote and the longest time that a read took."""
    memory, rng = opened(path), random.Random(name)
    written, longest = [], 0.0
    ends = time.monotonic() + float(seconds)
    while time.monotonic() < ends:
        text = f"process {name} wrote item n{len(written)} at random {rng.random()}"
        written.append(memory.remember(text).id)
        if rng.random() < 0.3:
            began = time.perf_counter()
            memory.store.find("ada", WHERE, limit=5, newest_first=True)
            longest = max(longest, time.perf_counter() - began)
        if rng.random() < 0.3:
            found = memory.recall(text, k=3)
            assert found[0].id == written[-1], "a process sees its own write at once"
        if rng.random() < 0.1:
            memory.tag(rng.choice(written), f"tag{rng.randrange(3)}")
    memory.close()
    print(json.dumps({"written": written, "longest_read_ms": longest * 1e3}))


def read_only(path, seconds):
    """Reads as fast as it can; prints the longest time that a read took."""
    memory = opened(path)
    longest, count = 0.0, 0
    ends = time.monotonic() + float(seconds)
    while time.monotonic() < ends:
        began = time.perf_counter()
        memory.store.find("ada", WHERE, limit=5, newest_first=True)
        longest, count = max(longest, time.perf_counter() - began), count + 1
        time.sleep(0.001)
    print(json.dumps({"longest_read_ms": longest * 1e3, "reads": count}))


if __name__ == "__main__":
    from recollect import Filter

    WHERE = Filter()
    globals()[sys.argv[1]](*sys.argv[2:])
