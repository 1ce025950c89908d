"""What a new memory has to do with others: its source always, and the few that are closest."""

from typing import Final

from recollect.language.differences import adds, differing
from recollect.language.entities import entities
from recollect.model import Edge, Memory
from recollect.write.consulting import NONE
from recollect.write.known import Known, values
from recollect.write.policy import Policy
from recollect.write.work import Choice, Near

_ENTITIES: Final = "entities"
_ASKED_FROM: Final = 0.45
"""Below it nobody is asked how two memories are related."""
_LOOSE: Final = frozenset({"causes", "elaborates", "same_entity", "related_to", NONE})


def source(memory_id: str, choice: Choice) -> Edge:
    """From a memory to the turn that it was formed from."""
    return Edge(memory_id, choice.heard.turn.id, "derived_from")


def neighbours(
    memory: Memory, choice: Choice, known: Known, policy: Policy, apart: frozenset[str]
) -> list[Edge]:
    """Edges to the closest memories, the most telling type each; not to those whose relation is known."""
    # Nearly everything that somebody says is about them: that alone relates nothing.
    speaker = frozenset(one.id for one in entities(choice.heard.speaker or ""))
    found: list[Edge] = []
    for near in choice.near:
        if len(found) == policy.most_relations:
            break
        if near.memory.id in apart or near.memory.id == memory.id:
            continue
        kind = _said(memory, near, known) or _kind(memory, near, policy, speaker)
        if kind == "causes":
            found.append(Edge(near.memory.id, memory.id, kind))
        elif kind is not None and kind != NONE:
            found.append(between(memory.id, near.memory.id, kind, near.similarity))
    return found


def _said(memory: Memory, near: Near, known: Known) -> str | None:
    """The relation that a language model sees; one that replaces or denies was looked at by the gate."""
    if near.similarity < _ASKED_FROM:
        return None
    opinion = known.opinions.relation(memory.text, near.memory.text, near.memory.valid_from)
    return opinion.type if opinion is not None and opinion.type in _LOOSE else None


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
