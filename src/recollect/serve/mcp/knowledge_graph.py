"""The nine tools of the official memory server, with its names and shapes, over the same memories as all else.

An entity is a memory of the kind `entity`, an observation one of the kind `observation`, a relation one of the
kind `relation`: so that everything said in this graph is also recalled, dated, restored and exported.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from recollect.engine import Recollect
from recollect.errors import NotFound, Refused
from recollect.model import Filter, Memory
from recollect.serve.keys import Right
from recollect.serve.mcp.tool import Tool, listed

ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"
CHANNEL = "knowledge-graph"


class Entity(BaseModel):
    """Something with a name, and what is known about it."""

    name: str = Field(min_length=1, description="The name of the entity")
    entityType: str = Field(min_length=1, description="The type of the entity")  # noqa: N815 - the shape is theirs
    observations: list[str] = Field(description="An array of observation contents associated with the entity")


class Relation(BaseModel):
    """An edge from one entity to another, in active voice."""

    model_config = ConfigDict(populate_by_name=True)

    source: str = Field(
        alias="from", min_length=1, description="The name of the entity where the relation starts"
    )
    to: str = Field(min_length=1, description="The name of the entity where the relation ends")
    relationType: str = Field(min_length=1, description="The type of the relation")  # noqa: N815

    @property
    def key(self) -> tuple[str, str, str]:
        return self.source, self.to, self.relationType


class Addition(BaseModel):
    entityName: str = Field(description="The name of the entity to add the observations to")  # noqa: N815
    contents: list[str] = Field(description="An array of observation contents to add")


class Deletion(BaseModel):
    entityName: str = Field(description="The name of the entity containing the observations")  # noqa: N815
    observations: list[str] = Field(description="An array of observations to delete")


Names = Annotated[list[str], Field(description="An array of entity names")]


def create_entities(memory: Recollect, entities: list[Entity]) -> dict[str, Any]:
    """Create multiple new entities in the knowledge graph."""
    known = {one.metadata["entity"] for one in _all(memory, ENTITY)}
    made = []
    for entity in entities:
        if entity.name in known:
            continue
        known.add(entity.name)
        _keep(
            memory,
            f"{entity.name} ({entity.entityType})",
            ENTITY,
            entity=entity.name,
            entityType=entity.entityType,
        )
        observations = list(dict.fromkeys(entity.observations))
        for text in observations:
            _keep(memory, text, OBSERVATION, entity=entity.name)
        made.append(_entity(entity.name, entity.entityType, observations))
    return {"entities": made}


def create_relations(memory: Recollect, relations: list[Relation]) -> dict[str, Any]:
    """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice."""
    known = {_key(one) for one in _all(memory, RELATION)}
    made = []
    for one in relations:
        if one.key in known:
            continue
        known.add(one.key)
        text = f"{one.source} {one.relationType} {one.to}"
        _keep(memory, text, RELATION, **_relation(one.key))
        made.append(_relation(one.key))
    return {"relations": made}


def add_observations(memory: Recollect, observations: list[Addition]) -> dict[str, Any]:
    """Add new observations to existing entities in the knowledge graph."""
    entities = {one.metadata["entity"] for one in _all(memory, ENTITY)}
    missing = [one.entityName for one in observations if one.entityName not in entities]
    if missing:
        raise NotFound(f"Entity with name {missing[0]} not found")
    said = _observations(memory)
    results = []
    for one in observations:
        new = [text for text in dict.fromkeys(one.contents) if text not in said[one.entityName]]
        for text in new:
            said[one.entityName][text] = _keep(memory, text, OBSERVATION, entity=one.entityName)
        results.append({"entityName": one.entityName, "addedObservations": new})
    return {"results": results}


def delete_entities(memory: Recollect, entityNames: Names) -> dict[str, Any]:  # noqa: N803 - the name is theirs
    """Delete multiple entities and their associated relations from the knowledge graph."""
    gone = set(entityNames)
    for one in _all(memory, ENTITY, OBSERVATION):
        if one.metadata["entity"] in gone:
            memory.forget(one.id)
    for one in _all(memory, RELATION):
        if gone & {one.metadata["from"], one.metadata["to"]}:
            memory.forget(one.id)
    return {"success": True, "message": "Entities deleted successfully"}


def delete_observations(memory: Recollect, deletions: list[Deletion]) -> dict[str, Any]:
    """Delete specific observations from entities in the knowledge graph."""
    said = _observations(memory)
    for one in deletions:
        for text in one.observations:
            if (known := said[one.entityName].pop(text, None)) is not None:
                memory.forget(known)
    return {"success": True, "message": "Observations deleted successfully"}


def delete_relations(memory: Recollect, relations: list[Relation]) -> dict[str, Any]:
    """Delete multiple relations from the knowledge graph."""
    gone = {one.key for one in relations}
    for one in _all(memory, RELATION):
        if _key(one) in gone:
            memory.forget(one.id)
    return {"success": True, "message": "Relations deleted successfully"}


def read_graph(memory: Recollect) -> dict[str, Any]:
    """Read the entire knowledge graph."""
    return _graph(memory, None)


def search_nodes(
    memory: Recollect,
    query: Annotated[
        str,
        Field(description="The search query to match against entity names, types, and observation content"),
    ],
) -> dict[str, Any]:
    """Search for nodes in the knowledge graph based on a query."""
    found = memory.recall(query, 50, channels=[CHANNEL], kinds=(ENTITY, OBSERVATION)) if query.strip() else ()
    named = {hit.memory.metadata["entity"] for hit in found}
    # The official server finds what contains the query, letter by letter; so does this one, beside what is meant.
    part = query.casefold()
    named |= {
        one.metadata["entity"] for one in _all(memory, ENTITY, OBSERVATION) if part in one.text.casefold()
    }
    return _graph(memory, named)


def open_nodes(memory: Recollect, names: Names) -> dict[str, Any]:
    """Open specific nodes in the knowledge graph by their names."""
    return _graph(memory, set(names))


def _graph(memory: Recollect, chosen: set[str] | None) -> dict[str, Any]:
    """The entities of these names, or all, and the relations that touch them."""
    said = _observations(memory)
    entities = [
        _entity(one.metadata["entity"], one.metadata["entityType"], list(said[one.metadata["entity"]]))
        for one in _all(memory, ENTITY)
        if chosen is None or one.metadata["entity"] in chosen
    ]
    relations = [
        _relation(_key(one))
        for one in _all(memory, RELATION)
        if chosen is None or chosen & {one.metadata["from"], one.metadata["to"]}
    ]
    return {"entities": entities, "relations": relations}


def _all(memory: Recollect, *kinds: str) -> Iterator[Memory]:
    """Oldest first."""
    where = Filter(channels=(CHANNEL,), kinds=kinds, any_session=True)
    return iter(memory.list(where, limit=None, newest_first=False))


def _observations(memory: Recollect) -> dict[str, dict[str, str]]:
    """By entity, each observation's text with its id."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for one in _all(memory, OBSERVATION):
        said[one.metadata["entity"]][one.text] = one.id
    return said


