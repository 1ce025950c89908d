"""A cluster gets a theme: a memory that tells what it is about. Its memories stay as they are."""

from collections.abc import Iterator
from dataclasses import replace

from recollect.dream.gathering import PATTERN, THEME, Group
from recollect.dream.making import MADE, has_grown, made, noted, remade, sources
from recollect.dream.night import Night
from recollect.dream.proposal import Made, Proposal
from recollect.dream.steps.clustering import IN_CLUSTER, clustered, ids, theme_of
from recollect.model import Edge
from recollect.ports import RecordChange


def consolidation(night: Night) -> Iterator[Proposal]:
    """Tells the largest clusters that have no theme, and anew those that have grown, a few each night (C34)."""
    if not night.params.themes or night.resumes:
        return  # all of it is one transaction
    told: list[Made] = []
    edges: list[Edge] = []
    records: list[RecordChange] = []
    for group in clustered(night):
        theme = theme_of(night, group)
        if len(told) == night.params.consolidated or not _due(night, group, theme):
            continue
        one = made(night, THEME, group, night.params.theme_importance, rule="told anew" if theme else "theme")
        told.append(replace(one, replaces=theme))
        edges += [Edge(member, one.memory.id, IN_CLUSTER) for member in ids(night, group)]
        edges += sources(one.memory)
        records.append(noted(f"{THEME}/{one.memory.id}", one.memory.id, len(group.places), None))
        # A pattern that was found in the cluster is known of its next theme too.
        pattern = night.store.record(night.user, MADE, f"{PATTERN}/{theme}")
        if pattern is not None:
            records.append(RecordChange(MADE, f"{PATTERN}/{one.memory.id}", pattern.value))
    if told:
        yield Proposal(made=tuple(told), edges=tuple(edges), records=tuple(records))


def _due(night: Night, group: Group, theme: str | None) -> bool:
    if theme is None:
        return True
    known = night.store.record(night.user, MADE, f"{THEME}/{theme}")
    return known is not None and has_grown(night, known, len(group.places)) and remade(night, theme)
