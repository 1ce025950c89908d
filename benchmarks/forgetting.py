"""Whether a memory gets worse at what it could: `python -m benchmarks.forgetting --data DIR --seeds 2,3`.

The household benchmark's fall-back compares rounds of different games, so that chance and the games' difficulty are in
it. Here the memory is copied after some rounds, and every copy plays the same games, which none of them learnt from.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
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
    data: Path, seed: int, after: Sequence[int], folder: Path, held: int = HELD, plan: Plan | None = None
) -> dict[str, Any]:
    """What the copies of one seed's memory win of the same games, all in all and by the kind of task.

    What lies in the folder already is not done again: a run that was stopped goes on there.
    """
    plan = plan or Plan()
    copies = {at: folder / f"{seed}-{at}.db" for at in after}
    with benchmark(data) as (learn, path), progress(f"seed {seed}") as heard:
        experts, records = learn.experts_and_games(str(path), seed, plan.experts)
        if not all(_nouns(copy).exists() for copy in copies.values()):
            _learn(learn, experts, records[: max(after) * plan.games], seed, plan.games, copies, heard)
        same = records[max(after) * plan.games :][:held]
        won = {str(at): _won(learn, copy, same, seed) for at, copy in copies.items()}
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


def _nouns(copy: Path) -> Path:
    """Where the nouns lie that the player knew when the copy was made: they are its own, and not the memory's."""
    return copy.with_suffix(".nouns.json")


def _learn(
    learn: ModuleType,
    experts: Sequence[Any],
    records: Sequence[Any],
    seed: int,
    games: int,
    copies: Mapping[int, Path],
    heard: Progress | None,
) -> None:
    """Plays as the benchmark does, and copies the store after some rounds."""
    memory = opened(seed, {})
    player = learn.Player(memory, random.Random(seed * 1000 + 7))
    for one in experts:
        player.demonstrate(learn.Game(one))
    for number, one in enumerate(records, 1):
        player.play(learn.Game(one), learn=True)
        if heard is not None:
            heard(number, len(records))
        if number % games == 0 and number // games in copies:
            copy = copies[number // games]
            copy.unlink(missing_ok=True)
            memory.memory.snapshot(copy)
            _nouns(copy).write_text(json.dumps(sorted(player.nouns)), encoding="utf-8")
    memory.close()


def _won(learn: ModuleType, copy: Path, games: Sequence[Any], seed: int) -> list[bool]:
    """Which of the games a copy wins, learning nothing; each with dice of its own, the same for every copy."""
    known_wins = copy.with_suffix(".won.json")
    won: list[bool] = json.loads(known_wins.read_text("utf-8")) if known_wins.exists() else []
    nothing = tempfile.TemporaryDirectory()
    with Recollect(copy, user="player", channel="_global", embedder=HashEmbedder()) as memory, nothing:
        player = learn.Player(Household(memory, nothing), None)
        player.nouns = set(json.loads(_nouns(copy).read_text("utf-8")))
        for one in games[len(won) :]:
            player.rng = random.Random(f"{seed} {one['id']}")
            won.append(bool(player.play(learn.Game(one), learn=False)))
            known_wins.write_text(json.dumps(won), encoding="utf-8")
    return won[: len(games)]


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
    parser.add_argument("--copies", type=Path, help="a folder that keeps them, so that a stopped run goes on")
    parser.add_argument("--held", type=int, default=HELD, help="how many games each copy plays")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as passing:
        folder = options.copies or Path(passing)
        for seed in options.seeds:
            told = forgetting(options.data, seed, options.after, folder, options.held)
            every = {**known(NAME).get("seeds", {}), str(seed): {**told, "commit": commit()}}
            record(NAME, {"by_chance": by_chance(Plan()), "seeds": dict(sorted(every.items()))})
    PAGE.write_text(page(on_record()), encoding="utf-8")


if __name__ == "__main__":
    main()
