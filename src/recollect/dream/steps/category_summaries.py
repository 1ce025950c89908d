"""A kind of which there are many memories has a summary, which is told anew and not twice."""

from collections.abc import Iterator
from dataclasses import replace

from recollect.dream.gathering import SUMMARY, kinds
from recollect.dream.making import MADE, has_grown, made, noted, remade, sources
from recollect.dream.night import Night
from recollect.dream.proposal import Made, Proposal
from recollect.model import Edge
from recollect.ports import RecordChange


def category_summaries(night: Night) -> Iterator[Proposal]:
    """Tells each kind that has ten memories in a channel, and anew where it has grown (C37)."""
    if not night.params.themes or night.resumes:
        return  # all of it is one transaction
    told: list[Made] = []
    edges: list[Edge] = []
    records: list[RecordChange] = []
    for kind, group in kinds(night, night.params.summarised):
        key = f"{SUMMARY}/{group.channel}/{kind}"
        known = night.store.record(night.user, MADE, key)
        before = None if known is None or not remade(night, known.value["id"]) else known.value["id"]
        if known is not None and not (before and has_grown(night, known, len(group.places))):
            continue
        one = made(night, SUMMARY, group, night.params.theme_importance, kind=kind, rule=SUMMARY)
        told.append(replace(one, replaces=before))
        edges += sources(one.memory)
        records.append(noted(key, one.memory.id, len(group.places), known))
    if told:
        yield Proposal(made=tuple(told), edges=tuple(edges), records=tuple(records))
