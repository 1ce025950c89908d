"""How long others wait for an answer while a dream goes on: another process recalls, first beside nobody."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Final

import numpy as np

from recollect.evals.lifetime_living import opened
from recollect.evals.lifetime_stream import Asked
from recollect.evals.stores import Moving
from recollect.evals.writing.repeats import maker
from recollect.ports import Embedder

RECALLS: Final = 200
NIGHTS: Final = 10
"""So many nights are dreamt, one after the other, so that there are recalls enough beside them."""
_stop: list[Event] = []


@dataclass(frozen=True, slots=True)
class Beside:
    """The 95th of a hundred recalls, in milliseconds, and of how many."""

    idle_p95_ms: float
    dream_p95_ms: float
    recalls: int


def beside(folder: Path, asked: Sequence[Asked], embedder: Embedder, at: datetime) -> Beside | None:
    """Recalls of another process, idle and while the store in that folder dreams some nights."""
    questions = [(one.question.text, one.channel) for one in asked][:RECALLS]
    if not questions:
        return None
    context = get_context("spawn")  # not forked: the embedder's threads would not survive that
    stop = context.Event()
    with ProcessPoolExecutor(1, context, initializer=_heed, initargs=(stop,)) as other:
        ask = _asking(other, folder, questions, maker(embedder), at)
        idle = ask(RECALLS).result()
        during = ask(None)
        clock = Moving(at)
        with opened(folder, embedder, clock) as memory:
            for _ in range(NIGHTS):
                clock.set(clock.now() + timedelta(days=1))
                memory.dream()
        stop.set()
        taken = during.result()
    return Beside(_p95(idle), _p95(taken), len(taken))


def _asking(
    other: ProcessPoolExecutor,
    folder: Path,
    questions: Sequence[tuple[str, str]],
    make: Callable[[], Embedder],
    at: datetime,
) -> Callable[[int | None], "Future[list[float]]"]:
    return lambda count: other.submit(_recalled, folder, questions, make, at, count)


def _heed(stop: Event) -> None:
    _stop.append(stop)


def _recalled(
    folder: Path,
    questions: Sequence[tuple[str, str]],
    make: Callable[[], Embedder],
    at: datetime,
    count: int | None,
) -> list[float]:
    """In the other process: so many recalls, or as many as there is time for until it is told to stop."""
    taken: list[float] = []
    with opened(folder, make(), Moving(at)) as memory:
        memory.recall(questions[0][0], channel=questions[0][1], learn=False)  # opens the index
        while len(taken) < count if count is not None else not _stop[0].is_set():
            text, channel = questions[len(taken) % len(questions)]
            began = time.perf_counter()
            memory.recall(text, channel=channel, learn=False)
            taken.append(time.perf_counter() - began)
    return taken


def _p95(taken: Sequence[float]) -> float:
    return round(float(np.percentile(taken, 95)) * 1e3, 2) if taken else 0.0
