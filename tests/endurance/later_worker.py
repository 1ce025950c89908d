"""What the test of messages that are read later runs in a process of its own: observes until it is killed."""

import json
import sys

from recollect import Recollect
from recollect.testing import HashEmbedder

APART = {"formation.near": 1.0, "formation.update": 1.0, "formation.reinforce": 1.0}
"""Every message teaches something of its own."""


def observe(path, start):
    memory = Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), settings=APART)
    for number in range(int(start) * 100_000, 10**9):
        text = f"I keep {number} boxes in Porto. My code is N{number}."
        said = {"role": "user", "name": "Ada", "content": text}
        [turn] = memory.observe(said, session="s", wait=False)
        print(json.dumps([turn.id, number]), flush=True)


if __name__ == "__main__":
    observe(*sys.argv[1:])
