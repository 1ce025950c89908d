"""Finding what mem0's callers ask for: over the users, agents and runs that are meant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.integrations import mem0_shapes as shapes
from recollect.integrations.mem0_filters import Condition, Scope
from recollect.integrations.tenants import Tenants
from recollect.language.terms import terms
from recollect.model import Filter, Lane, Memory, State
from recollect.recall.hits import Hit

MOST_HITS: Final = 1_000
OVERFETCH: Final = 4
LEAST_FETCHED: Final = 60
PAGE: Final = 200
Found = list[tuple[Hit, dict[str, Any]]]
"""Hits, and how mem0 shows them."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, of whom, how many, and how alike they must be."""

    text: str
    where: Scope
    holds: Condition
    most: int
    threshold: float
    options: Mapping[str, Any]


class Finder:
    """Looks things up in the memories of every user of a store."""

    def __init__(self, tenants: Tenants, *, verbatim: bool) -> None:
        self._tenants = tenants
        self._lanes = None if verbatim else (Lane.MEMORY,)

    def known(self, memory_id: str) -> tuple[Recollect, Memory] | None:
        """A memory that was not deleted, and the engine of its user."""
        owner = self._tenants.owner(memory_id)
        memory = None if owner is None else self._tenants.store.get(owner, memory_id)
        if owner is None or memory is None or memory.state is not State.ACTIVE:
            return None
        return self._tenants.of(owner), memory

    def needed(self, memory_id: str) -> tuple[Recollect, Memory]:
        """The same, where it must be there."""
        found = self.known(memory_id)
        if found is None:
            raise InvalidInput(f"Memory with id {memory_id} not found")
        return found

    def item(self, memory: Memory, owner: str) -> dict[str, Any]:
        """A memory as mem0 shows it."""
        first = self._tenants.store.versions(owner, memory.id)[0] if memory.version > 1 else memory
        return shapes.item(memory, owner, first.recorded_at)

    def engines(self, where: Scope) -> Iterator[Recollect]:
        """Of whom memories may be meant: one user, or everybody who has something of that agent or run."""
        users = self._tenants.store.users()
        if where.user_id is not None:
            users = [where.user_id] if where.user_id in users else []
        else:
            users = [user for user in users if self._tenants.store.find(user, everything(where), limit=1)]
        return (self._tenants.of(user) for user in users)

    def listed(
        self, engine: Recollect, where: Scope, holds: Condition, *, show_expired: bool
    ) -> Iterator[dict[str, Any]]:
        """Memories of one user, newest first; the turns that they were formed from are not among them."""
        wanted = everything(where, (Lane.MEMORY,))
        if not show_expired:
            wanted = replace(wanted, unexpired_at=engine.now())
        after: str | None = None
        while page := engine.list(wanted, limit=PAGE, after=after):
            for memory in page:
                shown = self.item(memory, engine.user)
                if memory.superseded_by is None and holds(shapes.fields(shown)):
                    yield {name: value for name, value in shown.items() if name != "score"}
            after = page[-1].id

    def searched(self, engine: Recollect, asked: Question) -> Found:
        """Of one user, the best; where too few of them satisfy the condition, the best of all that do."""
        options = {
            "every_channel": True,
            # Whatever is asked, as mem0 does; what has expired is not brought back by a question about the past.
            # What was formed stands for its turn, not behind it: see `_fitting`.
            "ablate": ("gate", "history", "fold"),
            "lanes": self._lanes,
            "actor": asked.where.agent_id,
            "run": asked.where.run_id,
            **asked.options,
        }
        wide = min(MOST_HITS, max(OVERFETCH * asked.most, LEAST_FETCHED))
        hits = engine.recall(asked.text, wide, **options)
        found = self._fitting(hits, engine, asked)
        if len(found) < asked.most and len(hits) == wide:
            every = engine.list(everything(asked.where, self._lanes), limit=None)
            ids = [one.id for one in every if asked.holds(shapes.fields(self.item(one, engine.user)))]
            found = self._fitting(engine.recall(asked.text, wide, ids=ids, **options), engine, asked)
        return found

    def _fitting(self, hits: Sequence[Hit], engine: Recollect, asked: Question) -> Found:
        # A turn says nothing beside the memory that was formed from it, and nothing true after that one changed.
        told = {source for hit in hits for source in hit.memory.origin.sources}
        then = asked.options.get("valid_at") is not None
        if not then:
            told |= {hit.id for hit in hits if hit.outdated_by is not None}
            told |= _rewritten(engine, [hit.id for hit in hits if hit.memory.lane is Lane.LOG])
        found: Found = []
        for hit in hits:
            holds = then or hit.memory.superseded_by is None
            if holds and hit.similarity >= asked.threshold and hit.id not in told:
                shown = self.item(hit.memory, engine.user)
                if asked.holds(shapes.fields(shown)):
                    found.append((hit, shown))
        return found[: asked.most]


def _rewritten(engine: Recollect, turns: Sequence[str]) -> set[str]:
    """The turns of which what was formed says something else by now, and not only more."""
    store, user = engine.store, engine.user
    edges = store.edges(user, turns, ["derived_from"], ends=("target",)) if turns else ()
    formed = store.find(user, Filter(ids=tuple({edge.source for edge in edges}), any_session=True))
    changed = {
        one.id
        for one in formed
        if one.version > 1
        and not all(set(terms(was.text)) <= set(terms(one.text)) for was in store.versions(user, one.id))
    }
    return {edge.target for edge in edges if edge.source in changed}


def everything(where: Scope, lanes: tuple[Lane, ...] | None = None) -> Filter:
    """All of an agent or a run, in every channel."""
    return Filter(lanes=lanes, any_session=True, actor=where.agent_id, run=where.run_id)
