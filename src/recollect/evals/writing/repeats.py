"""The same told twice changes nothing, and told in two halves it gives what it gives told at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from recollect import config
from recollect.assembly import make_embedder
from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.sets import consolidation
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import MEMORIES, opened
from recollect.ports import Embedder

FACTS: Final = 200


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """How many active memories differ after a second telling, and after two halves that two processes tell."""
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
    """The texts that hold in the end, each telling by a process of its own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Not forked: the embedder's threads would not survive that.
        with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
            for messages in tellings:
                processes.submit(_tell, folder, messages, maker(embedder)).result()
        with opened(folder, embedder, Moving()) as memory:
            return _texts(memory)


def _tell(folder: Path, messages: Sequence[dict[str, Any]], make: Callable[[], Embedder]) -> None:
    """In a process of its own."""
    with opened(folder, make(), Moving()) as memory:
        memory.observe(messages, session="told")


def maker(embedder: Embedder) -> Callable[[], Embedder]:
    """How another process gets the embedder: a model that is in memory does not travel, so it loads its own."""
    return _usual if _usual().name == embedder.name else partial(_given, embedder)


def _usual() -> Embedder:
    return make_embedder(config.assembled({}, {}).embedder)


def _given(embedder: Embedder) -> Embedder:
    return embedder


def _texts(memory: Recollect) -> frozenset[str]:
    return frozenset(m.text for m in memory.list(MEMORIES, limit=None) if m.superseded_by is None)
