"""What the rules cost beside the embedding of the same message, and how long a message takes in a large store.

The rules are measured in processor time. A message is observed in a store of 100,000 memories whose texts and vectors
are made, as embedding them says nothing about it; the message itself is read, embedded, compared and kept for real.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.evals.measuring import DIGITS, Watch
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import opened, written_by_people
from recollect.model import EPOCH, Lane, Memory, Origin
from recollect.ports import Embedder, Progress
from recollect.write.policy import Policy
from recollect.write.stages import read
from recollect.write.work import Heard

CHARACTERS: Final = 2_000
MESSAGES: Final = 30
SENT: Final = 300
"""So many messages as they were sent: an embedder of 256 tokens sees all of those, and half of the long ones."""
WARM_UP: Final = 3
MEMORIES: Final = 100_000
FILLED_AT_ONCE: Final = 5_000
SEED: Final = 1
MADE_WORDS: Final = 20_000


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Rules and embedding, taking turns: of messages as people sent them, and of some of 2,000 characters."""
    said = written_by_people(path)
    sent = said[:: max(1, len(said) // SENT)][: min(limit or SENT, SENT)]
    messages = _long_messages(said)[: min(limit or MESSAGES, MESSAGES) + WARM_UP]
    with watch("timing the rules"):
        taken = [_timed(message, embedder) for message in messages][WARM_UP:]
        short = [_timed(message, embedder) for message in sent]
    if not taken:
        return {}
    rules, alone, whole = (statistics.median(column) for column in zip(*taken, strict=True))
    rules_sent, alone_sent, whole_sent = (sum(column) for column in zip(*short, strict=True))
    held = MEMORIES if limit is None else min(limit, MEMORIES)
    with watch(f"filling a store with {held} memories") as heard:
        observed = _observed(messages, embedder, held, heard)
    return {
        "speed_messages": len(taken),
        "speed_rules_ms": round(rules * 1e3, 2),
        "speed_embedding_of_the_message_ms": round(alone * 1e3, 2),
        "speed_embedding_with_its_statements_ms": round(whole * 1e3, 2),
        "speed_rules_to_embedding_of_the_message": _ratio(rules, alone),
        "speed_rules_to_all_embedding": _ratio(rules, whole),
        "speed_sent_messages": len(sent),
        "speed_sent_characters_p50": statistics.median(map(len, sent)),
        "speed_sent_rules_to_embedding_of_the_message": _ratio(rules_sent, alone_sent),
        "speed_sent_rules_to_all_embedding": _ratio(rules_sent, whole_sent),
        **observed,
    }


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, DIGITS) if whole else None


@dataclass(frozen=True, slots=True)
class _Made:
    """Vectors from dice, under the name of the embedder that the store is opened with afterwards."""

    name: str
    dimension: int
    rng: np.random.Generator

    def embed(self, texts: Sequence[str], _: Progress | None = None) -> NDArray[np.float32]:
        vectors = self.rng.standard_normal((len(texts), self.dimension), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def _observed(
    messages: Sequence[str], embedder: Embedder, held: int, heard: Progress | None
) -> dict[str, Any]:
    """Milliseconds of observing one message in a store that holds so many memories."""
    rng = np.random.default_rng(SEED)
    with TemporaryDirectory() as name:
        folder, clock = Path(name), Moving()
        with opened(folder, _Made(embedder.name, embedder.dimension, rng), clock) as memory:
            for start in range(0, held, FILLED_AT_ONCE):
                count = min(FILLED_AT_ONCE, held - start)
                words = rng.integers(0, MADE_WORDS, (count, 8)).tolist()
                memory.remember_many(
                    [f"{number} " + " ".join(f"w{w}" for w in row) for number, row in enumerate(words, start)]
                )
                if heard is not None:
                    heard(start + count, held)
            memory.compact()
        found: dict[str, Any] = {"speed_observe_memories": held}
        with opened(folder, embedder, clock) as memory:
            for figure, wait in (("speed_observe", True), ("speed_observe_later", False)):
                taken = []
                for message in messages:
                    clock.follow(None)
                    moments = time.perf_counter(), time.process_time()
                    memory.observe([{"role": "user", "content": message}], session=figure, wait=wait)
                    taken.append((time.perf_counter() - moments[0], time.process_time() - moments[1]))
                    memory.catch_up()
                wall, processor = np.array(taken[WARM_UP:]).T * 1e3
                found[f"{figure}_ms_p50"] = round(float(np.percentile(wall, 50)), 2)
                found[f"{figure}_ms_p95"] = round(float(np.percentile(wall, 95)), 2)
                found[f"{figure}_processor_ms_p50"] = round(float(np.percentile(processor, 50)), 2)
    return found


def _timed(message: str, embedder: Embedder) -> tuple[float, float, float]:
    """Seconds of the rules, of embedding the message, and of embedding it with what it states."""
    heard = Heard(Memory("turn", message, EPOCH, EPOCH, lane=Lane.LOG, origin=Origin(role="user")), "user")
    moments = [time.process_time()]
    read([heard], Policy())
    moments.append(time.process_time())
    embedder.embed([message])
    moments.append(time.process_time())
    embedder.embed([message, *(draft.text for draft in heard.drafts)])
    moments.append(time.process_time())
    rules, alone, whole = (after - before for before, after in pairwise(moments))
    return rules, alone, whole


def _long_messages(said: Sequence[str]) -> list[str]:
    """A message after the other, cut into pieces of 2,000 characters."""
    found, whole = [], ""
    for message in said:
        whole += message + " "
        if len(whole) >= CHARACTERS:
            found.append(whole[:CHARACTERS])
            whole = ""
    return found
