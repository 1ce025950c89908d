"""What the endurance test of learning runs in a process of its own: observes until it is killed."""

import json
import sys

from recollect import Recollect
from recollect.testing import HashEmbedder


def learn(path, start):
    memory = Recollect(
        path,
        user="ada",
        channel="_global",
        embedder=HashEmbedder(),
        settings={
            "formation.enabled": True,
            "formation.near": 1.0,
            "formation.update": 1.0,
            "formation.reinforce": 1.0,
        },
    )
    for number in range(int(start) * 100_000, 10**9):
        text = f"I keep {number} boxes in Porto. My code is N{number}. Did you know {number}"
        [turn] = memory.observe({"role": "user", "name": "Ada", "content": text}, session="s")
        print(json.dumps([turn.id, number]), flush=True)


if __name__ == "__main__":
    learn(*sys.argv[1:])
