"""Which gold memories of a session are covered by what is formed from it, and how much of that is junk.

Covered: a gold memory with a formed memory of its session at a cosine from 0.75. Duplicate: an active memory with the
same words as an earlier one, or at a cosine from 0.95 without another number, name or negation. Junk: a formed memory
that is like no gold memory of its session (below 0.5) and repeats an earlier one (from 0.9, no other values) or says
nothing (fewer than three words beside stop words and the speaker, none of them a name or a number).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recollect.evals.measuring import Watch
from recollect.evals.sets.dates import moment_in
from recollect.evals.sets.files import document, documents, shaped
from recollect.evals.stores import Moving
from recollect.evals.writing.trial import KEPT, MEMORIES, share, trial
from recollect.language.differences import differing, names, numbers
from recollect.language.terms import STOP_WORDS, terms
from recollect.model import Action, Memory
from recollect.ports import Embedder
from recollect.write.result import Remembered

COVERED, LIKE_GOLD, REPEATS, DUPLICATE = 0.75, 0.5, 0.9, 0.95
LEAST_WORDS: Final = 3
REPEATED: Final = 10
"""So many sessions are told a second time."""
_HEADING: Final = re.compile(r"【[^】]*】")
_ANYBODY: Final = frozenset(terms("the user the assistant"))


@dataclass(slots=True)
class _Tally:
    messages: int = 0
    gold: int = 0
    covered: int = 0
    formed: int = 0
    junk: int = 0
    active: int = 0
    duplicates: int = 0
    changed: int = 0
    """Memories that a second pass over the same conversations changed."""
    actions: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Seen:
    """What was formed so far."""

    texts: list[str]
    vectors: NDArray[np.float32]


def measure(path: Path, embedder: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Coverage, junk and duplicates of every user's sessions."""
    tally = _Tally()
    for file in documents(path):
        found = document(file)
        with shaped(file, "a RealMem file"), watch(f"observing {file.stem}") as heard:
            _observed(found["dialogues"][:limit], embedder, tally, heard)
    actions = {f"realmem_{name}": count for name, count in sorted(tally.actions.items())}
    return {
        "realmem_messages": tally.messages,
        "realmem_gold": tally.gold,
        "realmem_covered": share(tally.covered, tally.gold),
        "realmem_formed": tally.formed,
        "realmem_formed_per_message": share(tally.formed, tally.messages),
        "realmem_junk": share(tally.junk, tally.formed),
        "realmem_duplicates": share(tally.duplicates, tally.active),
        "realmem_changed_by_second_pass": tally.changed,
        **actions,
    }


def _observed(dialogues: Sequence[Mapping[str, Any]], embedder: Embedder, tally: _Tally, heard: Any) -> None:
    clock = Moving()
    with trial(embedder, clock) as memory:
        told = list(talks(dialogues, clock))
        earlier = _Seen([], np.empty((0, embedder.dimension), np.float32))
        for place, (session, messages, gold) in enumerate(told, 1):
            turns = memory.observe(messages, session=session)
            _count(turns, gold, earlier, embedder, tally)
            if heard is not None:
                heard(place, len(told))
        before = memory.list(MEMORIES, limit=None)
        for session, messages, _ in told[:REPEATED]:
            memory.observe(messages, session=session)
        after = {m.id: m for m in memory.list(MEMORIES, limit=None)}
        tally.changed += len(after) - len(before) + sum(after.get(m.id) != m for m in before)
        active = [m for m in before if m.superseded_by is None]
        tally.active += len(active)
        tally.duplicates += _duplicates(active, embedder)


def talks(
    dialogues: Sequence[Mapping[str, Any]], clock: Moving
) -> Iterator[tuple[str, list[dict[str, Any]], list[str]]]:
    """Each session's name, its messages and its gold memories."""
    for one in dialogues:
        at = clock.follow(moment_in(one["current_time"]))
        messages = [
            {"role": t["speaker"].lower(), "content": t["content"], "timestamp": at}
            for t in one["dialogue_turns"]
        ]
        gold = [_HEADING.sub(" ", g["content"]).strip() for g in one.get("extracted_memory") or ()]
        yield str(one["session_uuid"]), messages, [text for text in gold if text]


def _count(
    turns: Sequence[Remembered], gold: Sequence[str], earlier: _Seen, embedder: Embedder, tally: _Tally
) -> None:
    decided = [one for turn in turns for one in turn.formed]
    stands = [one.text for one in decided if one.action in KEPT]
    made = [one.text for one in decided if one.action in KEPT - {Action.REINFORCE}]
    for one in decided:
        name = f"{one.stage}_{one.action}" if one.action is Action.SKIP else str(one.action)
        tally.actions[name] = tally.actions.get(name, 0) + 1
    tally.messages += len(turns)
    tally.gold += len(gold)
    tally.formed += len(made)
    golden = embedder.embed(gold) if gold else np.empty((0, embedder.dimension), np.float32)
    if gold and stands:
        tally.covered += int(((embedder.embed(stands) @ golden.T).max(axis=0) >= COVERED).sum())
    vectors = embedder.embed(made) if made else golden[:0]
    for place, text in enumerate(made):
        like_gold = len(gold) and float((golden @ vectors[place]).max()) >= LIKE_GOLD
        repeats = _repeats(text, vectors[place], earlier.texts, earlier.vectors, REPEATS)
        tally.junk += not like_gold and (repeats or _says_nothing(text))
    earlier.texts += made
    earlier.vectors = np.concatenate([earlier.vectors, vectors])


def _repeats(
    text: str, vector: NDArray[np.float32], others: Sequence[str], vectors: NDArray[np.float32], least: float
) -> bool:
    alike = np.flatnonzero(vectors @ vector >= least)
    return any(differing(text, others[place]) is None for place in alike.tolist())


def _says_nothing(text: str) -> bool:
    words = {term for term in terms(text) if term not in STOP_WORDS}
    return len(words - _ANYBODY) < LEAST_WORDS and not (names(text) or numbers(text))


def _duplicates(active: Sequence[Memory], embedder: Embedder) -> int:
    texts = [memory.text for memory in active]
    vectors = embedder.embed(texts) if texts else np.empty((0, embedder.dimension), np.float32)
    return sum(
        _repeats(text, vectors[place], texts[:place], vectors[:place], DUPLICATE)
        for place, text in enumerate(texts)
    )
