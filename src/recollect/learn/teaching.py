"""What an outcome teaches, and what its undoing takes back, as changes for the store."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.learn.experience import STEPS
from recollect.learn.outcomes import Lesson
from recollect.learn.regions import stored
from recollect.learn.values import OUTCOME, REGION, Episode, Outcome, Step
from recollect.model import Counters, Edge, Record
from recollect.ports import Changes, RecordChange, Store

UNDO = "undo"


def taught(
    store: Store,
    user: str,
    episode: Episode,
    steps: Sequence[Step],
    learnt: Lesson,
    *,
    model: str,
    at: datetime,
    edges: bool,
) -> tuple[Changes, Outcome]:
    """The changes of an outcome, and what it tells about them."""
    success: bool = learnt.record["success"]
    related = _relations(steps, success=success) if edges else {}
    touched = sorted(learnt.followed | learnt.decayed.keys() | related.keys())
    ids = {memory.content: memory.id for memory in store.shown(user, touched, STEPS)}
    before = store.counters(user, list(ids.values()))
    counters = {
        ids[content]: _counted(
            before.get(ids[content], Counters()),
            used=content in learnt.followed,
            success=success,
            factor=learnt.decayed.get(content, 1.0),
        )
        for content in ids.keys() & (learnt.followed | learnt.decayed.keys())
    }
    made = [Edge(ids[content], episode.id, kind) for content, kind in related.items() if content in ids]
    record = {**learnt.record, "edges": [[edge.source, edge.type] for edge in made]}
    founded = [
        RecordChange(REGION, name, stored(here.levels[level], model, leader), 0)
        for name, (here, level, leader) in learnt.founded.items()
    ]
    changes = Changes(
        OUTCOME,
        at,
        edges=tuple(made),
        records=(*founded, RecordChange(OUTCOME, episode.id, record, 0)),
        counters=counters,
        detail={"episode": episode.id, "success": success, "regions": sorted(learnt.founded)},
    )
    outcome = Outcome(
        episode.id,
        success,
        at,
        tuple(steps[place].id for place in learnt.kept),
        {ids[content]: factor for content, factor in learnt.decayed.items() if content in ids},
        len(record["tried"]),
        len(made),
    )
    return changes, outcome


def untaught(store: Store, user: str, undone: Record, others: Sequence[Record], *, at: datetime) -> Changes:
    """The changes that take one outcome back, as if it had not been; what others taught stays.

    `others` are the outcomes that stay, in their order.
    """
    value = undone.value
    factors = dict(map(tuple, value["decayed"]))
    used = set(value["used"])
    ids = {memory.content: memory.id for memory in store.shown(user, sorted(used | factors.keys()), STEPS)}
    before = store.counters(user, list(ids.values()))
    left = _rewards(others, set(factors))
    counters = {}
    for content, memory_id in ids.items():
        known = before.get(memory_id, Counters())
        taken = 1.0 if content in used else 0.0
        counters[memory_id] = {
            "wins": known.wins - (taken if value["success"] else 0.0),
            "losses": known.losses - (0.0 if value["success"] else taken),
            "reward": left.get(content, 1.0) if content in factors else known.reward,
        }
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
        records=(*gone, RecordChange(OUTCOME, undone.key, None, undone.revision)),
        counters=counters,
        detail={"episode": undone.key, "success": value["success"]},
    )


def _rewards(outcomes: Sequence[Record], contents: set[int]) -> dict[int, float]:
    """What is left of the rewards after the outcomes, multiplied in their order, so that it is the same to the bit."""
    rewards: dict[int, float] = defaultdict(lambda: 1.0)
    for outcome in outcomes:
        for content, factor in outcome.value["decayed"]:
            if content in contents:
                rewards[content] *= factor
    return rewards


def _counted(before: Counters, *, used: bool, success: bool, factor: float) -> Mapping[str, Any]:
    return {
        "wins": before.wins + (1.0 if used and success else 0.0),
        "losses": before.losses + (1.0 if used and not success else 0.0),
        "reward": before.reward * factor,
    }


def _relations(steps: Sequence[Step], *, success: bool) -> dict[int, str]:
    """How advice relates to the episode, by its content: followed into success or failure, or not followed.

    The strongest advice of each step tells enough; what was followed once counts as followed.
    """
    related: dict[int, str] = {}
    if not success:
        related |= {step.ignored[0]: "irrelevant" for step in steps if step.ignored}
    kind = "caused_success" if success else "caused_failure"
    return related | {step.followed[0]: kind for step in steps if step.followed}
