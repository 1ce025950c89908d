"""mem0's interface on Recollect: `from recollect.integrations.mem0_api import Memory` is the whole migration.

Each mem0 user is a Recollect user; what an agent or a run was told is a channel of that user's memory.
"""

import logging
from asyncio import to_thread
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import wraps
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from recollect.errors import InvalidInput, Refused
from recollect.integrations import mem0_shapes as shapes
from recollect.integrations.mem0_filters import Scope, scope, split
from recollect.integrations.mem0_finding import MOST_HITS, Finder, Found, Question
from recollect.integrations.mem0_writing import Call, forget, forget_all, until
from recollect.integrations.mem0_writing import messages as messages_from
from recollect.integrations.tenants import Tenants
from recollect.ports import Clock, Embedder, Store
from recollect.write.edition import KEEP

log = logging.getLogger("recollect")
PROCEDURAL: Final = "procedural_memory"
CONFIGURED: Final = ("store", "settings", "verbatim")
_UNSET: Final = object()


class Memory:
    """mem0's `Memory`, offline: no vector store, no LLM and no key to configure.

    `verbatim` says whether `search` also looks into what was said, word for word, beside what was formed from it.

    >>> from recollect.testing import HashEmbedder
    >>> memory = Memory(store=":memory:", embedder=HashEmbedder())
    >>> memory.add("I moved to Lisbon and I love pastry", user_id="ada")["results"][0]["event"]
    'ADD'
    >>> memory.search("moved to which city?", filters={"user_id": "ada"})["results"][0]["memory"]
    'The user moved to Lisbon'
    """

    def __init__(
        self,
        config: Any = None,
        *,
        store: str | Path | Store | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        settings: Mapping[str, Any] | None = None,
        verbatim: bool = True,
    ) -> None:
        if config is not None:
            log.warning("mem0's config is not needed: its vector store, LLM and embedder are not used")
        chosen = {"formation.enabled": True, **(settings or {})}
        self._tenants = Tenants(store, embedder=embedder, clock=clock, settings=chosen)
        self._finder = Finder(self._tenants, verbatim=verbatim)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """From mem0's configuration: `{"recollect": {"store": …, "settings": {…}}}` is read, the rest not needed."""
        return cls(**_configured(config_dict))

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: Any = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        llm: Any = None,
    ) -> dict[str, list[dict[str, Any]]]:
        """Keeps messages, and with `infer` what they state; without it each becomes a memory as it is."""
        where = scope(
            needed="a memory belongs to somebody", user_id=user_id, agent_id=agent_id, run_id=run_id
        )
        if memory_type not in {None, PROCEDURAL}:
            raise InvalidInput(f"Invalid 'memory_type' {memory_type!r}: there is only {PROCEDURAL!r}")
        if prompt is not None or llm is not None:
            log.warning("prompt and llm are not used: memories are formed by rules, not by an LLM")
        said = messages_from(messages, timestamp)
        call = Call(self._tenants.of(where.owner), where, metadata, shapes.expiry(expiration_date))
        if memory_type == PROCEDURAL and agent_id is not None:
            text = "\n".join(f"{one.get('role', 'user')}: {one.get('content')}" for one in said)
            return {"results": [call.kept(text, kind="procedure")]}
        return {"results": call.formed(said) if infer else call.verbatim(said)}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory, or None."""
        found = self._finder.known(memory_id)
        return None if found is None else self._finder.item(found[1], found[0].user)

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        limit: int | None = None,
        **rest: Any,
    ) -> dict[str, list[dict[str, Any]]]:
        """Memories, newest first; the turns that they were formed from are not among them."""
        where, holds = split(filters, **_ids(rest, "get_all"))
        most = _count(top_k if limit is None else limit)
        found: list[dict[str, Any]] = []
        for engine in self._finder.engines(where):
            found += islice(self._finder.listed(engine, where, holds, show_expired=show_expired), most)
        found.sort(key=lambda one: str(one["id"]), reverse=True)
        return {"results": found[:most]}

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = 0.1,
        rerank: bool = False,  # noqa: ARG002 - every search is ranked by all signals at once
        explain: bool = False,
        reference_date: Any = None,
        show_expired: bool = False,
        limit: int | None = None,
        **rest: Any,
    ) -> dict[str, list[dict[str, Any]]]:
        """What answers the query, best first; the threshold is one of similarity, as in mem0."""
        where, holds = split(filters, **_ids(rest, "search"))
        if not isinstance(query, str) or not query.strip():
            raise InvalidInput("Invalid query: say what you are looking for")
        least = 0.1 if threshold is None else threshold
        if not isinstance(least, int | float) or not 0 <= least <= 1:
            raise InvalidInput(f"Invalid threshold: it lies between 0 and 1, and is not {threshold!r}")
        most = min(_count(top_k if limit is None else limit), MOST_HITS)
        options = {"valid_at": reference_date, "include_superseded": show_expired}
        asked = Question(query.strip(), where, holds, most, least, options)
        found: Found = []
        for engine in self._finder.engines(where) if most else ():
            found += self._finder.searched(engine, asked)
        found.sort(key=lambda pair: -pair[0].score)
        best = max(1.0, *(hit.score for hit, _ in found), 1.0)
        for hit, shown in found:
            shown["score"] = max(0.0, hit.score / best)
            if explain:
                shown["score_details"] = shapes.score_details(hit, best, least)
        return {"results": [shown for _, shown in found[:most]]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """A new text, more metadata, another day of expiry; None takes that day away."""
        text = data if text is None else text
        if text is None and metadata is None and expiration_date is _UNSET:
            raise InvalidInput("At least one of text, metadata, or expiration_date must be provided.")
        engine, memory = self._finder.needed(memory_id)
        kept = shapes.updated(memory, metadata)
        end: Any = KEEP
        if expiration_date is not _UNSET:
            day = kept[shapes.EXPIRES] = shapes.expiry(expiration_date)
            end = None if day is None else until(memory, day)
        beside = {**memory.metadata, shapes.PLACE: kept}
        changed = engine.edit(memory_id, text, metadata=beside, valid_until=end)
        if changed.id is None:
            raise Refused(f"{memory_id} was not updated: {changed.reason}")
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Forgets a memory with the turns that it was formed from, so that no search brings it back."""
        forget(*self._finder.needed(memory_id))
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Forgets everything of a user, an agent or a run."""
        self._forget_all(
            scope(needed="to forget everything, `reset()`", user_id=user_id, agent_id=agent_id, run_id=run_id)
        )
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first; also of one that was deleted."""
        owner, store = self._tenants.owner(memory_id), self._tenants.store
        versions = [] if owner is None else store.versions(owner, memory_id)
        if owner is None or not versions:
            return []
        newer = versions[-1].superseded_by
        successor = None if newer is None else store.get(owner, newer)
        return list(shapes.history(versions, None if successor is None else successor.text))

    def reset(self) -> None:
        """Forgets everything of everybody in this store. It can be restored; `recollect purge` erases."""
        self._forget_all(Scope())

    def close(self) -> None:
        """Writes what is pending and closes the store."""
        self._tenants.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _forget_all(self, where: Scope) -> None:
        for engine in self._finder.engines(where):
            forget_all(engine, where)


