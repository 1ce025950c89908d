"""BEAM: long chats with an assistant, in dated batches, and questions of ten types about them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.errors import NotFound
from recollect.evals.model import Corpus, EvalSet, Item, Question, Session
from recollect.evals.sets.dates import moment_in
from recollect.evals.sets.files import document, shaped

MARKER = re.compile(r"\s*->->\s*[\d.,\s]*$")
CHANGES = ("knowledge_update", "contradiction_resolution")
"""The types of question whose evidence has an older and a newer side."""


def read(path: Path) -> tuple[EvalSet, ...]:
    """A folder of chats, or one chat's folder."""
    chats = sorted(path.rglob("chat.json"), key=_number) if path.is_dir() else [path]
    if not chats:
        raise NotFound(f"no chat.json below {path}")
    return (EvalSet("beam", tuple(_corpus(chat) for chat in chats)),)


def _number(chat: Path) -> tuple[int, str]:
    name = chat.parent.name
    return (int(name) if name.isdigit() else 0, str(chat))


def _corpus(chat: Path) -> Corpus:
    probing = next(iter(sorted(chat.parent.rglob("probing_questions.json"))), None)
    if probing is None:
        raise NotFound(f"no probing_questions.json beside {chat}")
    batches, asked = document(chat), document(probing)
    with shaped(chat, "a BEAM chat"):
        sessions = tuple(_session(batch) for batch in batches)
    with shaped(probing, "a file of BEAM questions"):
        questions = tuple(_question(type_, one) for type_, ones in asked.items() for one in ones)
    return Corpus(f"beam-{chat.parent.name}", questions, sessions)


def _session(batch: Mapping[str, Any]) -> Session:
    messages = [message for turn in batch["turns"] for message in turn]
    anchor = next((m["time_anchor"] for m in messages if m.get("time_anchor")), batch.get("time_anchor"))
    items = tuple(Item(str(m["id"]), unmarked(m["content"]), role=m["role"]) for m in messages)
    return Session(f"batch_{batch['batch_number']}", items, None if anchor is None else moment_in(anchor))


def unmarked(text: str) -> str:
    """A message without the marker that its generation left.

    >>> unmarked("Can you help me plan? ->-> 1,12")
    'Can you help me plan?'
    """
    return MARKER.sub("", text)


def _question(type_: str, one: Mapping[str, Any]) -> Question:
    sources = one.get("source_chat_ids") or ()
    sides = [tuple(_flat(side)) for side in sources.values()] if isinstance(sources, Mapping) else []
    gold = tuple(dict.fromkeys(_flat(sources)))
    older, newer = _sides(sides) if type_ in CHANGES and len(sides) == 2 else ((), ())
    notes = tuple(map(str, one.get("conversation_references") or ())) if older and newer else ()
    return Question(one["question"], tuple(map(str, gold)), type_, newer=newer, older=older, notes=notes)


def _sides(sides: Sequence[tuple[int, ...]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The older and the newer side, by their last message, without what is on both."""
    older, newer = sorted(sides, key=lambda side: max(side, default=-1))
    both = set(older) & set(newer)
    return tuple(str(i) for i in older if i not in both), tuple(str(i) for i in newer if i not in both)


def _flat(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    else:
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _flat(one)
