"""What the rules cost beside the embedding of the same message, in processor time."""

import statistics
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from recollect.evals.measuring import DIGITS, Watch
from recollect.evals.sets.files import document, documents, shaped
from recollect.model import EPOCH, Lane, Memory, Origin
from recollect.ports import Embedder
from recollect.write.policy import Policy
from recollect.write.stages import read
from recollect.write.work import Heard

CHARACTERS: Final = 2_000
MESSAGES: Final = 30
WARM_UP: Final = 3


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Rules and embedding of messages of 2,000 characters, taking turns; the ratio of the medians."""
    messages = _long_messages(path)[: min(limit or MESSAGES, MESSAGES) + WARM_UP]
    with watch("timing the rules"):
        taken = [_timed(message, embedder) for message in messages][WARM_UP:]
    if not taken:
        return {}
    rules, alone, whole = (statistics.median(column) for column in zip(*taken, strict=True))
    return {
        "speed_messages": len(taken),
        "speed_rules_ms": round(rules * 1e3, 2),
        "speed_embedding_of_the_message_ms": round(alone * 1e3, 2),
        "speed_embedding_with_its_statements_ms": round(whole * 1e3, 2),
        "speed_rules_to_embedding_of_the_message": round(rules / alone, DIGITS) if alone else None,
        "speed_rules_to_all_embedding": round(rules / whole, DIGITS) if whole else None,
    }


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


def _long_messages(path: Path) -> list[str]:
    """What one user wrote, a message after the other, cut into pieces of 2,000 characters."""
    found: list[str] = []
    for file in documents(path):
        said = ""
        with shaped(file, "a RealMem file"):
            for dialogue in document(file)["dialogues"]:
                for turn in dialogue["dialogue_turns"]:
                    if turn["speaker"].lower() == "user":
                        said += turn["content"] + " "
                    if len(said) >= CHARACTERS:
                        found.append(said[:CHARACTERS])
                        said = ""
    return found
