"""One batch of a dream as one transaction: the changes, what was before, and how far the dream has come."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Protocol

from recollect.dream.journal import Ends, Entry, ends, weighed
from recollect.dream.night import COLUMNS, Night
from recollect.dream.proposal import Made, Proposal
from recollect.dream.runs import RUN, Run
from recollect.errors import Conflict, NotFound
from recollect.guarding import guarded
from recollect.model import Counters, Edge, Memory, State
from recollect.ports import Change, Changes, Clock, RecordChange

ASLEEP: Final = "asleep"
"""The kind of record that says why a dream put a memory to sleep."""
SUPERSEDES: Final = "supersedes"
ATTEMPTS: Final = 8


class Waking(Protocol):
    """By which clock a dream is written, and with the vectors of which model."""

    @property
    def clock(self) -> Clock: ...
    @property
    def model(self) -> str: ...


def commit(
    night: Night, run: Run, proposal: Proposal, waking: Waking, seconds: float
) -> tuple[Run, Proposal]:
    """Writes what is left of a proposal after others had their say; gives the dream after it, and what was done."""
    for _ in range(ATTEMPTS):
        guard = guarded(night.store, night.user)
        memories, settled = _settled(night, proposal)
        after = run.after(settled, seconds)
        try:
            night.store.write(night.user, _changes(night, after, settled, memories, guard, waking))
        except (Conflict, NotFound) as error:
            known = night.store.record(night.user, RUN, run.id)
            if known is None or known.revision != run.revision:
                raise Conflict(f"dream {run.id} goes on in another process") from error
            continue  # somebody used, changed or purged one of them in between
        known = night.store.record(night.user, RUN, run.id)
        return replace(after, revision=0 if known is None else known.revision), settled
    raise Conflict("the memories keep being changed by others; dream again later")


def _settled(night: Night, proposal: Proposal) -> tuple[Mapping[str, Memory], Proposal]:
    """The proposal without the memories that were used, changed or protected since the night began."""
    ids = [*proposal.counters, *proposal.asleep, *proposal.revised]
    known = night.store.counters(night.user, ids)
    untouched = {one for one in ids if _unused(night, one, known.get(one, Counters()))}
    replaced = [made.replaces for made in proposal.made if made.replaces is not None]
    changed = (*proposal.asleep, *proposal.revised)
    wanted = [*(one for one in changed if one in untouched), *replaced]
    found = {one: night.store.get(night.user, one) for one in wanted}
    memories = {
        one: memory
        for one, memory in found.items()
        if memory is not None and memory.state is State.ACTIVE and not memory.pinned and not memory.immutable
    }
    revised = {
        one: revision
        for one, revision in proposal.revised.items()
        if one in memories and memories[one].version == revision.version
    }
    needed = {made: {made.replaces, made.instead_of} - {None} for made in proposal.made}
    kept = tuple(made for made, others in needed.items() if others <= memories.keys())
    lost = {made.memory.id for made in proposal.made} - {made.memory.id for made in kept}
    return memories, replace(
        proposal,
        counters={one: values for one, values in proposal.counters.items() if one in untouched},
        rules={one: rule for one, rule in proposal.rules.items() if one in untouched},
        asleep={one: sleep for one, sleep in proposal.asleep.items() if one in memories},
        revised=revised,
        edges=tuple(
            edge
            for edge in proposal.edges
            if edge.source not in lost and (edge.type != SUPERSEDES or edge.target in revised)
        ),
        made=kept,
    )


def _unused(night: Night, memory_id: str, known: Counters) -> bool:
    place = night.place(memory_id)
    if place is None or known.access_count != night.survey.access_count[place]:
        return False
    return all(
        getattr(known, name) == getattr(night.survey, column)[place] for name, column in COLUMNS.items()
    )


def _changes(
    night: Night,
    run: Run,
    proposal: Proposal,
    memories: Mapping[str, Memory],
    guard: RecordChange,
    waking: Waking,
) -> Changes:
    at = waking.clock.now()
    next_versions = {
        one: replace(memory, version=memory.version + 1, recorded_at=at, retired_at=None)
        for one, memory in memories.items()
    }
    sleeping = [Change(replace(next_versions[one], state=State.DORMANT)) for one in proposal.asleep]
    revised = [
        Change(replace(next_versions[one], **revision.values)) for one, revision in proposal.revised.items()
    ]
    written = [change for made in proposal.made for change in _written(night, made, next_versions, at)]
    reasons = tuple(
        RecordChange(
            ASLEEP, one, {"run": run.id, "step": run.step, "rule": sleep.rule, "instead": sleep.instead}
        )
        for one, sleep in proposal.asleep.items()
    )
    records = (*proposal.records, *reasons)
    replaced = (made.replaces for made in proposal.made if made.replaces is not None)
    changed = (*proposal.asleep, *proposal.revised, *replaced)
    entry = Entry(
        run.step,
        counters={one: _both(night, one, values) for one, values in proposal.counters.items()},
        versions={
            **{one: [memories[one].version, memories[one].version + 1] for one in changed},
            **{made.memory.id: [0, 1] for made in proposal.made},
        },
        why={
            **proposal.rules,
            **{one: sleep.rule for one, sleep in proposal.asleep.items()},
            **{one: revision.rule for one, revision in proposal.revised.items()},
            **{made.memory.id: made.rule for made in proposal.made},
        },
        weights=weighed(_weights(night, proposal), proposal.edges, proposal.reweighed, proposal.unlinked),
        records=[_two_values(night, record) for record in records],
    )
    return Changes(
        "dream",
        at,
        (*sleeping, *revised, *written),
        proposal.edges,
        proposal.reweighed,
        proposal.unlinked,
        (guard, run.change, entry.change(run.id, run.batches), *records),
        proposal.counters,
        detail={"run": run.id, "step": run.step, "batch": run.batches},
        model=waking.model if proposal.made else None,
    )


def _written(night: Night, made: Made, next_versions: Mapping[str, Memory], at: datetime) -> list[Change]:
    """A memory that is made, and the end of the one that it takes the place of."""
    since = made.memory.valid_from if made.replaces is None else at
    memory = replace(made.memory, recorded_at=at, valid_from=since, supersedes=made.replaces)
    changes = [Change(memory, night.encode(memory))]
    if made.replaces is not None:
        ended = replace(next_versions[made.replaces], valid_until=at, superseded_by=memory.id)
        changes.append(Change(ended))
    return changes


def _both(night: Night, memory_id: str, values: Mapping[str, Any]) -> dict[str, list[Any]]:
    place = night.place(memory_id)
    seen = {name: getattr(night.survey, COLUMNS[name])[place] for name in values}
    return {
        name: [getattr(seen[name], "item", lambda n=name: seen[n])(), after] for name, after in values.items()
    }


def _weights(night: Night, proposal: Proposal) -> dict[Ends, Edge]:
    edges = (*proposal.edges, *proposal.reweighed, *proposal.unlinked)
    sources = sorted({edge.source for edge in edges})
    types = sorted({edge.type for edge in edges})
    return {ends(edge): edge for edge in night.store.edges(night.user, sources, types)} if edges else {}


def _two_values(night: Night, record: RecordChange) -> list[Any]:
    known = night.store.record(night.user, record.kind, record.key)
    return [record.kind, record.key, None if known is None else known.value, record.value]
