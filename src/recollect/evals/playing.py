"""How much better a blank agent gets at household games with the engine as all that it knows.

Games, agent and protocol are the benchmark's own: its `learn.py` is loaded from where it lies and run as it stands, so
that the figures are those that it gives for `recollect.evals.alfworld:build`.
"""

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

from recollect.errors import InvalidInput
from recollect.evals.alfworld import Household, opened
from recollect.evals.measuring import Watch, unwatched
from recollect.learn.run import Run
from recollect.ports import Progress

SCRIPT, GAMES = "learn.py", "games.jsonl.xz"
UNSEEN = "valid_seen"
"""Games of other rooms' arrangements, which nobody trains on."""
HELD = 100
"""How many of them are played."""
PARTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "everything": {
            "learning.clean": "off",
            "learning.trim": "off",
            "learning.value": "off",
            "learning.chances": "off",
            "learning.decay": "off",
        },
        "clean": {"learning.clean": "off"},
        "trim": {"learning.trim": "off"},
        "necessity": {"learning.necessity": "0"},
        "value": {"learning.value": "off"},
        "mdp": {"learning.chances": "off"},
        "patience": {"learning.patience": "on"},
        "optimism": {"learning.optimism": "0.5"},
        "wandering": {"learning.wandering": "0"},
        "match": {"learning.task_match": "0", "learning.region_match": "0"},
        "decay": {"learning.decay": "off"},
        "context": {"learning.decay": "blind"},
        "weights": {"learning.weights": "on"},
        "usefulness": {"learning.usefulness": "on"},
        "minilm": {"embedder.kind": "minilm"},
    }
)
"""The parts of learning, and what switches each to the other side of its default."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: seeds × rounds × games, after some expert episodes."""

    seeds: tuple[int, ...] = (1, 2)
    rounds: int = 10
    games: int = 100
    experts: int = 6
    ablate: tuple[str, ...] = ()
    control: bool = True
    """Play the same games with a memory that never hears an outcome, too."""

    def settings(self) -> dict[str, str]:
        """What the engine is told."""
        unknown = sorted(set(self.ablate) - PARTS.keys())
        if unknown:
            raise InvalidInput(f"no part of learning is called {', '.join(unknown)}: {', '.join(PARTS)}")
        if not self.seeds or min(self.rounds - 2, self.games, self.experts + 1) < 1:
            raise InvalidInput("there is at least one seed, three rounds and one game a round")
        return {name: value for part in self.ablate for name, value in PARTS[part].items()}


def play(data: Path, plan: Plan | None = None, watch: Watch = unwatched) -> dict[str, Any]:
    """The curves of each seed with and without learning, and what the difference is on average."""
    chosen = plan or Plan()
    given = chosen.settings()
    with benchmark(data) as (learn, games):
        seeds = {str(seed): _paired(learn, games, seed, chosen, given, watch) for seed in chosen.seeds}
    found: dict[str, Any] = {
        "set": "alfworld",
        "rounds": chosen.rounds,
        "games": chosen.games,
        "experts": chosen.experts,
        "ablate": list(chosen.ablate),
        "seeds": seeds,
        "last3": _mean(one["learning"]["last3"] for one in seeds.values()),
    }
    names = [name for name in next(iter(seeds.values())) if name.startswith(("gain", "fall"))]
    return found | {name: _mean(one[name] for one in seeds.values()) for name in names}


@contextmanager
def benchmark(data: Path) -> Iterator[tuple[ModuleType, Path]]:
    """The benchmark's own module, and its games."""
    folder = data if data.is_dir() else data.parent
    missing = [name for name in (SCRIPT, GAMES) if not (folder / name).exists()]
    if missing:
        raise InvalidInput(f"{folder} has no {' and no '.join(missing)}: give the benchmark's folder")
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(Path(SCRIPT).stem), folder / GAMES
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


class Counted(Household):
    """The same memory, heard with every game that it starts."""

    def __init__(self, inner: Household, heard: Callable[[], None]) -> None:
        super().__init__(inner.memory, inner.folder)
        self._heard = heard

    def start(self, goal: str, task_type: str) -> Run:
        self._heard()
        return super().start(goal, task_type)


def play_arm(
    data: Path, seed: int, plan: Plan | None = None, watch: Watch = unwatched, *, learns: bool
) -> dict[str, Any]:
    """One arm of one seed alone: `compared` tells what two of them come to."""
    chosen = plan or Plan()
    with benchmark(data) as (learn, games):
        return _arm(learn, games, seed, chosen, chosen.settings(), watch, learns=learns)


def compared(learning: Mapping[str, Any], frozen: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the learning arm gained over the frozen one, and how far it fell back from its best."""
    found: dict[str, Any] = {"learning": learning}
    if frozen is not None:
        found |= {"frozen": frozen, "gain": round(learning["last3"] - frozen["last3"], 1)}
        if UNSEEN in learning:
            found[f"gain_{UNSEEN}"] = round(learning[UNSEEN] - frozen[UNSEEN], 1)
    return found | {"fall_back": round(learning["best3"] - learning["last3"], 1)}


def _paired(
    learn: ModuleType, games: Path, seed: int, plan: Plan, given: Mapping[str, str], watch: Watch
) -> dict[str, Any]:
    """One seed: the learning arm, and beside it the frozen one."""
    learning = _arm(learn, games, seed, plan, given, watch, learns=True)
    frozen = _arm(learn, games, seed, plan, given, watch, learns=False) if plan.control else None
    return compared(learning, frozen)


def _arm(
    learn: ModuleType,
    games: Path,
    seed: int,
    plan: Plan,
    given: Mapping[str, str],
    watch: Watch,
    *,
    learns: bool,
) -> dict[str, Any]:
    options = SimpleNamespace(
        data=str(games),
        experts=plan.experts,
        rounds=plan.rounds,
        games=plan.games,
        test=UNSEEN,
        progress=False,
    )
    total = plan.experts + plan.rounds * plan.games + HELD
    made: list[Household] = []

    def factory(of: int) -> Household:
        made.append(Counted(opened(of, given), _counter(heard, total)))
        return made[-1]

    with watch(f"seed {seed}, {'learning' if learns else 'frozen'}") as heard:
        try:
            told: dict[str, Any] = learn.run(factory, seed, options, learns)
        finally:
            for one in made:
                one.close()
    return told


def _counter(heard: Progress | None, total: int) -> Callable[[], None]:
    started = 0

    def count() -> None:
        nonlocal started
        started += 1
        if heard is not None:
            heard(started, max(started, total))

    return count


def _mean(values: Iterable[float]) -> float:
    return round(mean(values), 1)


def parts(named: Sequence[str]) -> tuple[str, ...]:
    """Names as they are given, each by itself or several with commas between.

    >>> parts(["mdp,trim", "value"])
    ('mdp', 'trim', 'value')
    """
    return tuple(one.strip() for several in named for one in several.split(",") if one.strip())
