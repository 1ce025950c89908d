"""Whom and what the best candidates name, and what bears these names: each text is read once a recall, each name looked up once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.language.names import mentions, names
from recollect.model import Memory
from recollect.recall.work import Sources, Work


def named_in(work: Work, memory: Memory) -> tuple[str, ...]:
    """The names and titles in a candidate's text."""
    if memory.content not in work.named:
        work.named[memory.content] = names(memory.text)
    return work.named[memory.content]


def newly_named(work: Work, memory: Memory) -> tuple[str, ...]:
    """Those of them that the question does not name."""
    if memory.content not in work.newly_named:
        work.newly_named[memory.content] = tuple(
            name for name in named_in(work, memory) if not mentions(work.query.text, name)
        )
    return work.newly_named[memory.content]


def bearing(work: Work, sources: Sources, terms: Sequence[int]) -> list[NDArray[np.int64]]:
    """For each of some titles, by its term, the contents that bear it and may answer."""
    unknown = [term for term in dict.fromkeys(terms) if term not in work.bearing]
    if unknown:
        found = sources.index.having(np.array(unknown, np.uint32), work.where)
        work.bearing.update(zip(unknown, found, strict=True))
    return [work.bearing[term] for term in terms]
