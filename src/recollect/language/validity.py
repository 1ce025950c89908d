"""Since when something holds, in words: no memory is shown to a reader without it."""

from collections.abc import Mapping

from recollect.model import NO_MAPPING, Lane, Memory

MENTIONED_CHARACTERS = 100
"""So much of a text is enough to know it by."""


def validity(memory: Memory, texts: Mapping[str, str] = NO_MAPPING, *, replaced_by: str | None = None) -> str:
    """Since when it holds, until when, and what it replaced: in the words of that, where its text is given by its id.

    `replaced_by` is for a turn, which stays as it was said when what it states is replaced.

    >>> from datetime import UTC, datetime
    >>> day = datetime(2026, 3, 1, tzinfo=UTC)
    >>> validity(Memory("B", "t", day, day, supersedes="A"))
    'since 2026-03-01, replaces A'
    >>> validity(Memory("B", "t", day, day, supersedes="A"), {"A": "The office is in Porto"})
    'since 2026-03-01, replaces "The office is in Porto"'
    """
    if memory.lane is Lane.LOG:
        who = memory.origin.speaker or memory.origin.role or "somebody"
        parts = [f"{memory.valid_from:%Y-%m-%d}, {who} said"]
    else:
        parts = [f"since {memory.valid_from:%Y-%m-%d}"]
    if memory.valid_until is not None:
        parts.append(f"until {memory.valid_until:%Y-%m-%d}")
    if memory.supersedes is not None:
        parts.append(f"replaces {_mentioned(memory.supersedes, texts)}")
    newer = replaced_by or memory.superseded_by
    if newer is not None:
        parts.append(f"no longer true: replaced by {_mentioned(newer, texts)}")
    return ", ".join(parts)


def _mentioned(memory_id: str, texts: Mapping[str, str]) -> str:
    if memory_id not in texts:
        return memory_id
    text = " ".join(texts[memory_id].split())
    if len(text) > MENTIONED_CHARACTERS:
        text = f"{text[:MENTIONED_CHARACTERS].rsplit(None, 1)[0]} […]"
    return f'"{text}"'
