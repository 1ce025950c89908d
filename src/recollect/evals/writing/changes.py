"""What a later message of a long chat changes: the newer statement holds, and comes before the older one.

Counted are BEAM's questions about updates and contradictions of which both sides were formed. A memory states a side
where it was formed from the user's words and has all of the side's marks (`changes.toml`): the value that changed, or
what was done and that it never was, as a person read them in the messages that the set names. It states the older side
where it was said before the first message of the newer one, else the newer side; what has the marks of both states
neither. So a memory of something else that the same message says does not count, and what the user says again in
another message does.

A case is right where the best hit of the newer side is not superseded and stands before every hit of the older side,
among memories alone. Asked is at the end of the chat; about what is over by then, such as an appointment, when the
session in which the newer side was told is over.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.measuring import Watch
from recollect.evals.model import Corpus, Question
from recollect.evals.sets import beam
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import KEPT, share, trial
from recollect.language.roles import is_user
from recollect.model import Lane
from recollect.ports import Embedder

RECALLED: Final = 50
MARKS: Final = Path(__file__).with_name("changes.toml")
Marks = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Said:
    """What was formed from a message, and when its session was told."""

    message: str
    at: datetime
    formed: tuple[tuple[str, str], ...]
    """Ids and texts."""


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """The questions of all chats, or of the first `limit`."""
    marks = tomllib.loads(MARKS.read_text(encoding="utf-8"))
    counted: Counter[str] = Counter()
    for corpus in beam.read(path)[0].corpora[:limit]:
        known = marks.get(corpus.name, {})
        clock = Moving()
        with watch(f"observing {corpus.name}") as heard, trial(embedder, clock) as memory:
            said = _observed(corpus, memory, clock, heard)
            counted.update(
                _outcome(memory, question, known.get(name), said) for name, question in _asked(corpus)
            )
    formed = counted["right"] + counted["wrong"]
    return {
        "changes_questions": counted.total(),
        "changes_unstated": counted["unstated"],
        "changes_both_formed": formed,
        "changes_newer_first": share(counted["right"], formed),
    }


def _asked(corpus: Corpus) -> Iterator[tuple[str, Question]]:
    """The questions that have two sides, each with its name in the file of marks."""
    places: Counter[str] = Counter()
    for question in corpus.questions:
        places[question.type] += 1
        if question.newer and question.older:
            yield f"{question.type}-{places[question.type]}", question


def _observed(corpus: Corpus, memory: Recollect, clock: Moving, heard: Any) -> list[_Said]:
    """What stands for each message of the user, in order."""
    said: list[_Said] = []
    for place, session in enumerate(corpus.sessions, 1):
        at = clock.follow(session.at)
        told = [
            {"role": item.role or "user", "content": item.text, "timestamp": at} for item in session.items
        ]
        for item, turn in zip(session.items, memory.observe(told, session=session.id), strict=True):
            if is_user(item.role):
                formed = tuple((one.id, one.text) for one in turn.formed if one.id and one.action in KEPT)
                said.append(_Said(item.key, at, formed))
        if heard is not None:
            heard(place, len(corpus.sessions))
    return said


def _outcome(memory: Recollect, question: Question, marks: Marks | None, said: Sequence[_Said]) -> str:
    """Whether a question's case is right or wrong, or why it is not counted."""
    if marks is None or "unstated" in marks:
        return "unstated"
    first = next(place for place, one in enumerate(said) if one.message in question.newer)
    older, newer = _stating(said[:first], marks["older"]), _stating(said[first:], marks["newer"])
    if not older - newer or not newer - older:
        return "unformed"
    asked_at = None if any(_holds(memory, one) for one in newer) else said[first].at
    return "right" if _newer_first(memory, question.text, newer, older, asked_at) else "wrong"


def _newer_first(
    memory: Recollect, question: str, newer: set[str], older: set[str], asked_at: datetime | None
) -> bool:
    hits = memory.recall(question, k=RECALLED, lanes=Lane.MEMORY, as_of=asked_at, learn=False).hits
    best = next((hit.memory for hit in hits if hit.memory.id in older ^ newer), None)
    return best is not None and best.id in newer and best.superseded_by is None


def _stating(said: Sequence[_Said], marks: Sequence[str]) -> set[str]:
    return {
        memory_id
        for one in said
        for memory_id, text in one.formed
        if all(re.search(mark, text, re.IGNORECASE) for mark in marks)
    }


def _holds(memory: Recollect, memory_id: str) -> bool:
    found = memory.get(memory_id)
    return found is not None and (found.valid_until is None or found.valid_until > memory.now())
