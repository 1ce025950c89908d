"""Many users, published items, outcomes, and some who collude: whether useful items rise and poisoned ones do not.

Everything goes through a real library in a store of its own: items are published, outcomes reported under
pseudonyms, released in groups and with noise, and ranked as a merged recall ranks them.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.engine import Recollect
from recollect.formulas.voices import VOICES
from recollect.model import EPOCH, Memory
from recollect.ports import Embedder
from recollect.recall.hits import LIBRARY, Hit
from recollect.recall.merging import merged
from recollect.shared.items import Quality

SHOWN: Final = 10
STRATEGIES: Final = ("all", "camouflage", "blocks")
"""How those who collude praise the poisoned items: each of them all; a quarter beside honest words; in small groups."""
HARMFUL: Final = 0.05
BLOCK: Final = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """How large the world is."""

    users: int = 1_000
    items: int = 10_000
    outcomes: int = 100_000
    colluding: float = 0.05
    poisoned: float = 0.01
    topic: int = 50
    """How many items answer one question equally well."""
    skew: float = 0.0
    """To what power items are used by their rank; 0: all alike."""
    strategy: str = "all"
    seed: int = 1


@dataclass(frozen=True, slots=True)
class World:
    """What the simulation knows and the library does not."""

    truth: NDArray[np.float64]
    poisoned: NDArray[np.int64]
    popularity: NDArray[np.float64]


def simulate(plan: Plan, embedder: Embedder) -> dict[str, Any]:
    """One world, lived once."""
    began = time.process_time()
    rng = np.random.default_rng(plan.seed)
    world = _world(plan, rng)
    with (
        TemporaryDirectory() as folder,
        Recollect(Path(folder) / "library.db", user="author", embedder=embedder) as author,
    ):
        ids = [author.publish(f"Item {n}", f"How to do thing {n}").id for n in range(plan.items)]
        for user in range(plan.users):
            _live(author.beside(f"user {user}"), ids, plan, world, _is_colluding(user, plan), rng)
        told = time.process_time()
        released = author.coordinate()
        seconds = time.process_time() - told
        known: Mapping[str, Quality] = author.library.qualities(ids)
    scores = np.array([known[one].score if one in known else 0.5 for one in ids])
    told_of = np.array([one in known for one in ids])
    return {
        "strategy": plan.strategy,
        "skew": plan.skew,
        "released": released,
        "spearman": spearman(scores, world.truth),
        "spearman_told": spearman(scores[told_of], world.truth[told_of]),
        "spearman_possible": spearman(np.where(told_of, world.truth, 0.5), world.truth),
        "poisoned_shown": _shown(ids, known, world, plan, rng),
        "poisoned_score": float(scores[world.poisoned].mean()),
        "coordinate_seconds": seconds,
        "seconds": time.process_time() - began,
    }


def shared(
    embedder: Embedder, plan: Plan | None = None, strategies: tuple[str, ...] = STRATEGIES
) -> dict[str, Any]:
    """Every way of colluding, in one world each."""
    chosen = plan or Plan()
    runs = [simulate(Plan(**asdict(chosen) | {"strategy": one}), embedder) for one in strategies]
    return {
        "users": chosen.users,
        "items": chosen.items,
        "outcomes": chosen.outcomes,
        "colluding": chosen.colluding,
        "skew": chosen.skew,
        "group": VOICES.group,
        "epsilon": VOICES.epsilon,
        "count_epsilon": VOICES.count_epsilon,
        "spearman": min(one["spearman"] for one in runs),
        "poisoned_shown": max(one["poisoned_shown"] for one in runs),
        **{one["strategy"]: one for one in runs},
    }


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The correlation of ranks; equals share theirs, so that what nothing is told of has no order.

    >>> spearman(np.array([0.1, 0.5, 0.9]), np.array([1.0, 2.0, 30.0]))
    1.0
    >>> spearman(np.array([0.5, 0.5, 0.9, 0.9]), np.array([2.0, 1.0, 3.0, 4.0]))
    0.8944
    """
    return round(float(np.corrcoef(_shared_ranks(one), _shared_ranks(other))[0, 1]), 4)


def _shared_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    shared_rank: NDArray[np.float64] = (np.cumsum(count) - (count - 1) / 2)[place]
    return shared_rank


def _world(plan: Plan, rng: np.random.Generator) -> World:
    truth = rng.uniform(0.0, 1.0, plan.items)
    poisoned = rng.choice(plan.items, max(1, round(plan.poisoned * plan.items)), replace=False)
    truth[poisoned] = HARMFUL
    popularity = rng.permutation(1.0 / np.arange(1, plan.items + 1) ** plan.skew)
    return World(truth, poisoned, popularity / popularity.sum())


def _is_colluding(user: int, plan: Plan) -> int | None:
    """Which of those who collude a user is."""
    return user if user < round(plan.colluding * plan.users) else None


def _live(
    memory: Recollect,
    ids: list[str],
    plan: Plan,
    world: World,
    colluder: int | None,
    rng: np.random.Generator,
) -> None:
    """One account's outcomes."""
    uses = plan.outcomes // plan.users
    used = rng.choice(len(ids), uses, replace=False, p=world.popularity)
    went_well = rng.random(uses) < world.truth[used]
    if colluder is not None:
        praised = _praised(plan, world.poisoned, uses, colluder, rng)
        honest = (
            ~np.isin(used, world.poisoned)[: uses - len(praised)]
            if plan.strategy != "all"
            else np.zeros(0, bool)
        )
        used, went_well = used[: len(honest)][honest], went_well[: len(honest)][honest]
        memory.report([ids[place] for place in praised], success=True)
    for success in (True, False):
        memory.report([ids[place] for place in used[went_well == success]], success=success)


def _praised(
    plan: Plan, poisoned: NDArray[np.int64], uses: int, colluder: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    if plan.strategy == "blocks":
        return np.unique(poisoned[[(colluder + 7 * step) % len(poisoned) for step in range(BLOCK)]])
    most = uses if plan.strategy == "all" else uses // 4
    return rng.choice(poisoned, min(most, len(poisoned)), replace=False)


def _shown(
    ids: list[str], known: Mapping[str, Quality], world: World, plan: Plan, rng: np.random.Generator
) -> float:
    """The share of questions that show a poisoned item among the first ten."""
    topics = rng.permutation(len(ids))[: len(ids) // plan.topic * plan.topic].reshape(-1, plan.topic)
    poisoned = {ids[place] for place in world.poisoned}
    seen = 0
    for topic in topics:
        hits = [_hit(ids[place], known.get(ids[place])) for place in topic]
        seen += any(hit.id in poisoned for hit in merged((), hits, SHOWN))
    return seen / len(topics)


def _hit(item_id: str, quality: Quality | None) -> Hit:
    """All items of a topic are as likely about its question: what they are worth decides."""
    values = {} if quality is None else {"quality": quality.score}
    return Hit(Memory(item_id, "-", EPOCH, EPOCH), 1.0, {}, values, 0.8, 0.8, LIBRARY)
