"""LoCoMo, and REALTALK, which is written like it: conversations of two people in dated sessions."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.evals.model import Corpus, EvalSet, Item, Question, Session
from recollect.evals.sets.dates import moment_in
from recollect.evals.sets.files import document, documents, shaped

Dated = Callable[[str], datetime | None]
SESSION = re.compile(r"session_(\d+)")
TYPES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def read_locomo(path: Path) -> tuple[EvalSet, ...]:
    """One file with a list of samples."""
    found = document(path)
    with shaped(path, "a LoCoMo file"):
        samples = found if isinstance(found, list) else [found]
        corpora = tuple(
            _corpus(
                str(sample.get("sample_id", place)), sample["conversation"], sample["qa"], "text", moment_in
            )
            for place, sample in enumerate(samples)
        )
    return (EvalSet("locomo", corpora),)


def read_realtalk(path: Path) -> tuple[EvalSet, ...]:
    """A folder of files, one conversation each."""
    corpora = []
    for one in documents(path):
        found = document(one)
        with shaped(one, "a REALTALK conversation"):
            corpora.append(_corpus(one.stem, found, found["qa"], "clean_text", _perhaps))
    return (EvalSet("realtalk", tuple(corpora)),)


def _corpus(name: str, conversation: Mapping[str, Any], asked: list[Any], text: str, dated: Dated) -> Corpus:
    sessions = tuple(_sessions(conversation, text, dated))
    if not sessions:
        raise KeyError("session_1")
    return Corpus(name, tuple(_question(one) for one in asked), sessions)


def _sessions(conversation: Mapping[str, Any], text: str, dated: Dated) -> Iterator[Session]:
    numbered = sorted(int(found[1]) for key in conversation if (found := SESSION.fullmatch(key)))
    for number in numbered:
        key = f"session_{number}"
        turns = tuple(Item(t["dia_id"], said(t, text), speaker=t["speaker"]) for t in conversation[key])
        date = conversation.get(f"{key}_date_time")
        yield Session(key, turns, None if date is None else dated(date))


def said(turn: Mapping[str, Any], field: str) -> str:
    """A turn's words, with the caption of the photo that it shares.

    >>> said({"text": "Look!", "blip_caption": "a dog"}, "text")
    'Look! [shares a photo: a dog]'
    """
    caption = turn.get("blip_caption")
    words = str(turn.get(field) or "")
    return f"{words} [shares a photo: {caption}]".strip() if caption else words


def _question(one: Mapping[str, Any]) -> Question:
    category, evidence = one.get("category"), one.get("evidence") or ()
    return Question(
        one["question"],
        tuple(dict.fromkeys([evidence] if isinstance(evidence, str) else map(str, evidence))),
        TYPES.get(category, str(category)) if isinstance(category, int) else str(category),
    )


def _perhaps(date: str) -> datetime | None:
    """A date that people's own chat programs wrote: where it cannot be read, the session has none."""
    try:
        return moment_in(date)
    except ValueError:
        return None
