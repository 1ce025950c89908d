"""Looking into episodes: what belongs to one, what lies near it, and how similar situations went on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.learn.experience import STEPS
from recollect.learn.values import EPISODE, Precedent, Step
from recollect.model import Memory
from recollect.ports import Store

ACTION, CONTEXT = "action", "context"
"""The roles of a step, and of a member whose role nobody told."""
MEMBERSHIP = "part_of"
"""The edge from a member to its episode; its reason is the role."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A precedent with what was done before and after it."""

    precedent: Precedent
    before: tuple[Step, ...]
    after: tuple[Step, ...]


def continuations(
    precedents: Sequence[Precedent],
    trajectory: Callable[[str], list[Step]],
    before: int,
    after: int,
) -> list[Continuation]:
    """Each precedent with so many steps around it."""
    known: dict[str, list[Step]] = {}
    found = []
    for one in precedents:
        if one.episode not in known:
            known[one.episode] = trajectory(one.episode)
        steps = known[one.episode]
        at = next((place for place, step in enumerate(steps) if step.id == one.id), None)
        if at is None:
            # It was purged just now.
            continue
        found.append(
            Continuation(one, tuple(steps[max(0, at - before) : at]), tuple(steps[at + 1 : at + 1 + after]))
        )
    return found


def members(store: Store, user: str, episode: str) -> dict[str, str]:
    """What belongs to an episode, with the part that it has in it: its steps, and what was linked to it."""
    steps = {memory.id: ACTION for memory in store.find(user, replace(STEPS, run=episode))}
    linked = {
        edge.source: edge.reason or CONTEXT
        for edge in store.edges(user, [episode], [MEMBERSHIP])
        if edge.target == episode
    }
    return steps | linked


def episodes_of(store: Store, user: str, memory: Memory) -> list[str]:
    """The episodes that a memory belongs to; an episode belongs to itself."""
    if memory.kind == EPISODE:
        return [memory.id]
    named = [edge.target for edge in store.edges(user, [memory.id], [MEMBERSHIP]) if edge.source == memory.id]
    candidates = dict.fromkeys([*([memory.origin.run] if memory.origin.run else []), *named])
    known = {candidate: store.get(user, candidate) for candidate in candidates}
    return [episode for episode, found in known.items() if found is not None and found.kind == EPISODE]


def neighbours(store: Store, user: str, start: Memory, hops: int) -> list[str]:
    """What can be reached from a memory over shared episodes, in the order of the hops, without itself."""
    reached: dict[str, None] = {start.id: None}
    visited: set[str] = set()
    edge_of_reach = [start]
    for _ in range(hops):
        fresh: dict[str, None] = {}
        for memory in edge_of_reach:
            for episode in episodes_of(store, user, memory):
                if episode not in visited:
                    visited.add(episode)
                    fresh |= dict.fromkeys([episode, *members(store, user, episode)])
        new = [one for one in fresh if one not in reached]
        reached |= dict.fromkeys(new)
        edge_of_reach = [found for found in (store.get(user, one) for one in new) if found is not None]
    return [one for one in reached if one != start.id]
