"""What comes up again and again, on different days, is a pattern."""

from collections.abc import Iterator

from recollect.dream.gathering import PATTERN, Group
from recollect.dream.making import MADE, made, noted, sources
from recollect.dream.night import Night
from recollect.dream.proposal import Proposal
from recollect.dream.steps.clustering import clustered, ids, theme_of


def deep_abstraction(night: Night) -> Iterator[Proposal]:
    """Looks at the largest clusters for what came up on at least three days; each is told once (C34)."""
    if not night.params.themes or night.resumes:
        return  # all of it is one transaction
    found, edges, records = [], [], []
    for group in clustered(night)[: night.params.abstracted]:
        theme = theme_of(night, group)
        key = f"{PATTERN}/{theme}"
        if (
            theme is None
            or not _recurs(night, group)
            or night.store.record(night.user, MADE, key) is not None
        ):
            continue
        one = made(night, PATTERN, group, night.params.pattern_importance, rule="pattern")
        found.append(one)
        edges += sources(one.memory)
        records.append(noted(key, one.memory.id, len(group.places), None))
    if found:
        yield Proposal(made=tuple(found), edges=tuple(edges), records=tuple(records))


def _recurs(night: Night, group: Group) -> bool:
    memories = (night.store.get(night.user, one) for one in ids(night, group))
    days = {memory.valid_from.date() for memory in memories if memory is not None}
    return len(days) >= night.params.pattern_days