def _keep(memory: Recollect, text: str, kind: str, **metadata: str) -> str:
    made = memory.remember(text, kind=kind, channel=CHANNEL, metadata=metadata, once=False)
    if made.id is None:
        raise Refused(f"{text!r} was not kept: {made.reason}")
    return made.id


def _entity(name: str, entity_type: str, observations: Iterable[str]) -> dict[str, Any]:
    return {"name": name, "entityType": entity_type, "observations": list(observations)}


def _relation(key: tuple[str, str, str]) -> dict[str, str]:
    return {"from": key[0], "to": key[1], "relationType": key[2]}


def _key(one: Memory) -> tuple[str, str, str]:
    told = one.metadata
    return told["from"], told["to"], told["relationType"]


TOOLS = listed(
    Tool("create_entities", "Create entities", create_entities, Right.WRITE, idempotent=True),
    Tool("create_relations", "Create relations", create_relations, Right.WRITE, idempotent=True),
    Tool("add_observations", "Add observations", add_observations, Right.WRITE, idempotent=True),
    Tool(
        "delete_entities", "Delete entities", delete_entities, Right.WRITE, destructive=True, idempotent=True
    ),
    Tool(
        "delete_observations",
        "Delete observations",
        delete_observations,
        Right.WRITE,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        "delete_relations",
        "Delete relations",
        delete_relations,
        Right.WRITE,
        destructive=True,
        idempotent=True,
    ),
    Tool("read_graph", "Read the graph", read_graph, Right.READ, idempotent=True),
    Tool("search_nodes", "Search nodes", search_nodes, Right.READ, idempotent=True),
    Tool("open_nodes", "Open nodes", open_nodes, Right.READ, idempotent=True),
)
