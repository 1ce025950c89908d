"""What an outcome teaches, and what its undoing takes back, as changes for the store."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from recollect.guarding import guarded
from recollect.learn.experience import STEPS
from recollect.learn.outcomes import Lesson
from recollect.learn.regions import stored
from recollect.learn.values import OUTCOME, REGION, Episode, Outcome, Step
from recollect.model import Counters, Edge, Filter, Record, State, moment
from recollect.ports import Changes, RecordChange, Store

UNDO = "undo"
ANYTHING: Final = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)


def taught(
    store: Store,
    user: str,
    episode: Episode,
    steps: Sequence[Step],
    learnt: Lesson,
    used: Sequence[str],
    *,
    model: str,
    at: datetime,
    edges: bool,
) -> tuple[Changes, Outcome]:
    """The changes of an outcome, and what it tells about them; `used` are memories that the episode went by."""
    success: bool = learnt.record["success"]
    guard = guarded(store, user)
    related = _relations(steps, success=success) if edges else {}
    touched = sorted(learnt.followed | learnt.decayed.keys() | related.keys())
    ids = {memory.content: memory.id for memory in store.shown(user, touched, STEPS)}
    # A step that was followed counts by that already.
    other = [one for one in used if one not in {ids.get(content) for content in learnt.followed}]
    made = [Edge(ids[content], episode.id, kind) for content, kind in related.items() if content in ids]
    if edges:
        made += [Edge(one, episode.id, caused(success)) for one in other]
    worn = {one: learnt.worn[one] for one in other if one in learnt.worn}
    record = {
        **learnt.record,
        "edges": [[edge.source, edge.type] for edge in made],
        "recalled": other,
        "worn": sorted(worn.items()),
    }
    founded = [
        RecordChange(REGION, name, stored(here.levels[level], model, leader), 0)
        for name, (here, level, leader) in learnt.founded.items()
    ]
    changes = Changes(
        OUTCOME,
        at,
        edges=tuple(made),
        records=(*founded, RecordChange(OUTCOME, episode.id, record, 0), guard),
        counters=_counters(store.counters(user, [*ids.values(), *other]), learnt, ids, other),
        detail={"episode": episode.id, "success": success, "regions": sorted(learnt.founded)},
    )
    outcome = Outcome(
        episode.id,
        success,
        at,
        tuple(steps[place].id for place in learnt.kept),
        {ids[content]: factor for content, factor in learnt.decayed.items() if content in ids} | worn,
        len(record["tried"]),
        len(made),
    )
    return changes, outcome


def _counters(
    before: Mapping[str, Counters], learnt: Lesson, ids: Mapping[int, str], other: Sequence[str]
) -> dict[str, Mapping[str, Any]]:
    """The counters, after the outcome, of the steps that it touched and of the other memories that were used."""
    success: bool = learnt.record["success"]
    steps = {
        ids[content]: _counted(
            before.get(ids[content], Counters()),
            used=content in learnt.followed,
            success=success,
            factor=learnt.decayed.get(content, 1.0),
        )
        for content in ids.keys() & (learnt.followed | learnt.decayed.keys())
    }
    memories = {
        one: _counted(
            before.get(one, Counters()), used=True, success=success, factor=learnt.worn.get(one, 1.0)
        )
        for one in other
    }
    return steps | memories


def told_outcome(store: Store, user: str, record: Record) -> Outcome:
    """What an outcome changed, from its record; a step that was purged since is left out."""
    value = record.value
    kept, decayed = [row[0] for row in value["kept"]], dict(map(tuple, value["decayed"]))
    ids = {one.content: one.id for one in store.shown(user, sorted({*kept, *decayed}), STEPS)}
    worn = dict(map(tuple, value.get("worn", ())))
    if worn:
        there = {one.id for one in store.find(user, replace(ANYTHING, ids=tuple(worn)))}
        worn = {one: factor for one, factor in worn.items() if one in there}
    return Outcome(
        record.key,
        value["success"],
        moment(value["at"]) if "at" in value else record.updated_at,
        tuple(ids[content] for content in kept if content in ids),
        {ids[content]: factor for content, factor in decayed.items() if content in ids} | worn,
        len(value["tried"]),
        len(value["edges"]),
    )


def untaught(store: Store, user: str, undone: Record, others: Sequence[Record], *, at: datetime) -> Changes:
    """The changes that take one outcome back, as if it had not been; what others taught stays.

    `others` are the outcomes that stay, in their order.
    """
    value, guard = undone.value, guarded(store, user)
    factors = dict(map(tuple, value["decayed"]))
    used = set(value["used"])
    ids = {memory.content: memory.id for memory in store.shown(user, sorted(used | factors.keys()), STEPS)}
    recalled = [one for one in value.get("recalled", ()) if store.get(user, one) is not None]
    before = store.counters(user, [*ids.values(), *recalled])
    worn = {one for one, _ in value.get("worn", ())}
    left, left_of = _rewards(others, "decayed", set(factors)), _rewards(others, "worn", worn)
    counters: dict[str, dict[str, float]] = {}
    for content, memory_id in ids.items():
        known = before.get(memory_id, Counters())
        counters[memory_id] = _uncounted(known, used=content in used, success=value["success"]) | {
            "reward": left.get(content, 1.0) if content in factors else known.reward,
        }
    for memory_id in recalled:
        known = before.get(memory_id, Counters())
        counters[memory_id] = counters.get(memory_id, {}) | _uncounted(
            known, used=True, success=value["success"]
        )
        if memory_id in worn:
            counters[memory_id] |= {"reward": left_of.get(memory_id, 1.0)}
    still = {region for other in others for regions, *_ in other.value["tried"] for region in regions}
    gone = [RecordChange(REGION, name, None) for name in value["regions"] if name not in still]
    known_ends = {(edge.source, edge.type) for edge in store.edges(user, [undone.key])}
    edges = [
        Edge(source, undone.key, kind) for source, kind in value["edges"] if (source, kind) in known_ends
    ]
    return Changes(
        UNDO,
        at,
        unlinked=tuple(edges),
        records=(*gone, RecordChange(OUTCOME, undone.key, None, undone.revision), guard),
        counters=counters,
        detail={"episode": undone.key, "success": value["success"]},
    )


def _rewards(outcomes: Sequence[Record], name: str, wanted: set[Any]) -> dict[Any, float]:
    """What is left of the rewards after the outcomes, multiplied in their order, so that it is the same to the bit."""
    rewards: dict[Any, float] = defaultdict(lambda: 1.0)
    for outcome in outcomes:
        for key, factor in outcome.value.get(name, ()):
            if key in wanted:
                rewards[key] *= factor
    return rewards


def _counted(before: Counters, *, used: bool, success: bool, factor: float) -> Mapping[str, Any]:
    return {
        "wins": before.wins + (1.0 if used and success else 0.0),
        "losses": before.losses + (1.0 if used and not success else 0.0),
        "reward": before.reward * factor,
    }


def _uncounted(known: Counters, *, used: bool, success: bool) -> dict[str, float]:
    return {
        "wins": known.wins - (1.0 if used and success else 0.0),
        "losses": known.losses - (1.0 if used and not success else 0.0),
    }


def caused(success: bool) -> str:
    """The relation of what was gone by to how it ended."""
    return "caused_success" if success else "caused_failure"


def _relations(steps: Sequence[Step], *, success: bool) -> dict[int, str]:
    """How advice relates to the episode, by its content: followed into success or failure, or not followed.

    The strongest advice of each step tells enough; what was followed once counts as followed.
    """
    related: dict[int, str] = {}
    if not success:
        related |= {step.ignored[0]: "irrelevant" for step in steps if step.ignored}
    return related | {step.followed[0]: caused(success) for step in steps if step.followed}
