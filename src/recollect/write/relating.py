"""What a new memory has to do with others: its source always, and the few that are closest."""

from typing import Final

from recollect.language.differences import adds, differing
from recollect.language.entities import entities
from recollect.model import Edge, Memory
from recollect.write.known import values
from recollect.write.policy import Policy
from recollect.write.work import Choice, Near

_ENTITIES: Final = "entities"


def source(memory_id: str, choice: Choice) -> Edge:
    """From a memory to the turn that it was formed from."""
    return Edge(memory_id, choice.heard.turn.id, "derived_from")


def neighbours(memory: Memory, choice: Choice, policy: Policy, apart: frozenset[str]) -> list[Edge]:
    """Edges to the closest memories, the most telling type each; not to those whose relation is known."""
    # Nearly everything that somebody says is about them: that alone relates nothing.
    speaker = frozenset(one.id for one in entities(choice.heard.speaker or ""))
    found: list[Edge] = []
    for near in choice.near:
        if len(found) == policy.most_relations:
            break
        if near.memory.id in apart or near.memory.id == memory.id:
            continue
        kind = _kind(memory, near, policy, speaker)
        if kind is not None:
            found.append(between(memory.id, near.memory.id, kind, near.similarity))
    return found


def between(one: str, other: str, kind: str, weight: float = 1.0, reason: str | None = None) -> Edge:
    """An edge in its one form: the ends of an undirected one stand in order."""
    if kind != "elaborates" and other < one:
        one, other = other, one
    return Edge(one, other, kind, min(max(weight, 0.01), 1.0), reason=reason)


def _kind(memory: Memory, near: Near, policy: Policy, speaker: frozenset[str]) -> str | None:
    shared = values(memory.metadata, _ENTITIES) & values(near.memory.metadata, _ENTITIES) - speaker
    new, old = memory.text, near.memory.text
    if near.similarity >= policy.elaborates and adds(new, old) and differing(new, old) is None:
        return "elaborates"
    if shared and near.similarity >= policy.same_entity:
        return "same_entity"
    return "related_to" if near.similarity >= policy.related else None
