"""The nine tools of the official memory server, with its names and shapes, over the same memories as all else.

An entity is a memory of the kind `entity`, an observation one of the kind `observation`, a relation one of the
kind `relation`: so that everything said in this graph is also recalled, dated, restored and exported.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from recollect.engine import Recollect
from recollect.errors import NotFound, Refused
from recollect.model import Filter, Memory
from recollect.serve.keys import Right
from recollect.serve.mcp.tool import Tool, listed
from recollect.write.result import Remembered
from recollect.write.text import clean

ENTITY, OBSERVATION, RELATION = "entity", "observation", "relation"
CHANNEL = "knowledge-graph"
NAMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        ENTITY: ("entity", "entityType"),
        OBSERVATION: ("entity",),
        RELATION: ("from", "to", "relationType"),
    }
)
"""By kind, what the metadata of a part of the graph say; whatever else somebody keeps in the channel is no part."""


def _clean(text: str) -> str:
    return clean(text).text


Said = Annotated[str, AfterValidator(_clean)]
"""As it is kept: so is it known again, and what cannot be kept is refused before anything is."""


class Entity(BaseModel):
    """Something with a name, and what is known about it."""

    name: Said = Field(min_length=1, description="The name of the entity")
    entityType: Said = Field(min_length=1, description="The type of the entity")  # noqa: N815 - the shape is theirs
    observations: list[Said] = Field(
        description="An array of observation contents associated with the entity"
    )


class Relation(BaseModel):
    """An edge from one entity to another, in active voice."""

    model_config = ConfigDict(populate_by_name=True)

    source: Said = Field(
        alias="from", min_length=1, description="The name of the entity where the relation starts"
    )
    to: Said = Field(min_length=1, description="The name of the entity where the relation ends")
    relationType: Said = Field(min_length=1, description="The type of the relation")  # noqa: N815

    @property
    def key(self) -> tuple[str, str, str]:
        return self.source, self.to, self.relationType


class Addition(BaseModel):
    entityName: Said = Field(description="The name of the entity to add the observations to")  # noqa: N815
    contents: list[Said] = Field(description="An array of observation contents to add")


class Deletion(BaseModel):
    entityName: Said = Field(description="The name of the entity containing the observations")  # noqa: N815
    observations: list[Said] = Field(description="An array of observations to delete")


Names = Annotated[list[str], Field(description="An array of entity names")]


def create_entities(memory: Recollect, entities: list[Entity]) -> dict[str, Any]:
    """Create multiple new entities in the knowledge graph.

    All of them or none. One that is there already gets the observations that are new, and is told with those alone.
    """
    known = {one.metadata["entity"]: one.metadata["entityType"] for one in _all(memory, ENTITY)}
    types = {one.name: one.entityType for one in reversed(entities)} | known
    said, wanted = _observations(memory), defaultdict[str, list[str]](list)
    for one in entities:
        wanted[one.name] += _new(one.observations, said[one.name])
    drafts: list[dict[str, Any]] = []
    for name, texts in wanted.items():
        if name not in known:
            about = {"entity": name, "entityType": types[name]}
            drafts.append(_draft(f"{name} ({types[name]})", ENTITY, about))
        drafts += [_draft(text, OBSERVATION, {"entity": name}) for text in texts]
    kept, told, refused = iter(_kept(memory, drafts)), [], []
    for name, texts in wanted.items():
        entity = None if name in known else next(kept)
        added = list(islice(kept, len(texts)))
        if entity is not None and entity.id is None:
            refused.append(f"{name!r} was not kept: {entity.reason}")
            # Nobody would find them: they are of nothing.
            memory.forget_many(one.id for one in added if one.id is not None)
        elif entity is not None or _texts(added):
            told.append(_entity(name, types[name], _texts(added)))
    if refused and not told:
        raise Refused("; ".join(refused))
    return {"entities": told}


def create_relations(memory: Recollect, relations: list[Relation]) -> dict[str, Any]:
    """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice."""
    known = {_key(one) for one in _all(memory, RELATION)}
    new = [key for key in dict.fromkeys(one.key for one in relations) if key not in known]
    drafts = [
        _draft(f"{source} {kind} {to}", RELATION, _relation((source, to, kind))) for source, to, kind in new
    ]
    kept = _kept(memory, drafts)
    return {"relations": [_relation(key) for key, one in zip(new, kept, strict=True) if one.id is not None]}


def add_observations(memory: Recollect, observations: list[Addition]) -> dict[str, Any]:
    """Add new observations to existing entities in the knowledge graph."""
    entities = {one.metadata["entity"] for one in _all(memory, ENTITY)}
    missing = [one.entityName for one in observations if one.entityName not in entities]
    if missing:
        raise NotFound(f"Entity with name {missing[0]} not found")
    said = _observations(memory)
    new = [(one.entityName, _new(one.contents, said[one.entityName])) for one in observations]
    drafts = [_draft(text, OBSERVATION, {"entity": name}) for name, texts in new for text in texts]
    kept = iter(_kept(memory, drafts))
    return {
        "results": [
            {"entityName": name, "addedObservations": _texts(islice(kept, len(texts)))} for name, texts in new
        ]
    }


def delete_entities(memory: Recollect, entityNames: Names) -> dict[str, Any]:  # noqa: N803 - the name is theirs
    """Delete multiple entities and their associated relations from the knowledge graph."""
    gone = set(entityNames)
    doomed = [one for one in _all(memory, ENTITY, OBSERVATION) if one.metadata["entity"] in gone]
    doomed += [one for one in _all(memory, RELATION) if gone & {one.metadata["from"], one.metadata["to"]}]
    memory.forget_many(one.id for one in doomed)
    return {"success": True, "message": "Entities deleted successfully"}


def delete_observations(memory: Recollect, deletions: list[Deletion]) -> dict[str, Any]:
    """Delete specific observations from entities in the knowledge graph."""
    said = _observations(memory)
    found = (said[one.entityName].pop(text, None) for one in deletions for text in one.observations)
    memory.forget_many(known for known in found if known is not None)
    return {"success": True, "message": "Observations deleted successfully"}


def delete_relations(memory: Recollect, relations: list[Relation]) -> dict[str, Any]:
    """Delete multiple relations from the knowledge graph."""
    gone = {one.key for one in relations}
    memory.forget_many(one.id for one in _all(memory, RELATION) if _key(one) in gone)
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
    named = {hit.memory.metadata["entity"] for hit in found if _is_part(hit.memory)}
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


def _all(memory: Recollect, *kinds: str) -> list[Memory]:
    """Oldest first."""
    where = Filter(channels=(CHANNEL,), kinds=kinds, any_session=True)
    return [one for one in memory.list(where, limit=None, newest_first=False) if _is_part(one)]


def _is_part(one: Memory) -> bool:
    return all(isinstance(one.metadata.get(name), str) for name in NAMED[one.kind])


def _observations(memory: Recollect) -> dict[str, dict[str, str]]:
    """By entity, each observation's text with its id."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for one in _all(memory, OBSERVATION):
        said[one.metadata["entity"]][one.text] = one.id
    return said


def _new(texts: Iterable[str], said: dict[str, str]) -> list[str]:
    """Those that are not said yet; they are from now on."""
    new = [text for text in dict.fromkeys(texts) if text not in said]
    said |= dict.fromkeys(new, "")
    return new


def _draft(text: str, kind: str, metadata: dict[str, str]) -> dict[str, Any]:
    return {"text": text, "kind": kind, "channel": CHANNEL, "metadata": metadata}


def _kept(memory: Recollect, drafts: Sequence[dict[str, Any]]) -> list[Remembered]:
    """What became of each, in one transaction."""
    kept = memory.remember_many(drafts, once=False)
    if kept and all(one.id is None for one in kept):
        raise Refused(f"{drafts[0]['text']!r} was not kept: {kept[0].reason}")
    return kept


def _texts(kept: Iterable[Remembered]) -> list[str]:
    """What was kept, as it was kept."""
    return [one.text for one in kept if one.id is not None]


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
