"""Messages that nobody should have to write: observing them raises nothing and loses nothing.

Lost is a message that the log does not have as it was written, without its secrets and in its place, or whose
refusal gives no reason. The rules are what is tried, so that vectors come from hashes.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.sets import oddities
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import opened
from recollect.model import Filter, Lane, State
from recollect.ports import Embedder
from recollect.testing import HashEmbedder
from recollect.write.text import clean

MESSAGES: Final = 1_000
SESSION: Final = 20
"""So many messages are told at once."""
STORE: Final = 2_000
"""After so many a new store is begun: how large one is does not matter here."""


def measure(_: Path, __: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """A few of them, as a part of `recollect eval write`."""
    return fuzz(min(limit or MESSAGES, MESSAGES), 1, watch)


def fuzz(count: int, seed: int, watch: Watch) -> dict[str, Any]:
    """How many messages were told, what they raised, how many were lost and how many memories they formed."""
    told = oddities.messages(seed, count)
    raised: dict[str, int] = {}
    lost = formed = done = 0
    with watch("telling odd messages") as heard:
        while some := list(islice(told, STORE)):
            with TemporaryDirectory() as name, opened(Path(name), HashEmbedder(), Moving()) as memory:
                for start in range(0, len(some), SESSION):
                    batch = some[start : start + SESSION]
                    try:
                        gone, made = _told(memory, batch, f"s{start}")
                    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
                        raised[type(error).__name__] = raised.get(type(error).__name__, 0) + 1
                        gone, made = len(batch), 0
                    lost, formed, done = lost + gone, formed + made, done + len(batch)
                    if heard is not None:
                        heard(done, count)
                lost += len(memory.verify())
    return {
        "fuzz_messages": done,
        "fuzz_seed": seed,
        "fuzz_raised": sum(raised.values()),
        "fuzz_errors": ", ".join(f"{name} {times}" for name, times in sorted(raised.items())),
        "fuzz_lost": lost,
        "fuzz_formed": formed,
    }


def _told(memory: Recollect, batch: Sequence[dict[str, Any]], session: str) -> tuple[int, int]:
    """How many of these messages are lost, and how many memories they formed."""
    results = memory.observe(batch, session=session)
    where = Filter(lanes=(Lane.LOG,), session=session, states=(State.ACTIVE, State.DORMANT))
    kept = iter(memory.list(where, newest_first=False, limit=None))
    lost = formed = 0
    for message, result in zip(batch, results, strict=True):
        text = message["content"]
        if text.strip():
            turn = next(kept, None)
            lost += turn is None or (turn.id, turn.text) != (result.id, clean(text).text)
        else:
            lost += not result.reason
        lost += any(not one.reason for one in result.formed)
        formed += sum(one.id is not None for one in result.formed)
    return lost + sum(1 for _ in kept), formed
