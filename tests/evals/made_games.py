"""A benchmark folder made here: the same protocol as the household one's, with a game of one step."""

import lzma

LEARN = """
import random
from household import load

GOOD = {"a": "left", "b": "right"}


def run(factory, seed, options, learn):
    memory, rng = factory(seed), random.Random(seed)
    curve = []
    games = load(options.data)
    for kind in list(GOOD)[: options.experts]:
        episode = memory.start(f"go {kind}", kind)
        memory.acted(episode, state(kind), GOOD[kind], GOOD[kind], {"left", "right"})
        memory.finish(episode, won=True, expert=True)
    for _ in range(options.rounds):
        wins = [play(memory, rng.choice(games), rng, learn) for _ in range(options.games)]
        curve.append(round(100 * sum(wins) / len(wins), 1))
    unseen = [play(memory, kind, rng, False) for kind in games]
    return {
        "curve": curve,
        "last3": round(sum(curve[-3:]) / 3, 1),
        "best3": round(max(sum(curve[i : i + 3]) / 3 for i in range(len(curve) - 2)), 1),
        options.test: round(100 * sum(unseen) / len(unseen), 1),
    }


def state(kind):
    return f"go {kind} | {kind} | nothing | the crossing of {kind}"


def play(memory, kind, rng, learn):
    episode = memory.start(f"go {kind}", kind)
    weights = {"left": 1e-6, "right": 1e-6}
    for action, weight in memory.advise(episode, state(kind), 5):
        weights[action] += weight
    for action, factor in memory.value(episode, state(kind), list(weights)).items():
        weights[action] *= factor
    action = rng.choices(list(weights), list(weights.values()))[0]
    memory.acted(episode, state(kind), action, action, frozenset(weights))
    won = GOOD[kind] == action
    if learn:
        memory.finish(episode, won)
    return won
"""
HOUSEHOLD = """
import lzma


def load(path):
    with lzma.open(path, "rt") as lines:
        return lines.read().split()
"""


def household(folder):
    """Writes it, and gives back where."""
    folder.mkdir(exist_ok=True)
    (folder / "learn.py").write_text(LEARN)
    (folder / "household.py").write_text(HOUSEHOLD)
    with lzma.open(folder / "games.jsonl.xz", "wt") as file:
        file.write("a b")
    return folder
