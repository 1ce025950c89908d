"""The same told twice changes nothing, and told in two halves it gives what it gives told at once."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.sets import consolidation
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import MEMORIES, opened
from recollect.ports import Embedder

FACTS: Final = 200


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """How many active memories differ after a second telling, and after two halves by two openings of the store."""
    facts = consolidation.read(path)[0].facts[: min(limit or FACTS, FACTS)]
    clock = Moving()
    told = [{"role": "user", "content": fact, "timestamp": clock.follow(None)} for fact in facts]
    half = len(told) // 2
    with watch("telling twice"):
        once = _active([told], embedder)
        twice = _active([told, told], embedder)
        halves = _active([told[:half], told[half:]], embedder)
    return {
        "repeats_facts": len(facts),
        "repeats_changed_by_second_telling": len(once ^ twice),
        "repeats_changed_by_two_halves": len(once ^ halves),
    }


def _active(tellings: Sequence[Sequence[dict[str, Any]]], embedder: Embedder) -> frozenset[str]:
    """The texts that hold in the end, each telling by a store that is opened for it."""
    with TemporaryDirectory() as folder:
        for messages in tellings:
            with opened(Path(folder), embedder, Moving()) as memory:
                memory.observe(messages, session="told")
        with opened(Path(folder), embedder, Moving()) as memory:
            return _texts(memory)


def _texts(memory: Recollect) -> frozenset[str]:
    return frozenset(m.text for m in memory.list(MEMORIES, limit=None) if m.superseded_by is None)
