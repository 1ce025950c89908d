"""What a later message of a long chat changes: the newer statement holds, and comes before the older one.

Counted are BEAM's questions about updates and contradictions of which both sides were formed into memories. A case is
right where the best hit of the newer side is not superseded and stands before every hit of the older side.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.model import Corpus
from recollect.evals.sets import beam
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import KEPT, share, trial
from recollect.model import Lane
from recollect.ports import Embedder

RECALLED: Final = 50


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """The questions of all chats, or of the first `limit`."""
    asked = formed = right = 0
    for corpus in beam.read(path)[0].corpora[:limit]:
        questions = [one for one in corpus.questions if one.newer and one.older]
        clock = Moving()
        with watch(f"observing {corpus.name}") as heard, trial(embedder, clock) as memory:
            ids = _observed(corpus, memory, clock, heard)
            for question in questions:
                newer, older = (_formed(side, ids) for side in (question.newer, question.older))
                if newer and older:
                    formed += 1
                    right += _newer_first(memory, question.text, newer, older)
        asked += len(questions)
    return {
        "changes_questions": asked,
        "changes_both_formed": formed,
        "changes_newer_first": share(right, formed),
    }


def _observed(corpus: Corpus, memory: Recollect, clock: Moving, heard: Any) -> dict[str, list[str]]:
    """Which memories stand for each message."""
    ids: dict[str, list[str]] = {}
    for place, session in enumerate(corpus.sessions, 1):
        at = clock.follow(session.at)
        told = [
            {"role": item.role or "user", "content": item.text, "timestamp": at} for item in session.items
        ]
        for item, turn in zip(session.items, memory.observe(told, session=session.id), strict=True):
            ids[item.key] = [one.id for one in turn.formed if one.id and one.action in KEPT]
        if heard is not None:
            heard(place, len(corpus.sessions))
    return ids


def _formed(side: Iterable[str], ids: Mapping[str, list[str]]) -> set[str]:
    return {memory_id for message in side for memory_id in ids.get(message, ())}


def _newer_first(memory: Recollect, question: str, newer: set[str], older: set[str]) -> bool:
    hits = memory.recall(question, k=RECALLED, lanes=Lane.MEMORY).hits
    for hit in hits:
        if hit.memory.id in newer - older:
            return hit.memory.superseded_by is None
        if hit.memory.id in older - newer:
            return False
    return False
