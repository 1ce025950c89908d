"""A memory made of others: what it says, where it belongs, what it comes from, and whether it is due."""

from collections.abc import Sequence
from typing import Final

from recollect.dream.gathering import Group
from recollect.dream.night import Night
from recollect.dream.proposal import Made
from recollect.dream.telling import told
from recollect.dream.wording import in_words
from recollect.model import GLOBAL_CHANNEL, Edge, Memory, Origin, Record, Scope
from recollect.ports import RecordChange

MADE: Final = "dream.made"
"""The kind of record that tells what was made of a group, and of how many memories."""
SOURCES: Final = 20
"""So many of the most telling memories are its sources, those that it quotes among them."""


def made(night: Night, form: str, group: Group, importance: float, *, kind: str = "", rule: str) -> Made:
    """A memory that tells a group in the words of a form, which is also its kind."""
    members = _loaded(night, group)
    memory = Memory(
        night.new_id(),
        in_words(night, form, members, group.entities, kind) or told(form, members, group.entities, kind),
        night.now,
        night.now,
        kind=form,
        channel=group.channel,
        scope=Scope.GLOBAL if group.channel == GLOBAL_CHANNEL else Scope.PROJECT,
        confidence=round(sum(one.confidence for one in members) / len(members), 3),
        importance=importance,
        origin=Origin(
            write_source="dream", data_source="system", sources=tuple(one.id for one in members[:SOURCES])
        ),
        metadata={"entities": list(group.entities), "members": len(members)},
    )
    return Made(memory, rule)


def sources(memory: Memory) -> list[Edge]:
    """From a memory to those that it was made of."""
    return [Edge(memory.id, source, "derived_from") for source in memory.origin.sources]


def has_grown(night: Night, known: Record, count: int) -> bool:
    """Whether a group has so many more memories that it should be told anew."""
    more, before = count - known.value["members"], known.value["members"]
    return bool(more >= night.params.grown and more >= night.params.grown_part * before)


def remade(night: Night, memory_id: str) -> bool:
    """Whether a memory that was made may be replaced: it is there and nobody has protected it."""
    place = night.place(memory_id)
    return place is not None and night.is_current(place) and not night.protected[place]


def noted(key: str, memory_id: str, count: int, known: Record | None) -> RecordChange:
    """The record of what was made."""
    value = {"id": memory_id, "members": count}
    return RecordChange(MADE, key, value, 0 if known is None else known.revision)


def _loaded(night: Night, group: Group) -> Sequence[Memory]:
    found = (night.store.get(night.user, night.survey.ids[place]) for place in group.places)
    return [memory for memory in found if memory is not None]
