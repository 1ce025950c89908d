"""A year in minutes: the same life in a store that dreams each night and in one that never does, side by side.

LoCoMo, BEAM and RealMem, each conversation a channel, are told over 365 days. Half of the questions are asked
meanwhile, and what helped is said; the others measure. The figures that should hold: recall falls by at most a
point, stale facts by at least half, at most 60 % of what was formed stays awake, and a night grows no faster than
the store.
"""

import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from recollect.evals.embeddings import KeptEmbedder
from recollect.evals.lifetime_beside import beside
from recollect.evals.lifetime_living import Answered, Life, Slept, lived, place_of
from recollect.evals.lifetime_stream import DAYS, conversations, year
from recollect.evals.measuring import DIGITS, Watch, stores_folder, unwatched
from recollect.evals.metrics import recall_at
from recollect.evals.stores import START
from recollect.ports import Embedder

TURNS: Final = 600
"""So many turns of each set are a year in minutes; all of them are a year in hours."""
WARM: Final = 30
"""The first nights find next to nothing: what they take says nothing of growth."""


def lifetime(
    data: Path,
    embedder: Embedder,
    limit: int | None = None,
    *,
    stores: Path | None = None,
    watch: Watch = unwatched,
    days: int = DAYS,
) -> dict[str, Any]:
    """The flat figures of a year of all conversations, or of the first ones of each set that have `limit` turns.

    With `stores`, vectors and the year without dreams are kept there and used again, and a year that was stopped
    goes on.
    """
    sets, corpora = conversations(data, limit)
    told = year(corpora, days)
    vectors = KeptEmbedder(embedder, None if stores is None else stores.expanduser())
    with stores_folder(stores) as folder:
        places = [place_of(told, folder, embedder, dreams=dreams) for dreams in (False, True)]
        try:
            with watch("a year without dreams") as heard:
                awake = lived(told, places[0], vectors, dreams=False, heard=heard)
            vectors.flush()
            with watch("a year with dreams") as heard:
                slept = lived(told, places[1], vectors, dreams=True, heard=heard)
        finally:
            vectors.flush()
        with watch("recalling beside a dream"):
            others = beside(slept.folder, told.exam, embedder, START + timedelta(days=days))
        # Dreams are what is measured: the next time they may be others.
        shutil.rmtree(slept.folder)
    found: dict[str, Any] = {
        "set": "lifetime",
        "embedder": embedder.name,
        "limit": limit,
        "sets": "+".join(sets),
        "conversations": len(corpora),
        "turns": len(slept.keys),
        "days": days,
    }
    found |= compared(awake, slept) | growth(slept.nights)
    if others is not None:
        found |= {
            "recall_p95_idle_ms": others.idle_p95_ms,
            "recall_p95_during_a_dream_ms": others.dream_p95_ms,
            "recall_p95_ratio": round(others.dream_p95_ms / others.idle_p95_ms, 2),
            "recalls_during_a_dream": others.recalls,
        }
    return found


def compared(awake: Life, slept: Life) -> dict[str, Any]:
    """What dreaming took and gave."""
    before, after = _recall(awake.answers), _recall(slept.answers)
    found: dict[str, Any] = {
        "questions": len(slept.answers),
        "recall@10_never_dreamt": round(before, DIGITS),
        "recall@10_dreamt": round(after, DIGITS),
        "recall@10_fall_points": round((before - after) * 100, 2),
        "update_questions": sum(one.changed for one in slept.answers),
    }
    for name, count in (("stale_facts", "stale_facts"), ("stale_hits", "stale")):
        old, new = (sum(getattr(one, count) for one in life.answers) for life in (awake, slept))
        found |= {
            f"{name}_top5_never_dreamt": old,
            f"{name}_top5_dreamt": new,
            f"{name}_top5_fall": round(1.0 - new / old, DIGITS) if old else None,
        }
    for name, life in (("never_dreamt", awake), ("dreamt", slept)):
        found |= {
            f"fresh_facts_top5_{name}": sum(one.fresh_facts for one in life.answers),
            f"formed_{name}": life.formed,
            f"active_{name}": life.current,
            f"active_share_{name}": round(life.current / life.formed, DIGITS) if life.formed else None,
        }
    return found


def growth(nights: Sequence[Slept]) -> dict[str, Any]:
    """What a night takes, and by which power of the awake memories that grows: 1 is linear."""
    later = [one for one in nights[WARM:] if one.awake]
    if not later:
        return {"nights": len(nights)}
    taken = np.array([one.cpu_seconds for one in later])
    awake = np.array([one.awake for one in later], np.float64)
    power = float(np.polyfit(np.log(awake), np.log(taken), 1)[0]) if len(set(awake.tolist())) > 1 else None
    most = int(np.argmax(awake))
    return {
        "nights": len(nights),
        "night_changes": sum(one.changed for one in nights),
        "night_seconds_median": round(float(np.median([one.seconds for one in later])), 3),
        "night_seconds_most": round(max(one.seconds for one in later), 3),
        "night_cpu_seconds_median": round(float(np.median(taken)), 3),
        "night_most_awake": later[most].awake,
        "night_cpu_ms_per_1000_awake_early": _rate(later[: len(later) // 4]),
        "night_cpu_ms_per_1000_awake_late": _rate(later[-(len(later) // 4) :]),
        "night_growth_power": None if power is None else round(power, 2),
    }


def _rate(nights: Sequence[Slept]) -> float | None:
    if not nights:
        return None
    return round(float(np.median([one.cpu_seconds / one.awake for one in nights])) * 1e6, 1)


def _recall(answers: Sequence[Answered]) -> float:
    return float(np.mean([recall_at(one.ranks, 10) for one in answers])) if answers else 0.0
