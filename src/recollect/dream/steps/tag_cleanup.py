"""One tag has one spelling."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from recollect.dream.night import FORMED, Night
from recollect.dream.proposal import Proposal, Revision
from recollect.model import KEYED, Memory

OWN: Final = ("claim:", "review")
"""How tags begin that the engine itself goes by."""
PAGE: Final = 500
MOST: Final = 20_000
"""So many of the newest memories are looked at."""
_BETWEEN: Final = re.compile(r"[\s_-]+")


def tag_cleanup(night: Night) -> Iterator[Proposal]:
    """Gives tags that differ in case, spaces, dashes or underscores the spelling that most memories have (G15)."""
    spelt: dict[str, Counter[str]] = {}
    for memory in _newest(night):
        for tag in memory.tags if memory.kind not in KEYED else ():
            if not tag.startswith(OWN):
                spelt.setdefault(folded(tag), Counter())[tag] += 1
    better = {
        tag: max(spellings, key=lambda one: (spellings[one], one))
        for spellings in (found for found in spelt.values() if len(found) > 1)
        for tag in spellings
    }
    better = {tag: best for tag, best in better.items() if tag != best}
    if not better:
        return
    revised: dict[str, Revision] = {}
    for memory in _newest(night):
        tags = tuple(dict.fromkeys(better.get(tag, tag) for tag in memory.tags))
        place = night.place(memory.id)
        if tags != memory.tags and place is not None and not night.protected[place]:
            revised[memory.id] = Revision("one spelling", {"tags": tags}, memory.version)
        if len(revised) == night.params.batch:
            yield Proposal(revised=revised)
            revised = {}
    if revised:
        yield Proposal(revised=revised)


def folded(tag: str) -> str:
    """What all spellings of a tag have in common.

    >>> folded("Release Notes") == folded("release_notes") == folded("release-notes")
    True
    """
    return _BETWEEN.sub("-", tag.strip().casefold())


def _newest(night: Night) -> Iterator[Memory]:
    """A page at a time: their texts are not needed, and need not all be there at once."""
    after: str | None = None
    seen = 0
    while seen < MOST:
        page = night.store.find(night.user, FORMED, limit=PAGE, after=after, newest_first=True)
        if not page:
            return
        yield from page
        seen, after = seen + len(page), page[-1].id
