"""Memories that are about to be lost are asked for, and those that are found last longer: the testing effect."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.model import Memory, microseconds

CUE_WORDS: Final = 4
"""So many of a memory's words are its cue at least; otherwise the first half of them."""


def rehearsal(night: Night) -> Iterator[Proposal]:
    """Recalls by its own cue what fell below the threshold since the last dream, the most important first (C36)."""
    params, seen = night.params, night.survey
    if night.resumes:
        return  # all of it is one transaction
    asked = _endangered(night)[: params.rehearsals].tolist()
    found = np.array([place for place in asked if _comes_to_mind(night, seen.ids[place])], np.intp)
    missed = {"not found": len(asked) - len(found)}
    if len(found):
        boosted = seen.stability[found] * params.rehearsal_boost
        yield replace(night.counted(found, "found", stability=boosted.tolist()), noted=missed)
    elif asked:
        yield Proposal(noted=missed)


def _comes_to_mind(night: Night, memory_id: str) -> bool:
    memory = night.store.get(night.user, memory_id)
    return memory is not None and memory_id in night.recall(cue(memory), memory)


def cue(memory: Memory) -> str:
    """What brings a memory to mind: how it begins.

    >>> from datetime import UTC, datetime
    >>> cue(Memory("1", "The office moved to Lisbon in March last year", *[datetime(2026, 1, 1, tzinfo=UTC)] * 2))
    'The office moved to'
    """
    words = memory.text.split()
    return " ".join(words[: max(CUE_WORDS, len(words) // 2)])


def _endangered(night: Night) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    seen, least = night.survey, night.params.endangered
    lost = night.retention(night.idle_days) < least
    if night.since is not None:
        # Each time that one crosses the threshold, it is asked for once.
        since = microseconds(night.since)
        before = night.retention(np.maximum(since - seen.last_accessed_at, 0) / 86_400_000_000)
        lost &= before >= least
    places = np.flatnonzero(lost & night.current)
    order = np.lexsort((seen.ids[places].astype(str), -seen.utility[places], -seen.importance[places]))
    return places[order]
