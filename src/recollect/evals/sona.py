"""Whether questions that were answered well and badly make later ones be answered better, and whether that lasts.

Two families of tasks alternate. They are told in nearly the same words, and what works in the one fails in the other, so
that a lens that only follows the last family forgets the one before. Everything goes through the engine: memories
are remembered, questions recalled with the lens on, and each answer's outcome told as a contrast. Half of the things
that questions are about are never trained on; only those are measured.
"""

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from recollect.engine import Recollect
from recollect.evals.measuring import Watch, unwatched
from recollect.ports import Embedder

THINGS = (
    *("billing", "search", "login", "payments", "invoices", "catalogue", "shipping", "returns"),
    *("profile", "notifications", "reports", "uploads", "exports", "imports", "calendar", "messages"),
    *("chat", "video", "audio", "maps", "weather", "news", "orders", "stock"),
    *("pricing", "coupons", "taxes", "audit", "backup", "metrics", "tracing", "alerts"),
    *("cache", "queue", "mailer", "gateway", "proxy", "scheduler", "storage", "sessions"),
)
BY_SCRIPT, BY_HAND = "ran the commands in the terminal by script", "clicked through the web console by hand"
WAYS = (BY_SCRIPT, BY_HAND, "asked the platform team to do it", "copied the settings of another service")
"""How it was tried, in both families; the last two work in neither, so that there is room to get better in both."""
PHASES = "ABAB"
QUESTIONS = 100
"""How many a phase asks, each with its outcome."""
K = 10
ARMS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "as_shipped": {},
        "no_canary": {"learning.canary": False},
        "no_ewc": {"learning.consolidation": 0.0},
        "neither": {"learning.canary": False, "learning.consolidation": 0.0},
    }
)
"""With what mattered before held or not, and versions checked on past questions or not."""


@dataclass(frozen=True, slots=True)
class Family:
    """Tasks of one kind, and which way of doing them works."""

    task: str
    works: str


FAMILIES = {
    "A": Family("set up the {} service for production", BY_SCRIPT),
    "B": Family("set up the {} service for staging", BY_HAND),
}


def sona(embedder: Embedder, *, seeds: Sequence[int] = (1, 2, 3), watch: Watch = unwatched) -> dict[str, Any]:
    """nDCG@10 of both families before, and after each phase, in each arm."""
    arms: dict[str, Any] = {}
    for name, given in ARMS.items():
        curves = []
        for seed in seeds:
            with watch(f"{name}, seed {seed}") as heard, tempfile.TemporaryDirectory() as folder:
                settings = {"learning.lens": True, "recall.profile": "meaning", **given}
                with Recollect(
                    Path(folder) / "sona.db",
                    user="sona",
                    channel="_global",
                    embedder=embedder,
                    settings=settings,
                ) as memory:
                    curves.append(_stream(memory, seed, heard))
        arms[name] = _figures(curves)
    return {"set": "sona", "embedder": embedder.name, "phases": PHASES, "seeds": list(seeds), **arms}


def _stream(memory: Recollect, seed: int, heard: Any) -> list[dict[str, float]]:
    ids = _remembered(memory)
    rng = random.Random(seed)  # noqa: S311 - which questions are asked, no secret
    things = list(THINGS)
    rng.shuffle(things)
    trained, held = things[: len(things) // 2], things[len(things) // 2 :]
    curve = [_measured(memory, ids, held)]
    for number, name in enumerate(PHASES):
        for place in range(QUESTIONS):
            thing = rng.choice(trained)
            question = f"how do I {FAMILIES[name].task.format(thing)}?"
            good = ids[name, thing]
            worse = [hit.id for hit in memory.recall(question, K, learn=False) if hit.id != good]
            memory.contrast(question, better=good, worse=worse)
            if heard is not None:
                heard(number * QUESTIONS + place + 1, len(PHASES) * QUESTIONS)
        curve.append(_measured(memory, ids, held))
    return curve


def _remembered(memory: Recollect) -> dict[tuple[str, str], str]:
    """Every way of doing everything is remembered; by family and thing, the memory that tells what works."""
    told = [
        (name, thing, way, f"{family.task.format(thing)}: {way}")
        for name, family in FAMILIES.items()
        for thing in THINGS
        for way in WAYS
    ]
    kept = memory.remember_many([text for *_, text in told])
    return {
        (name, thing): str(one.id)
        for (name, thing, way, _), one in zip(told, kept, strict=True)
        if way == FAMILIES[name].works
    }


def _measured(memory: Recollect, ids: dict[tuple[str, str], str], things: Sequence[str]) -> dict[str, float]:
    """Success-weighted nDCG@10 of each family: what works counts 1, everything else nothing."""
    return {
        name: 100.0 * float(np.mean([_gain(memory, family, ids[name, thing], thing) for thing in things]))
        for name, family in FAMILIES.items()
    }


def _gain(memory: Recollect, family: Family, wanted: str, thing: str) -> float:
    hits = memory.recall(f"how do I {family.task.format(thing)}?", K, learn=False)
    return next((1.0 / np.log2(rank + 2) for rank, hit in enumerate(hits) if hit.id == wanted), 0.0)


def _figures(curves: Sequence[Sequence[dict[str, float]]]) -> dict[str, Any]:
    """The mean curve; how much the current family rises over its start, and the earlier one falls, at the worst."""
    mean = [
        {name: float(np.mean([curve[at][name] for curve in curves])) for name in FAMILIES}
        for at in range(len(PHASES) + 1)
    ]
    rises = [mean[at + 1][name] - mean[0][name] for at, name in enumerate(PHASES)]
    falls = [
        mean[at][other] - mean[at + 1][other]
        for at, name in enumerate(PHASES)
        for other in FAMILIES
        if other != name and other in PHASES[:at]
    ]
    return {
        "curve": [{name: round(value, 1) for name, value in one.items()} for one in mean],
        "rise_of_current": round(min(rises), 1),
        "fall_of_earlier": round(max(falls), 1),
    }
