"""What the endurance test of outcomes runs in a process of its own: plays episodes until it is killed."""

import json
import random
import sys

from recollect import Recollect
from recollect.testing import HashEmbedder

THINGS = ("soap", "book", "apple", "lamp")


def play(path, seed):
    memory = Recollect(path, user="ada", channel="_global", embedder=HashEmbedder())
    rng = random.Random(int(seed))
    while True:
        thing = rng.choice(THINGS)
        run = memory.episode(f"clean the {thing}", task_type=rng.choice(("tidy", "wash")))
        for _ in range(rng.randint(1, 4)):
            run.decide(f"the {thing} on the table")
            run.step(f"{rng.choice(('wash', 'wipe', 'eat'))} {thing}")
        success = rng.random() < 0.5
        run.finish(success)
        print(json.dumps([run.id, success]), flush=True)


if __name__ == "__main__":
    play(*sys.argv[1:])
