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
    """Writes and reads for a while; prints what it wrote and how often it read."""
    memory, rng = opened(path), random.Random(name)
    written, reads = [], 0
    ends = time.monotonic() + float(seconds)
    while time.monotonic() < ends:
        text = f"process {name} wrote item n{len(written)} at random {rng.random()}"
        written.append(memory.remember(text).id)
        if rng.random() < 0.3:
            memory.store.find("ada", WHERE, limit=5, newest_first=True)
            reads += 1
        if rng.random() < 0.3:
            found = memory.recall(text, k=3)
            assert found[0].id == written[-1], "a process sees its own write at once"
        if rng.random() < 0.1:
            memory.tag(rng.choice(written), f"tag{rng.randrange(3)}")
    memory.close()
    print(json.dumps({"written": written, "reads": reads}))


def read_only(path, seconds):
    """Reads as fast as it can; prints how often it did."""
    memory, reads = opened(path), 0
    ends = time.monotonic() + float(seconds)
    while time.monotonic() < ends:
        memory.store.find("ada", WHERE, limit=5, newest_first=True)
        reads += 1
        time.sleep(0.001)
    print(json.dumps({"reads": reads}))


def read_once(path, memory_id):
    """Opens the store and reads; prints what it found."""
    memory = opened(path)
    first = memory.recall("what does the reader see?", learn=False)[0]
    print(json.dumps({"text": memory.get(memory_id).text, "first": first.id}))


if __name__ == "__main__":
    from recollect import Filter

    WHERE = Filter()
    globals()[sys.argv[1]](*sys.argv[2:])