def _configured(config: Mapping[str, Any]) -> dict[str, Any]:
    own = dict(config.get("recollect", {}))
    unknown = sorted(own.keys() - set(CONFIGURED))
    if unknown:
        raise InvalidInput(f"no {unknown[0]!r} in 'recollect'; there are: {', '.join(CONFIGURED)}")
    unused = sorted(config.keys() - {"recollect"})
    if unused:
        log.warning("not needed and not used of mem0's configuration: %s", ", ".join(unused))
    return own


def _ids(rest: Mapping[str, Any], verb: str) -> dict[str, Any]:
    """The ids that older versions of mem0 took beside the filters; anything else it would ignore in silence."""
    ids = {name: value for name, value in rest.items() if name in {"user_id", "agent_id", "run_id"}}
    unused = sorted(rest.keys() - ids.keys())
    if unused:
        log.warning("%s does not know %s and goes without", verb, ", ".join(unused))
    return ids


def _count(top_k: Any) -> int:
    if not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 0:
        raise InvalidInput(f"Invalid top_k: {top_k!r} is not a number of memories")
    return top_k


def _threaded(verb: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """The same verb, in a thread, for who awaits it."""

    @wraps(verb)
    async def awaited(self: "AsyncMemory", *given: Any, **named: Any) -> Any:
        return await to_thread(verb, self._memory, *given, **named)

    return awaited


class AsyncMemory:
    """mem0's `AsyncMemory`: the same verbs, awaited."""

    def __init__(self, config: Any = None, **options: Any) -> None:
        self._memory = Memory(config, **options)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """As `Memory.from_config`."""
        return cls(**_configured(config_dict))

    add = _threaded(Memory.add)
    get = _threaded(Memory.get)
    get_all = _threaded(Memory.get_all)
    search = _threaded(Memory.search)
    update = _threaded(Memory.update)
    delete = _threaded(Memory.delete)
    delete_all = _threaded(Memory.delete_all)
    history = _threaded(Memory.history)
    reset = _threaded(Memory.reset)

    def close(self) -> None:
        """Writes what is pending and closes the store."""
        self._memory.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
