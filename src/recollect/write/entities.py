"""Who and what memories are about: read from what they name and claim, so that none outlives its memories."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from recollect.formulas.salience import salience
from recollect.language.entities import UNKNOWN, entities, slug
from recollect.model import Memory
from recollect.relations import EDGE_TYPES
from recollect.write.claiming import claimed
from recollect.write.known import values

ENTITIES: Final = "entities"
"""Where the metadata of a formed memory names them, by their ids."""
PERSON: Final = "person"
RELATIONS: Final[Mapping[str, str]] = {
    "residence": "located_in",
    "birthplace": "located_in",
    "location": "located_in",
    "city": "located_in",
    "country": "located_in",
    "employer": "works_for",
    "company": "works_for",
    "spouse": "knows",
    "friend": "knows",
    "sister": "knows",
    "brother": "knows",
    "mother": "knows",
    "father": "knows",
    "boss": "knows",
    "colleague": "knows",
    "author": "created_by",
    "creator": "created_by",
    "founder": "created_by",
    "team": "part_of",
    "owner": "part_of",
}
"""What is claimed of somebody, as the type of edge that it is between two entities; else `related_to`."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Relation:
    """What one memory claims of one entity about another."""

    source: str
    type: str
    """Of the registry of edge types."""
    target: str
    attribute: str
    """In the words of the claim: residence, sister, …"""
    memory: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something, with everything that is held to be true of it."""

    id: str
    kind: str
    name: str
    """As it is written most often."""
    aliases: tuple[str, ...]
    """The other ways in which it is written."""
    salience: float
    memories: tuple[Memory, ...]
    """Those that name it, the newest first; each points at its turns."""
    relations: tuple[Relation, ...] = ()
    near: tuple[tuple[str, int], ...] = ()
    """Other entities, by how many steps they are away: related, or named in one memory."""


class Entities:
    """The entities of some memories: aliases merged, related to each other, weighed by a moment."""

    def __init__(self, memories: Iterable[Memory], now: datetime) -> None:
        self._now = now
        self._memories: dict[str, list[Memory]] = {}
        named = [(memory, values(memory.metadata, ENTITIES)) for memory in memories]
        self._canonical = merged(Counter(one for _, ids in named for one in ids))
        self._beside: dict[str, set[str]] = {}
        for memory, ids in named:
            together = {self._canonical[one] for one in ids}
            for one in together:
                self._memories.setdefault(one, []).append(memory)
                self._beside.setdefault(one, set()).update(together - {one})

    def ranked(self, limit: int | None = None) -> list[Entity]:
        """The most salient first."""
        found = sorted(self._memories, key=lambda one: (-self._salience(one), one))
        return [self._entity(one) for one in found[:limit]]

    def named(self, name: str, depth: int = 1) -> list[Entity]:
        """The entities that go by a name or an id, the most salient first; who is near them up to a depth."""
        known_as = {name, *(one.id for one in entities(name))}
        wanted = {one for one in self._canonical if one in known_as or one.rpartition("/")[2] == slug(name)}
        found = [self._entity(one, depth) for one in sorted({self._canonical[one] for one in wanted})]
        return sorted(found, key=lambda one: -one.salience)

    def _entity(self, entity: str, depth: int = 0) -> Entity:
        memories = sorted(self._memories[entity], key=lambda one: (one.valid_from, one.id), reverse=True)
        names = Counter(
            memory.text[one.start : one.end]
            for memory in memories
            for one in entities(memory.text)
            if self._canonical.get(one.id) == entity
        )
        ordered = [name for name, _ in sorted(names.items(), key=lambda one: (-one[1], -len(one[0]), one[0]))]
        related = [one for memory in memories for one in self._related(memory)]
        return Entity(
            entity,
            _kind(entity),
            ordered[0] if ordered else entity.rpartition("/")[2],
            tuple(ordered[1:]),
            self._salience(entity),
            tuple(memories),
            tuple(one for one in related if entity in (one.source, one.target)),
            tuple(self._near(entity, depth)),
        )

    def _salience(self, entity: str) -> float:
        found = self._memories[entity]
        return salience((one.importance, (self._now - one.valid_from) / _DAY) for one in found)

    def _near(self, entity: str, depth: int) -> list[tuple[str, int]]:
        away = {entity: 0}
        todo = deque([entity])
        while todo:
            here = todo.popleft()
            if away[here] == depth:
                continue
            for other in sorted(self._beside[here]):
                if other not in away:
                    away[other] = away[here] + 1
                    todo.append(other)
        return [(one, steps) for one, steps in away.items() if steps]

    def _related(self, memory: Memory) -> list[Relation]:
        """Claims of which both ends are entities that the memory names."""
        ids = values(memory.metadata, ENTITIES)
        by_slug = {one.rpartition("/")[2]: self._canonical[one] for one in ids}
        found = []
        for claim in claimed(memory):
            source, target = by_slug.get(slug(claim.subject)), by_slug.get(slug(claim.value))
            if claim.polarity and source is not None and target is not None and source != target:
                kind = RELATIONS.get(claim.attribute, claim.attribute)
                kind = kind if kind in EDGE_TYPES else "related_to"
                found.append(Relation(source, kind, target, claim.attribute, memory.id))
        return found


def named_in(memory: Memory) -> tuple[str, ...]:
    """The ids of those that a memory's metadata name."""
    return tuple(values(memory.metadata, ENTITIES))


def merged(counts: Mapping[str, int]) -> dict[str, str]:
    """Of each id, the one that stands for it: the same name of a known kind, and of a person the whole name.

    A part of a name stands for the only person whose name begins or ends with it; where there are two, for nobody.

    >>> ids = ["entity://person/ada", "entity://person/ada-lovelace", "entity://name/porto", "entity://place/porto"]
    >>> merged(dict.fromkeys(ids, 1)) == dict(zip(ids, [ids[1], ids[1], ids[3], ids[3]]))
    True
    """
    by_name: dict[str, list[str]] = {}
    by_part: dict[str, set[str]] = {}
    for one in counts:
        name = one.rpartition("/")[2]
        if _kind(one) != UNKNOWN:
            by_name.setdefault(name, []).append(one)
        if _kind(one) == PERSON and "-" in name:
            for part in (name.partition("-")[0], name.rpartition("-")[2]):
                by_part.setdefault(part, set()).add(one)
    found = {}
    for one in counts:
        name = one.rpartition("/")[2]
        known = by_name.get(name)
        best = _most(known, counts) if _kind(one) == UNKNOWN and known else one
        whole = by_part.get(name, set())
        found[one] = next(iter(whole)) if _kind(best) == PERSON and len(whole) == 1 else best
    return found


def _most(ids: Sequence[str], counts: Mapping[str, int]) -> str:
    return min(ids, key=lambda one: (-counts[one], one))


def _kind(entity: str) -> str:
    return entity.removeprefix("entity://").partition("/")[0]
