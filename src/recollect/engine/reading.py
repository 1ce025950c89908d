"""The verbs that bring it back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Unpack

from recollect import config, given
from recollect.dream.committing import ASLEEP
from recollect.dream.intentions import INTENTION, Due, due
from recollect.engine.auditing import Auditing
from recollect.engine.telling import told
from recollect.errors import NotFound
from recollect.language.moments import moment_from
from recollect.model import Counters, Filter, Memory, State
from recollect.recall import present
from recollect.recall.hits import OWN, Hit, Recall, Trace
from recollect.recall.options import AskOptions, RecallOptions
from recollect.recall.pipeline import answered, understood
from recollect.recall.query import Query, query_from
from recollect.recall.search import Search
from recollect.recall.work import Geometry, Sources
from recollect.settings import Settings

SEEN = frozenset({"session", "as_of", "every_channel", "channels"})
"""The options that say what who asks may see at all."""
Memories = list[Memory]
Dues = list[Due]


class Reading(Auditing):
    """Recall, and looking things up."""

    @told
    def recall(
        self,
        question: str,
        k: int | None = None,
        *,
        channel: str | None = None,
        learn: bool = True,
        shared: bool | None = None,
        **options: Unpack[RecallOptions],
    ) -> Recall:
        """What helps with the question, best first, with each signal's contribution and a trace.

        With `shared`, or where `shared.enabled` says so and nothing is filtered, also what others published; each
        hit says where it comes from (`whence`).

        Options are the fields of `Query`: session, lanes, kinds, tags, since, until, as_of, valid_at,
        include_superseded, include_dormant, profile, …
        """
        query, found = self._found(question, k, channel, learn=learn, shared=shared, options=options)
        self._note_recall(query, found)
        return found

    def _found(
        self,
        question: str,
        k: int | None,
        channel: str | None,
        *,
        learn: bool,
        shared: bool | None,
        options: Mapping[str, Any],
    ) -> tuple[Query, Recall]:
        """The same for the engine itself, which the audit does not tell of."""
        now, found = self._clock.now(), None
        while found is None:
            settings, changed = self.settings, dict(self._changed)
            query = self._query(question, k, channel, options)
            found = self._recalled(query, now, settings, shared=shared)
        found = replace(found, trace=replace(found.trace, settings=changed))
        if learn and query.as_of is None and settings.memory.recalls:
            own = [hit for hit in found if hit.whence == OWN]
            self._accesses.add((hit.id for hit in own), now)
            self._wake(own)
            self._answered(query, found)
            if query.session is not None:
                self._in_mind.take(query.session, ((hit.id, hit.memory.importance) for hit in own), now)
        return query, found

    def _recalled(
        self, query: Query, now: datetime, settings: Settings, *, shared: bool | None
    ) -> Recall | None:
        """What the question brings by these settings; None where they, or the store's model, are not what they were.

        So the store is looked at once: the view that answers is the one that confirms what was known.
        """
        if not settings.memory.recalls:
            nothing = Recall(query.text, (), Trace(now, query.profile, {}, ()))
            return nothing if self.refreshed() is settings else None
        index = self._last_index()
        sources = self._sources(query, index)
        others = self._ask_others(query, shared=shared)
        work, steps = understood(query, sources, now)
        with self.store.reading():
            found = answered(work, steps, sources) if self._is_as_known(settings, index) else None
        if found is None:
            self.refreshed()
            self._index()
        return found if found is None or others is None else others(found)

    @told
    def context(
        self,
        question: str,
        *,
        budget_tokens: int | None = None,
        format: str = "markdown",
        **options: Unpack[AskOptions],
    ) -> str:
        """The best memories as text for a prompt, dated, warnings first, within a budget of tokens.

        As `markdown`, as `xml` that keeps them apart from instructions, or as `json`. What is likely about
        something else is left out, and what may be is told in short (`recall.brief_from`, `recall.full_from`).
        """
        chosen = self.refreshed().recall
        budget = chosen.budget_tokens if budget_tokens is None else budget_tokens
        given.count("the budget is a whole number of tokens above 0", budget)
        found = present.gated(self.recall(question, **options), chosen.full_from, chosen.brief_from)
        channel = options.get("channel")
        always = self.hot(channel=channel, session=options.get("session"))
        intended = [one.memory for one in self.due(question, channel=channel)]
        own = [hit for hit in found if hit.whence == OWN]
        told_of = self._told_of(
            [*always, *intended, *(hit.memory for hit in own)],
            options,
            {hit.outdated_by for hit in own if hit.outdated_by is not None},
        )
        read = [*always, *intended, *told_of]
        if read:
            self._note("context", read, channel=channel, session=options.get("session"))
        texts = {memory.id: memory.text for memory in told_of}
        return present.context(found, budget, format, always=always, due=intended, texts=texts)

    def _told_of(self, memories: Memories, options: AskOptions, newer: Iterable[str]) -> Memories:
        """What these replaced, or what replaced them or what they state, as far as who asks may see it."""
        ids = {
            other for one in memories for other in (one.supersedes, one.superseded_by) if other is not None
        }.union(newer)
        if not ids:
            return []
        seen = {name: value for name, value in options.items() if name in SEEN}
        asked = {**seen, "ids": sorted(ids), "include_superseded": True}
        query = query_from("-", 1, options.get("channel") or self.channel, asked)
        return self.store.find(self.user, query.filter(self._clock.now()))

    def due(self, context: str | None = None, *, channel: str | None = None) -> Dues:
        """The intentions whose time has come, and those that the context is like."""
        if not self.settings.memory.enabled:
            return []
        now = self._clock.now()
        where = replace(Query("-", channel=channel or self.channel).filter(now), kinds=(INTENTION,))
        return due(self.store, self.user, where, now, context, self._embedder.embed)

    def hot(self, *, channel: str | None = None, session: str | None = None) -> Memories:
        """The few memories that have proved so useful of late that every `context` has them."""
        if not self.settings.memory.enabled or not self.settings.dream.hot_tier:
            return []
        return self._hot_tier.memories(channel or self.channel, session, self._clock.now())

    def in_mind(self, session: str) -> Memories:
        """What a session has in mind: at most nine of the memories that it recalled, what is worth most first."""
        items = self._in_mind.items(session, self._clock.now())
        found = (self.find(one.id) for one in items)
        return [memory for memory in found if memory is not None and memory.state is State.ACTIVE]

    def end_session(self, session: str) -> list[str]:
        """Clears what a session has in mind; what came up twice in it, or is important, counts as used once more."""
        kept = [one.id for one in self._in_mind.clear(session)]
        self.used(kept)
        return kept

    def get(self, memory_id: str, *, as_of: datetime | str | None = None) -> Memory:
        """One memory by its id or the unique beginning of it, now or as it was believed then."""
        known = self._id(memory_id)
        memory = self.store.get(self.user, known, None if as_of is None else moment_from(as_of))
        if memory is None:
            raise NotFound(f"{known} was purged" if as_of is None else f"{known} was not known then")
        self._note("get", [memory])
        return memory

    def list(
        self,
        where: Filter | None = None,
        *,
        limit: int | None = 50,
        after: str | None = None,
        newest_first: bool = True,
    ) -> Memories:
        """Memories page by page; `after` is the last id of the page before."""
        found = self.store.find(
            self.user, where or Filter(any_session=True), limit=limit, after=after, newest_first=newest_first
        )
        self._note("list", found)
        return found

    def counters(self, memory_id: str) -> Counters:
        """What use has taught about one memory."""
        known = self._id(memory_id)
        self._accesses.flush()
        return self.store.counters(self.user, [known]).get(known, Counters())

    def used(self, memory_ids: Iterable[str]) -> None:
        """Counts that memories were used, as a recall that learns does by itself; by their whole ids."""
        self._accesses.add(memory_ids, self._clock.now())

    def similarity(self, text: str, other: str) -> float:
        """How alike two texts are in meaning: the cosine of their vectors."""
        one, two = self._embedder.embed([text, other])
        return float(one @ two)

    def history(self, memory_id: str) -> Memories:
        """Every version of one memory, and of those that it replaced, oldest first."""
        chain: list[Memory] = []
        wanted: str | None = self._id(memory_id)
        while wanted is not None and wanted not in {m.id for m in chain}:
            versions = self.store.versions(self.user, wanted)
            chain = [*versions, *chain]
            # A dream or a review may have found out later what it replaced.
            wanted = next((one.supersedes for one in reversed(versions) if one.supersedes), None)
        self._note("history", {one.id: one for one in chain}.values())
        return chain

    def timeline(
        self,
        question: str | None = None,
        *,
        limit: int = 50,
        channel: str | None = None,
        **options: Unpack[RecallOptions],
    ) -> Memories:
        """What was believed when: past and present memories by the time they became true, of a topic or of all."""
        if question is not None:
            every: RecallOptions = {"include_superseded": True, **options}
            recalled = self.recall(question, limit, channel=channel, learn=False, **every)
            found = [hit.memory for hit in recalled]
        elif not self.refreshed().memory.recalls:
            found = []
        else:
            query = self._query("-", None, channel, {**options, "include_superseded": True})
            found = self.store.find(
                self.user, query.filter(self._clock.now()), limit=limit, newest_first=True
            )
            self._note("timeline", found, channel=query.channel)
        return sorted(found, key=lambda m: (m.valid_from, m.id))

    def _query(self, question: str, k: int | None, channel: str | None, options: Mapping[str, Any]) -> Query:
        settings = self.settings
        chosen = {"profile": settings.recall.profile, **options}
        chosen["ablate"] = _switched(config.switched(settings), chosen.get("ablate"))
        if settings.recall.window_days and chosen.get("since") is None:
            chosen["since"] = self._clock.now() - timedelta(days=settings.recall.window_days)
        return query_from(question, settings.recall.k if k is None else k, channel or self.channel, chosen)

    def _sources(self, query: Query, index: Search) -> Sources:
        """What the stages of a recall read from."""
        most = self.settings.recall.candidates
        usual = self._usual_success(query)
        return Sources(
            self.store, self.user, self._asking(), index, most, self._levels(), usual_success=usual
        )

    def _ask_others(self, query: Query, *, shared: bool | None) -> Callable[[Recall], Recall] | None:  # noqa: ARG002
        """Asks what others have, beside one's own memory, and gives what puts the two together; see `Merging`."""
        return None

    def _usual_success(self, query: Query) -> float:  # noqa: ARG002 - see `Learning`
        """The share of the episodes that went well, where the profile compares with it."""
        return 0.5

    def _levels(self) -> Geometry:
        """What was learnt of levels; see `Levelling`."""
        return Geometry()

    def _answered(self, query: Query, found: Recall) -> None:
        """What is to be known later of an answer that counts as a use; see `Levelling`."""

    def _wake(self, found: Sequence[Hit]) -> None:
        """Brings the best hit back if a dream put it to sleep; what somebody forgot on purpose sleeps on."""
        if (
            found
            and found[0].memory.state is State.DORMANT
            and self.store.record(self.user, ASLEEP, found[0].id)
        ):
            self._writer.restore(self._place(None), found[0].id)


def _switched(kept: frozenset[str], given: Iterable[str] | str | None) -> tuple[str, ...]:
    """The layers that are switched: what the settings switch and the caller too is as it is by default."""
    asked = {given} if isinstance(given, str) else set(given or ())
    return tuple(sorted(kept ^ asked))
