"""A long conversation that is over is told in a few sentences, which point at what was said."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import numpy as np

from recollect.dream.gathering import HISTORY
from recollect.dream.making import noted, sources
from recollect.dream.night import Night
from recollect.dream.proposal import Made, Proposal
from recollect.dream.telling import told
from recollect.model import GLOBAL_CHANNEL, Filter, Lane, Memory, Origin, Scope
from recollect.ports import RecordChange

READ: Final = ("dream", "histories")
"""The record of how far the log was read, and of the conversations in it that may go on."""
PAGE: Final = 1_000
MOST: Final = 20_000
"""So many turns of the log are read in a night."""
SOURCES: Final = 20


def compression(night: Night) -> Iterator[Proposal]:
    """Tells conversations of many turns once nothing was added to them for long; the log stays as it is (C44)."""
    if not night.params.themes or night.resumes:
        return  # all of it is one transaction
    known = night.store.record(night.user, *READ)
    before: dict[str, Any] = {"upto": 0, "open": {}} if known is None else known.value
    after = _read(night, before)
    made: list[Made] = []
    edges = []
    records = []
    for session in sorted(after["open"]):
        turns = _over(night, session, after["open"][session])
        if turns is None:
            continue
        del after["open"][session]
        if len(turns) >= night.params.history_turns:
            one = _history(night, session, turns)
            made.append(Made(one, HISTORY))
            edges += sources(one)
            records.append(noted(f"{HISTORY}/{one.id}", one.id, len(turns), None))
        if len(made) == night.params.consolidated:
            break
    if after != before:
        reached = RecordChange(*READ, after, 0 if known is None else known.revision)
        yield Proposal(made=tuple(made), edges=tuple(edges), records=(*records, reached))


def _read(night: Night, before: dict[str, Any]) -> dict[str, Any]:
    """How far the log is read now; by conversation, the last turn of it that was seen."""
    upto, still = before["upto"], dict(before["open"])
    for _ in range(0, MOST, PAGE):
        page = night.store.documents(night.user, upto, PAGE)
        if not page:
            break
        upto = page[-1].content
        still |= {one.session: one.content for one in page if one.session is not None}
    return {"upto": upto, "open": still}


def _over(night: Night, session: str, last: int) -> list[Memory] | None:
    """The turns of a conversation that is over; None where it may go on."""
    where = Filter(lanes=(Lane.LOG,), session=session, any_session=True)
    seen = night.store.shown(night.user, [last], Filter(any_session=True))
    if seen and night.now - seen[0].recorded_at < timedelta(days=night.params.history_days):
        return None
    return night.store.find(night.user, where)


def _history(night: Night, session: str, turns: list[Memory]) -> Memory:
    channel = turns[-1].channel
    telling = _telling(night, turns)
    return Memory(
        night.new_id(),
        told(HISTORY, telling, count=len(turns)),
        night.now,
        turns[0].valid_from,
        kind=HISTORY,
        channel=channel,
        scope=Scope.GLOBAL if channel == GLOBAL_CHANNEL else Scope.PROJECT,
        importance=night.params.theme_importance,
        origin=Origin(
            session=session,
            write_source="dream",
            data_source="system",
            sources=tuple(one.id for one in _central(night, turns)[:SOURCES]),
        ),
        metadata={"members": len(turns)},
    )


def _telling(night: Night, turns: list[Memory]) -> list[Memory]:
    """What was formed from a conversation, the most central first; where that is little, what was said."""
    ids = [one.id for one in turns]
    edges = night.store.edges(night.user, ids, ["derived_from"])
    formed = (night.place(one) for one in sorted({edge.source for edge in edges}))
    loaded = (
        night.store.get(night.user, night.survey.ids[place])
        for place in formed
        if place is not None and night.is_current(place)
    )
    found = [one for one in loaded if one is not None and one.origin.write_source != "dream"]
    return _central(night, found if len(found) >= night.params.cluster else turns)


def _central(night: Night, memories: list[Memory]) -> list[Memory]:
    """The ones nearest to what all of them are about first."""
    numbers = np.array(sorted({one.content for one in memories}), np.int64)
    contents, vectors = night.store.vectors(night.user, numbers)
    if not len(contents):
        return memories
    rows = vectors.astype(np.float32)
    near = dict(zip(contents.tolist(), (rows @ rows.mean(axis=0)).tolist(), strict=True))
    return sorted(memories, key=lambda one: -near.get(one.content, -1.0))
