"""RealMem: one user's many sessions with an assistant; a question asks for the past sessions it builds on."""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from recollect.evals.model import Corpus, EvalSet, Item, Question, Session
from recollect.evals.sets.dates import moment_in
from recollect.evals.sets.files import document, documents, shaped


def read(path: Path) -> tuple[EvalSet, ...]:
    """A folder of files, one user each, or one of those."""
    corpora = []
    for one in documents(path):
        found = document(one)
        with shaped(one, "a RealMem file"):
            corpora.append(_corpus(one.stem, found["dialogues"]))
    return (EvalSet("realmem", tuple(corpora)),)


def _corpus(name: str, dialogues: list[Mapping[str, Any]]) -> Corpus:
    # The order of the file is the order of the story: some dates in it go backwards, its references never do.
    questions: list[Question] = []
    past: set[str] = set()
    for one in dialogues:
        questions += _questions(one, past)
        past.add(str(one["session_uuid"]))
    return Corpus(name, tuple(questions), tuple(_session(one) for one in dialogues), grouped=True)


def _session(one: Mapping[str, Any]) -> Session:
    key = str(one["session_uuid"])
    turns = tuple(Item(key, t["content"], role=t["speaker"].lower()) for t in one["dialogue_turns"])
    return Session(key, turns, moment_in(one["current_time"]))


def _questions(one: Mapping[str, Any], past: Collection[str]) -> Iterator[Question]:
    """The turn after a query names the sessions that its answer builds on."""
    for turn, answer in pairwise(one["dialogue_turns"]):
        if turn.get("is_query"):
            named = dict.fromkeys(str(key) for key in answer.get("memory_session_uuids") or ())
            yield Question(
                turn["content"],
                tuple(key for key in named if key in past),
                str(turn.get("category_name", "unknown")),
                before=str(one["session_uuid"]),
            )
