"""The candidates themselves, each loaded once a recall, whichever stage wants it first."""

from collections.abc import Sequence

from recollect.model import Memory
from recollect.recall.work import Sources, Work


class Unseen(Exception):
    """The index proposed what the view of the store does not have, or does not let through.

    Another thread may have had the index follow what was written after this view began.
    """


def shown(work: Work, sources: Sources, contents: Sequence[int]) -> list[Memory]:
    """The memories of candidates, in the order of these contents; `Unseen` where the filter keeps one out."""
    missing = [content for content in contents if content not in work.shown]
    if missing:
        found = sources.store.shown(sources.user, missing, work.where)
        work.shown.update((memory.content, memory) for memory in found)
    try:
        return [work.shown[content] for content in contents]
    except KeyError:
        raise Unseen from None
