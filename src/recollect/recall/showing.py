"""The candidates themselves, each loaded once a recall, whichever stage wants it first."""

from collections.abc import Sequence

from recollect.model import Memory
from recollect.recall.work import Sources, Work


def shown(work: Work, sources: Sources, contents: Sequence[int]) -> list[Memory]:
    """The memories of confirmed candidates, in the order of these contents."""
    missing = [content for content in contents if content not in work.shown]
    if missing:
        found = sources.store.shown(sources.user, missing, work.where)
        work.shown.update((memory.content, memory) for memory in found)
    return [work.shown[content] for content in contents]
