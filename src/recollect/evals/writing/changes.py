"""What a later message of a long chat changes: the newer statement holds, and comes before the older one.

Counted are BEAM's questions about updates and contradictions of which both sides were formed. A side is stated by what
was formed from the user's words, the older before the first message that the set names for the newer one, and the
newer from there on, if it is about what is asked. Where the set's notes of both sides give figures, it has one that only
the note of its side gives. Else one side denies something and the other does not, and it comes from a message that the
set names, or says it again with most of the question's terms. So a memory of something else that the same message says
does not count.

A case is right where the best hit of the newer side is not superseded and stands before every hit of the older side,
among memories alone. Asked is at the end of the chat; about what is over by then, such as an appointment, when the
session in which the newer side was told is over.
"""

import re
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
from recollect.language.figures import Figure, asked_for, figures
from recollect.language.roles import is_user
from recollect.language.terms import query_terms
from recollect.model import Lane
from recollect.ports import Embedder

RECALLED: Final = 50
ABOUT, SHARED = 0.4, 0.25
"""A memory is about what is asked from that cosine with the question, or with that share of its terms;"""
AGAIN: Final = 0.75
"""with that share it says what another message is named for."""
_DENIES: Final = re.compile(
    r"\b(?:never|no|not(?! (?:sure|certain|only))|none|nor|cannot|without)\b|n['’]t\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Said:
    """What was formed from a message, and when its session was told."""

    message: str
    at: datetime
    formed: tuple[tuple[str, str], ...]
    """Ids and texts."""


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """The questions of all chats, or of the first `limit`."""
    counted: Counter[str] = Counter()
    for corpus in beam.read(path)[0].corpora[:limit]:
        clock = Moving()
        questions = [one for one in corpus.questions if one.newer and one.older]
        with watch(f"observing {corpus.name}") as heard, trial(embedder, clock) as memory:
            said = _observed(corpus, memory, clock, heard)
            counted.update(_outcome(memory, question, said) for question in questions)
    formed = counted["right"] + counted["wrong"]
    return {
        "changes_questions": counted.total(),
        "changes_both_formed": formed,
        "changes_newer_first": share(counted["right"], formed),
    }


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


def _outcome(memory: Recollect, question: Question, said: Sequence[_Said]) -> str:
    """Whether a question's case is right or wrong, or that it is not counted."""
    first = next((place for place, one in enumerate(said) if one.message in question.newer), len(said))
    older, newer = _sides(memory.embedder, question, said[:first], said[first:])
    if not older - newer or not newer - older:
        return "unformed"
    asked_at = None if any(_holds(memory, one) for one in newer) else said[first].at
    return "right" if _newer_first(memory, question.text, newer, older, asked_at) else "wrong"


def _sides(
    embedder: Embedder, question: Question, before: Sequence[_Said], after: Sequence[_Said]
) -> tuple[set[str], set[str]]:
    """What states the older side before the newer one is told first, and what states the newer from there on."""
    was, is_now = _changed(question)
    if was and is_now:
        older = {key: text for key, text in _formed(before) if _gives(text, was)}
        newer = {key: text for key, text in _formed(after) if _gives(text, is_now)}
    else:
        told = [text for one in after if one.message in question.newer for _, text in one.formed]
        denied = any(map(_denies, told))
        older = _stated(question, before, denied=not denied)
        newer = _stated(question, after, denied=denied)
    near = _about(embedder, question.text, {**older, **newer})
    return older.keys() & near, newer.keys() & near


def _stated(question: Question, said: Sequence[_Said], *, denied: bool) -> dict[str, str]:
    """What says or denies it in the messages that the set names; where something does, what says so again elsewhere too."""
    named = {*question.older, *question.newer}
    fitting = [
        (one.message in named, key, text)
        for one in said
        for key, text in one.formed
        if _denies(text) == denied
    ]
    if not any(is_named for is_named, _, _ in fitting):
        return {}
    return {key: text for is_named, key, text in fitting if is_named or _shared(question.text, text) >= AGAIN}


def _denies(text: str) -> bool:
    return _DENIES.search(text) is not None


def _shared(question: str, text: str) -> float:
    """Which share of a question's terms a text has."""
    terms = frozenset(query_terms(question))
    return len(terms.intersection(query_terms(text))) / max(len(terms), 1)


def _changed(question: Question) -> tuple[set[Figure], set[Figure]]:
    """The figures that only the older and only the newer note has; none where an answer gives no figure."""
    if len(question.notes) != len(("older", "newer")) or not asked_for(question.text):
        return set(), set()
    was, is_now = (set(figures(note)) for note in question.notes)
    return was - is_now, is_now - was


def _gives(text: str, wanted: set[Figure]) -> bool:
    """Whether a text has one of the figures; of a count, of the same things as far as both say of what."""
    return any(
        (one.kind, one.value) == (other.kind, other.value)
        and (not one.of or not other.of or bool(one.of & other.of))
        for one in figures(text)
        for other in wanted
    )


def _formed(said: Sequence[_Said]) -> Iterator[tuple[str, str]]:
    return (one for message in said for one in message.formed)


def _about(embedder: Embedder, question: str, texts: Mapping[str, str]) -> set[str]:
    if not texts:
        return set()
    asked, *vectors = embedder.embed([question, *texts.values()])
    return {
        key
        for (key, text), vector in zip(texts.items(), vectors, strict=True)
        if float(asked @ vector) >= ABOUT or _shared(question, text) >= SHARED
    }


def _newer_first(
    memory: Recollect, question: str, newer: set[str], older: set[str], asked_at: datetime | None
) -> bool:
    hits = memory.recall(question, k=RECALLED, lanes=Lane.MEMORY, as_of=asked_at, learn=False).hits
    best = next((hit.memory for hit in hits if hit.memory.id in older ^ newer), None)
    return best is not None and best.id in newer and best.superseded_by is None


def _holds(memory: Recollect, memory_id: str) -> bool:
    found = memory.get(memory_id)
    return found is not None and (found.valid_until is None or found.valid_until > memory.now())
