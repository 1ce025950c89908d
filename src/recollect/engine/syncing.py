"""The verbs that keep two stores of one user up to date with each other."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from recollect.engine.exchanging import Exchanging
from recollect.errors import InvalidInput
from recollect.exchange.importing import Report
from recollect.exchange.jsonl import Bundle
from recollect.exchange.relating import SYNC, related, unlinked
from recollect.exchange.syncing import (
    Place,
    bundle_of,
    checked,
    contradicting,
    following,
    is_done,
    page,
    place_from,
    place_value,
    purged,
    secret_of,
    signed,
)
from recollect.exchange.values import edge_value
from recollect.ports import Changes, RecordChange


class Peer(Protocol):
    """The other store, as a sync asks it."""

    def place(self, sender: str) -> Mapping[str, Any]:
        """The other `store`'s name, and the `place` up to which it has taken what a sender has."""
        ...

    def give(self, place: Mapping[str, Any], channels: Sequence[str] | None) -> Any:
        """A signed page of what changed there after a place."""
        ...

    def take(self, message: Mapping[str, Any]) -> Any:
        """Has a signed page taken."""
        ...


@dataclass
class Taken(Report):
    """What taking a page did, by id."""

    purged: list[str] = field(default_factory=list)
    """What was erased there, and is now erased here."""
    kept: list[str] = field(default_factory=list)
    """What was erased there, and stays here, as whoever sent the page may not erase."""
    unlinked: int = 0
    """How many edges were taken away there, and are now gone here."""


@dataclass
class Synced:
    """What a sync did on both sides."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    unlinked: int = 0
    outcomes: int = 0
    """How many endings of episodes were learnt here, or taken back."""
    pages_taken: int = 0
    pages_sent: int = 0


class Syncing(Exchanging):
    """Give pages, take pages, and go on until both sides have everything."""

    def sync(self, other: "str | Peer", *, key: str = "", channels: Sequence[str] | None = None) -> Synced:
        """Takes what another store has and gives it what this one has, from where the last sync ended.

        The other is the address of a service, such as `https://host:8420`, and the key that of the same user there.
        Broken off at any moment, the next sync goes on where it was; nothing is taken twice or lost.
        """
        self._check_recording()
        self._check_model()
        peer: Peer = _peer(other, key) if isinstance(other, str) else other
        secret, here = secret_of(key), _key(self.store.identity, channels)
        there = _key(str(peer.place(here)["store"]), channels)
        done = Synced()
        while True:
            taken = checked(peer.give(place_value(self.sync_place(there)), channels), secret)
            report = self.take_page(taken | {"sender": there})
            done.pages_taken += 1
            for name in ("created", "updated", "conflicts", "refused", "purged"):
                getattr(done, name).extend(getattr(report, name))
            done.unlinked += report.unlinked
            done.outcomes += report.outcomes
            if is_done(taken):
                break
        while True:
            place = peer.place(here)["place"]
            sent = self.sync_page(place, channels)
            peer.take(signed(sent | {"sender": here}, secret))
            done.pages_sent += 1
            if is_done(sent):
                return done

    def sync_page(self, place: Mapping[str, Any], channels: Sequence[str] | None = None) -> dict[str, Any]:
        """What changed here after a place, for the other side."""
        return page(self.store, self.user, place_from(place), channels)

    def sync_place(self, sender: str) -> Place:
        """How far what a sender has was taken here."""
        record = self.store.record(self.user, SYNC, sender)
        return place_from(None if record is None else record.value)

    def take_page(self, taken: Mapping[str, Any], *, purges: bool = True) -> Taken:
        """Takes a page in; only then it is kept how far the other was followed, so that a page is never skipped.

        What was erased there is erased here, unless the sender may not do that (`purges`).
        """
        self._check_recording()
        sender = str(taken.get("sender", ""))
        if not sender.startswith(str(taken["store"])):
            raise InvalidInput("a synced page says who sends it, by its store's name")
        place = self.sync_place(sender)
        on = following(place, taken)
        bundle = bundle_of(taken)
        report = self._importer().take(bundle, SYNC)
        self._keep_conflicts(bundle, report, taken["store"])
        gone = unlinked(self.store, self.user, taken["removals"], self._clock.now())
        related(self.store, self.user, taken["edges"], self._clock.now())
        self._relearn(bundle, report)
        erased = [one for one in purged(taken) if self.find(one) is not None]
        if erased and purges:
            self.purge(*erased)
        self._wrote(len(report.created) + len(report.updated))
        change = RecordChange(SYNC, sender, place_value(on))
        detail = {"store": taken["store"], "link": on.sequence, "created": len(report.created)}
        self.store.write(self.user, Changes(SYNC, self._clock.now(), records=(change,), detail=detail))
        kept = [] if purges else erased
        return Taken(**asdict(report), purged=erased if purges else [], kept=kept, unlinked=gone)

    def _keep_conflicts(self, bundle: Bundle, report: Report, store: str) -> None:
        """Where both sides changed a memory, theirs is kept beside ours, as what contradicts it."""
        for memory_id in report.conflicts:
            known = self.store.get(self.user, memory_id)
            theirs = bundle.histories[memory_id]
            if known is None or known.text == theirs[-1].text:
                continue
            made, edge = contradicting(theirs, store, known)
            made = replace(made, recorded_at=self._clock.now())
            self._importer().take(Bundle({made.id: [made]}), SYNC)
            related(self.store, self.user, [edge_value(edge)], self._clock.now())


def _peer(address: str, key: str) -> Peer:
    from recollect.exchange.peer import HttpPeer  # noqa: PLC0415 - brings urllib, and few stores are synced

    return HttpPeer(address, key)


def _key(store: str, channels: Sequence[str] | None) -> str:
    """What a place is kept under: each choice of channels goes its own way."""
    chosen = "" if channels is None else hashlib.sha256("\0".join(sorted(channels)).encode()).hexdigest()[:16]
    return f"{store}/{chosen}"
