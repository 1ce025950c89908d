"""Whether a memory gets worse at what it could: `python -m benchmarks.forgetting --data DIR --seeds 2,3`.

The household benchmark's fall-back compares rounds of different games, so that chance and the games' difficulty are in
it. Here the memory is copied after some rounds, and every copy plays the same games, which none of them learnt from.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.learning import numbers
from benchmarks.learning_page import PAGE, on_record, page
from benchmarks.measure import commit, known, record
from recollect import Recollect
from recollect.evals.alfworld import Household, opened
from recollect.evals.playing import Plan, benchmark
from recollect.ports import Progress
from recollect.serve.output import progress
from recollect.testing import HashEmbedder

NAME, HELD = "forgetting", 300
STEADY, DRAWS = 0.85, 20_000


def by_chance(plan: Plan, rate: float = STEADY) -> dict[str, float]:
    """How far a player falls back who wins every game with the same chance: on average, and how often beyond 3 points."""
    dice = np.random.default_rng(1)
    rounds = 100 * dice.binomial(plan.games, rate, (DRAWS, plan.rounds)) / plan.games
    threes = np.lib.stride_tricks.sliding_window_view(rounds, 3, axis=1).mean(axis=2)
    falls = threes.max(axis=1) - threes[:, -1]
    return {
        "rate": rate,
        "fall_back": round(float(falls.mean()), 1),
        "beyond_3": round(float((falls > 3).mean()), 2),
    }


def forgetting(
    data: Path, seed: int, after: Sequence[int], held: int = HELD, plan: Plan | None = None
) -> dict[str, Any]:
    """What the copies of one seed's memory win of the same games, all in all and by the kind of task."""
    plan = plan or Plan()
    with (
        benchmark(data) as (learn, path),
        tempfile.TemporaryDirectory() as folder,
        progress(f"seed {seed}") as heard,
    ):
        experts, records = learn.experts_and_games(str(path), seed, plan.experts)
        same = records[max(after) * plan.games :][:held]
        copies = _copies(learn, experts, records, plan, seed, after, Path(folder), heard)
        won = {str(at): _won(learn, copy, nouns, same, seed) for at, (copy, nouns) in copies.items()}
    kinds = Counter(one["type"] for one in same)
    return {
        "games": len(same),
        "won": {at: round(100 * sum(wins) / len(same), 1) for at, wins in won.items()},
        "kinds": {
            kind: {
                at: sum(win for win, one in zip(wins, same, strict=True) if one["type"] == kind)
                for at, wins in won.items()
            }
            | {"games": count}
            for kind, count in sorted(kinds.items())
        },
        **_paired(list(won.values())),
    }


def _copies(
    learn: ModuleType,
    experts: Sequence[Any],
    records: Sequence[Any],
    plan: Plan,
    seed: int,
    after: Sequence[int],
    folder: Path,
    heard: Progress | None,
) -> dict[int, tuple[Path, set[str]]]:
    """After each of some rounds: a copy of the store, and the nouns that the player knew by then."""
    memory, copies = opened(seed, {}), {}
    player = learn.Player(memory, random.Random(seed * 1000 + 7))
    for one in experts:
        player.demonstrate(learn.Game(one))
    for number, one in enumerate(records[: max(after) * plan.games], 1):
        player.play(learn.Game(one), learn=True)
        if heard is not None:
            heard(number, max(after) * plan.games)
        if number % plan.games == 0 and number // plan.games in after:
            copy = folder / f"{number}.db"
            memory.memory.snapshot(copy)
            copies[number // plan.games] = (copy, set(player.nouns))
    memory.close()
    return copies


def _won(learn: ModuleType, copy: Path, nouns: set[str], games: Sequence[Any], seed: int) -> list[bool]:
    with Recollect(copy, user="player", channel="_global", embedder=HashEmbedder()) as memory:
        household = Household(memory, tempfile.TemporaryDirectory())
        player = learn.Player(household, random.Random(seed))
        player.nouns = nouns
        won = [bool(player.play(learn.Game(one), learn=False)) for one in games]
        household.folder.cleanup()
    return won


def _paired(won: Sequence[Sequence[bool]]) -> dict[str, float]:
    """Of the first and the last copy: by how many points the last is better, and the standard error of that."""
    first, last = won[0], won[-1]
    gained = sum(b and not a for a, b in zip(first, last, strict=True))
    lost = sum(a and not b for a, b in zip(first, last, strict=True))
    return {
        "difference": round(100 * (gained - lost) / len(first), 1),
        "standard_error": round(100 * (gained + lost) ** 0.5 / len(first), 1),
    }


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.forgetting`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the benchmark")
    parser.add_argument("--seeds", type=numbers, default=(2, 3))
    parser.add_argument("--after", type=numbers, default=(6, 10), help="after which rounds it is copied")
    parser.add_argument("--held", type=int, default=HELD, help="how many games each copy plays")
    options = parser.parse_args(arguments)
    for seed in options.seeds:
        told = {**forgetting(options.data, seed, options.after, options.held), "commit": commit()}
        every = {**known(NAME).get("seeds", {}), str(seed): told}
        record(NAME, {"by_chance": by_chance(Plan()), "seeds": dict(sorted(every.items()))})
    PAGE.write_text(page(on_record()), encoding="utf-8")


if __name__ == "__main__":
    main()
