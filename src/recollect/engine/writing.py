"""The verbs that change what is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from recollect.engine.core import Core
from recollect.engine.telling import told
from recollect.errors import InvalidInput
from recollect.language.moments import moment_from
from recollect.model import Action, Edge, Memory, Origin, Scope
from recollect.ports import Progress, guard_of
from recollect.write.admission import Admission
from recollect.write.edition import KEEP, Edition, Keep
from recollect.write.metadata import plain_metadata
from recollect.write.result import Remembered
from recollect.write.rules import rules_from
from recollect.write.text import checked
from recollect.write.writer import draft

OFF = Remembered(None, Action.SKIP, "recording is switched off (memory.enabled, memory.recording)", "")


class Writing(Core):
    """Remember, observe, and what is done to memories afterwards."""

    @told
    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        tags: Iterable[str] = (),
        channel: str | None = None,
        scope: Scope | str | None = None,
        session: str | None = None,
        supersedes: str | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        pinned: bool = False,
        immutable: bool = False,
        confidence: float = 1.0,
        importance: float = 0.5,
        sources: Sequence[str] = (),
        origin: Origin | None = None,
        metadata: Mapping[str, Any] | None = None,
        once: bool = True,
    ) -> Remembered:
        """Keeps one memory. The same text again reinforces the one that is there; `supersedes` replaces one.

        With `once=False` the same text may be there twice, as where each belongs to a key of its own.
        """
        with self.store.reading():
            if not self.refreshed().memory.records:
                return OFF
            self._check_model()
        memory = self._draft(
            text,
            kind=kind,
            tags=tags,
            channel=channel,
            scope=scope,
            session=session,
            valid_from=valid_from,
            valid_until=valid_until,
            pinned=pinned,
            immutable=immutable,
            confidence=confidence,
            importance=importance,
            sources=sources,
            origin=origin,
            metadata=metadata,
        )
        if (refusal := self._admission().refusal(memory)) is not None:
            return Remembered(None, Action.SKIP, refusal, "")
        replaced = None if supersedes is None else self._id(supersedes)
        result = self._writer.remember(self._place(channel), memory, supersedes=replaced, once=once)
        if result.action is Action.REINFORCE and result.id is not None:
            self._accesses.add([result.id], self._clock.now())
        self._wrote(1)
        return result

    @told
    def remember_many(
        self,
        memories: Iterable[str | Mapping[str, Any]],
        *,
        once: bool = True,
        progress: Progress | None = None,
    ) -> list[Remembered]:
        """Keeps many at once, all or none: texts, or mappings of what `remember` takes (without `supersedes`).

        With `once=False` the same text may be there twice, as with `remember`. What may not be written is left out and says why, as with `remember`.
        """
        given = [{"text": one} if isinstance(one, str) else dict(one) for one in memories]
        if not self.refreshed().memory.records:
            return [OFF for _ in given]
        try:
            drafts = [self._draft(**one) for one in given]
        except TypeError as error:
            raise InvalidInput(f"a memory is a text or a mapping of what `remember` takes: {error}") from None
        self._check_model()
        admission = self._admission()
        refusals = [admission.refusal(one) for one in drafts]
        allowed = [one for one, no in zip(drafts, refusals, strict=True) if no is None]
        kept = self._writer.remember_many(self._place(None), allowed, progress, once=once)
        self._wrote(len(kept))
        left = iter(kept)
        return [next(left) if no is None else Remembered(None, Action.SKIP, no, "") for no in refusals]

    def _admission(self) -> Admission:
        """What may be written, and in which form."""
        chosen = self.settings.privacy
        guard = guard_of(self._embedder) if chosen.guard else None
        rules = rules_from(chosen.rules)
        return Admission(chosen.personal_data, rules, chosen.ignore_files, chosen.quarantine, guard)

    @told
    def edit(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        metadata: Mapping[str, Any] | None = None,
        valid_until: datetime | str | Keep | None = KEEP,
    ) -> Remembered:
        """Puts a new text, other metadata or another end in place of the old, which stays in the history.

        Metadata is given whole. `valid_until=None` takes the end away.
        """
        if text is None and metadata is None and valid_until is KEEP:
            raise InvalidInput("an edit needs something to change: a text, metadata or valid_until")
        if not self.refreshed().memory.records:
            return OFF
        self._check_model()
        until = moment_from(valid_until) if isinstance(valid_until, str | datetime) else valid_until
        known = self._known(memory_id)
        edited = replace(
            known,
            text=known.text if text is None else checked(text),
            metadata=known.metadata if metadata is None else plain_metadata(metadata),
        )
        admission = self._admission()
        if (refusal := admission.refusal(edited)) is not None:
            return Remembered(None, Action.SKIP, refusal, "")
        if text is not None or metadata is not None:
            edited = admission.admitted(edited)
        beside = None if edited.metadata == known.metadata else dict(edited.metadata)
        edition = Edition(None if text is None else edited.text, beside, until)
        result = self._writer.edit(self._place(None), self._id(memory_id), edition)
        self._wrote(1)
        return result

    @told
    def tag(self, memory_id: str, *tags: str, remove: Iterable[str] = ()) -> Memory:
        """Adds tags, removes tags."""
        self._writer.tag(self._place(None), self._id(memory_id), tags, remove)
        return self._known(memory_id)

    @told
    def link(
        self,
        source: str,
        target: str,
        relation: str = "related_to",
        *,
        weight: float = 1.0,
        reason: str | None = None,
    ) -> None:
        """Relates two memories by a typed edge."""
        self._writer.link(
            self._place(None), Edge(self._id(source), self._id(target), relation, weight, reason=reason)
        )

    @told
    def unlink(self, source: str, target: str, relation: str = "related_to") -> Edge:
        """Takes an edge between two memories away, and gives it as it was; `link` brings it back.

        Only of a type that `link` makes: what a memory was formed from, or replaced, is not taken away.
        """
        return self._writer.unlink(self._place(None), Edge(self._id(source), self._id(target), relation))

    def edges(self, memory_id: str) -> list[Edge]:
        """Every edge that begins or ends at a memory."""
        return self.store.edges(self.user, [self._id(memory_id)])

    @told
    def pin(self, memory_id: str, *, pinned: bool = True, immutable: bool | None = None) -> Memory:
        """Protects a memory from forgetting; `immutable` also from every change. False lifts it."""
        self._writer.pin(self._place(None), self._id(memory_id), pinned=pinned, immutable=immutable)
        return self._known(memory_id)

    @told
    def forget(self, memory_id: str) -> Memory:
        """Makes a memory dormant: it is not recalled any more, and can be restored."""
        self._writer.forget(self._place(None), self._id(memory_id))
        return self._known(memory_id)

    @told
    def forget_many(self, memory_ids: Iterable[str], *, unpin: bool = False) -> None:
        """Makes memories dormant, all of them or none; `unpin` takes pinned ones too."""
        ids = [self._id(memory_id) for memory_id in memory_ids]
        self._writer.forget_many(self._place(None), ids, unpin=unpin)

    @told
    def restore(self, memory_id: str) -> Memory:
        """Brings a dormant memory back."""
        self._writer.restore(self._place(None), self._id(memory_id))
        return self._known(memory_id)

    @told
    def purge(self, *memory_ids: str) -> list[str]:
        """Erases memories for good, here and in the snapshots that were made of this store.

        Their texts are refused from now on. Gives back the ids of those that were formed from them and are
        still there: `purge(one, *memory.derived(one))` erases them with it.
        """
        ids = [self._id(memory_id) for memory_id in memory_ids]
        derived = self.derived(*ids)
        self._purging(ids)
        self._reads.flush()
        with self._index_lock:
            index = self._index()
            erased = self.store.purge(self.user, ids, self._clock.now())
            index.drop(erased.contents)
        self._embedder.clear()
        for copy in self.store.copies():
            with type(self)(copy, user=self.user, embedder=self._embedder, clock=self._clock) as other:
                there = [i for i in ids if other.find(i) is not None]
                if there:
                    other.purge(*there)
        return derived

    def derived(self, *memory_ids: str) -> list[str]:
        """The ids of what was formed from these memories, of what was formed from that, and so on.

        The steps of an episode and its critiques are among them: they tell its goal.
        """
        ids = {self._id(memory_id) for memory_id in memory_ids}
        found, last = set[str](), ids
        while last:
            edges = self.store.edges(self.user, sorted(last), ["derived_from"])
            formed = {edge.source for edge in edges if edge.target in last}
            last = (formed | self._parts(last)) - found - ids
            found |= last
        return sorted(found)

    def _draft(
        self,
        text: str,
        *,
        channel: str | None = None,
        session: str | None = None,
        sources: Sequence[str] = (),
        origin: Origin | None = None,
        metadata: Mapping[str, Any] | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        **fields: Any,
    ) -> Memory:
        """A memory still without its id, from what a caller says about it, with its personal data as it may be kept."""
        start = origin or Origin()
        known = tuple(self._id(source) for source in sources)
        if session or known:
            start = replace(start, session=session or start.session, sources=known or start.sources)
        made = draft(
            checked(text),
            self._place(channel),
            self._clock.now(),
            valid_from=None if valid_from is None else moment_from(valid_from),
            valid_until=None if valid_until is None else moment_from(valid_until),
            origin=start,
            metadata=plain_metadata(metadata),
            **fields,
        )
        return self._admission().admitted(made)
