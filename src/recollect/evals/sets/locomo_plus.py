"""LoCoMo-Plus: cues, and triggers that call for them much later in other words.

Every cue is a session of one store, as long ago as its gap says, and each trigger is asked of all of them.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.evals.model import Corpus, EvalSet, Item, Question, Session
from recollect.evals.sets.dates import gap_in
from recollect.evals.sets.files import document, shaped

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SPEAKER = re.compile(r"([A-Z]):\s*(.*)")
ROLES = {"A": "user", "B": "assistant"}


def read(path: Path) -> tuple[EvalSet, ...]:
    """One file with a list of pairs."""
    found = document(path)
    with shaped(path, "a LoCoMo-Plus file"):
        sessions = tuple(_session(place, pair) for place, pair in enumerate(found))
        questions = tuple(_question(place, pair) for place, pair in enumerate(found))
    in_order = tuple(sorted(sessions, key=lambda one: (one.at or NOW, one.id)))
    return (EvalSet("locomo-plus", (Corpus("locomo-plus", questions, in_order, grouped=True),)),)


def _key(place: int) -> str:
    return f"cue_{place:04d}"


def _session(place: int, pair: Mapping[str, Any]) -> Session:
    turns = tuple(
        Item(_key(place), text, role=ROLES.get(speaker, "user"), speaker=speaker)
        for speaker, text in spoken(pair["cue_dialogue"])
    )
    return Session(_key(place), turns, NOW - gap_in(pair.get("time_gap", "")))


def _question(place: int, pair: Mapping[str, Any]) -> Question:
    text = "\n".join(text for _, text in spoken(pair["trigger_query"]))
    return Question(text, (_key(place),), str(pair.get("relation_type", "unknown")))


def spoken(dialogue: str) -> Iterator[tuple[str, str]]:
    r"""Who says what.

    >>> list(spoken("A: I sold my car.\nB: Why?"))
    [('A', 'I sold my car.'), ('B', 'Why?')]
    """
    for line in filter(None, map(str.strip, dialogue.splitlines())):
        found = SPEAKER.fullmatch(line)
        yield (found[1], found[2]) if found else ("A", line)
