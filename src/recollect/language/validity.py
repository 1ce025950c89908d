"""Since when something holds, in words: no memory is shown to a reader without it."""

from recollect.model import Lane, Memory


def validity(memory: Memory) -> str:
    """Since when it holds, until when, and what it replaced.

    >>> from datetime import UTC, datetime
    >>> day = datetime(2026, 3, 1, tzinfo=UTC)
    >>> validity(Memory("B", "t", day, day, supersedes="A"))
    'since 2026-03-01, replaces A'
    """
    if memory.lane is Lane.LOG:
        who = memory.origin.speaker or memory.origin.role or "somebody"
        parts = [f"{memory.valid_from:%Y-%m-%d}, {who} said"]
    else:
        parts = [f"since {memory.valid_from:%Y-%m-%d}"]
    if memory.valid_until is not None:
        parts.append(f"until {memory.valid_until:%Y-%m-%d}")
    if memory.supersedes is not None:
        parts.append(f"replaces {memory.supersedes}")
    if memory.superseded_by is not None:
        parts.append(f"no longer true: replaced by {memory.superseded_by}")
    return ", ".join(parts)
