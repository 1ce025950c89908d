"""The verbs by which agents share channels: grant and revoke, read each other's, write into each other's."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from recollect.engine.auditing import acting
from recollect.engine.merging import Merging
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.language.claims import claims
from recollect.model import Lane, Memory, Origin, Scope
from recollect.ports import Changes
from recollect.recall.hits import SHARED, Hit, Recall, Step
from recollect.recall.merging import MergeParams, interleaved
from recollect.recall.query import Query
from recollect.write.claiming import contradiction
from recollect.write.result import Remembered

if TYPE_CHECKING:
    from recollect.shared.grants import Grant, Grants, Role

FEDERATION = "federation"
"""The data source of what others went through: it is vicarious (C33)."""
COMPARED = 10
"""With so many similar memories of the channel a contribution is compared."""
SAID = frozenset(
    ("kind", "tags", "valid_from", "valid_until", "confidence", "importance", "sources"),
)
"""What a contributor may say beside the text: nothing that reaches beyond the channel, or changes what is there."""
MOST_BESIDE = 32
"""So many others' memories are kept open."""


class Granting(Merging):
    """One's own channels for others, and theirs for oneself."""

    _beside: "dict[str, Self]"

    def grant(
        self, user: str, channel: str, role: "Role | str" = "reader", *, owner: str | None = None
    ) -> "Grant":
        """Lets another user read a channel, write into it too, or share it on; `owner` where it is not one's own."""
        return self._grants().give(self.user, user, channel, role, owner)

    def revoke(self, user: str, channel: str, *, owner: str | None = None) -> "Grant":
        """Takes a grant away, which counts from the other's next question on; one's own can be given back too."""
        return self._grants().revoke(self.user, user, channel, owner)

    def grants(self) -> "list[Grant]":
        """What one has granted to others."""
        return self._grants().given(self.user)

    def granted(self) -> "list[Grant]":
        """What others have granted to oneself."""
        return self._grants().received(self.user)

    def contribute(self, text: str, *, owner: str, channel: str, **particulars: Any) -> Remembered:
        """Keeps a memory in a channel that another user shares, under one's own name.

        Where it contradicts what is there, both stay, with an edge that says who told which. The particulars are
        `kind`, `tags`, `valid_from`, `valid_until`, `confidence`, `importance` and `sources`, which lie in the channel.
        """
        from recollect.shared.grants import not_shared  # noqa: PLC0415 - only who shares pays for it

        if unknown := particulars.keys() - SAID:
            raise InvalidInput(
                f"a contribution says {', '.join(sorted(SAID))}: not {', '.join(sorted(unknown))}"
            )
        found = self._grants().held(owner, channel, self.user)
        if found is None:
            raise not_shared(owner, channel)
        if not found.may_write:
            raise Refused(f"you are a {found.role} of {channel}: you cannot write into it")
        theirs = self._other(owner)
        for source in particulars.get("sources", ()):
            lies = theirs.find(source) if isinstance(source, str) else None
            if lies is None or lies.channel != channel or lies.scope is Scope.SESSION:
                raise NotFound(f"no memory {source} in {channel} of {owner}")
        origin = Origin(actor=self.user, write_source=FEDERATION, data_source=FEDERATION)
        kept = theirs.remember(text, channel=channel, origin=origin, **particulars)
        if kept.id is not None:
            detail = {"by": self.user, "channel": channel, "memory": kept.id, "action": str(kept.action)}
            self.store.write(owner, Changes("contributed", self._clock.now(), detail=detail))
            theirs._set_against(theirs._known(kept.id), owner)  # noqa: SLF001 - an engine of the same class
        return kept

    def _set_against(self, new: Memory, owner: str) -> None:
        """Relates a contribution to what it contradicts, with both provenances."""
        ours = claims(new.text)
        there = {"channels": (new.channel,), "lanes": (Lane.MEMORY,)}
        _, alike = self._found(new.text, COMPARED, None, learn=False, shared=False, options=there)
        for old in (hit.memory for hit in alike if hit.id != new.id):
            why = contradiction(new.text, ours, old)
            if why is not None:
                by = f"{new.origin.actor or owner} told {new.id}, {old.origin.actor or owner} told {old.id}"
                self.link(new.id, old.id, "contradicts", reason=f"{why}; {by}")

    def _ask_others(self, query: Query, *, shared: bool | None) -> Callable[[Recall], Recall] | None:
        published = super()._ask_others(query, shared=shared)
        lent = self._grants_for(query) if shared is not False else []
        if not lent:
            return published

        def both(own: Recall) -> Recall:
            joined = self._with_lent(own, query, lent)
            return joined if published is None else published(joined)

        return both

    def _grants_for(self, query: Query) -> "list[Grant]":
        """The grants of the channel that is asked of; `_global` is never shared, so that most ask nobody."""
        if query.channel == "_global" or not self.settings.shared.channels:
            return []
        if query.channels is not None or query.ids is not None or query.as_of is not None:
            return []
        return self._grants().received(self.user, query.channel)

    def _with_lent(self, own: Recall, query: Query, lent: "list[Grant]") -> Recall:
        began = time.perf_counter()
        chosen = self.settings.recall
        found = [hit for grant in lent for hit in self._read(grant, query)]
        weak = max(chosen.brief_from, query.min_relevance or 0.0)
        hits = interleaved(own.hits, found, query.k, MergeParams(strong=chosen.full_from, weak=weak))
        told = sum(hit.whence == SHARED for hit in hits)
        step = Step("channels", (time.perf_counter() - began) * 1e3, {"grants": len(lent), "told": told})
        return Recall(own.query, hits, replace(own.trace, steps=(*own.trace.steps, step)))

    def _read(self, grant: "Grant", query: Query) -> list[Hit]:
        """What a channel of somebody else has, as they would find it, with who went through it."""
        theirs = self._other(grant.owner)
        kept = {
            name: getattr(query, name)
            for name in ("lanes", "kinds", "tags", "since", "until", "valid_at", "level", "profile", "ablate")
        }
        there = {"channels": (grant.channel,), **kept}
        _, found = theirs._found(query.text, query.k, None, learn=False, shared=False, options=there)  # noqa: SLF001 - an engine of the same class
        with acting(self.user):
            # Never what was asked: that is the asker's.
            theirs._note("shared recall", (hit.memory for hit in found), channel=grant.channel)  # noqa: SLF001
        return [_vicarious(hit, grant.owner) for hit in found]

    def _other(self, owner: str) -> Self:
        with self._index_lock:
            known = self.__dict__.setdefault("_beside", {})
            if owner not in known:
                if len(known) >= MOST_BESIDE:
                    known.pop(next(iter(known)))
                known[owner] = self.beside(owner)
            other: Self = known[owner]
            # One queue: whoever closes this one closes the store of the other, too.
            other._reads = self._reads
            return other

    def _grants(self) -> "Grants":
        from recollect.shared.grants import Grants  # noqa: PLC0415 - only who shares pays for it

        return Grants(self.store, self._clock.now)


def _vicarious(hit: Hit, owner: str) -> Hit:
    memory = hit.memory
    by = memory.origin.actor or owner
    shown = replace(
        memory,
        metadata={**memory.metadata, "author": by},
        origin=replace(memory.origin, data_source=FEDERATION),
    )
    return replace(hit, memory=shown, whence=SHARED)
