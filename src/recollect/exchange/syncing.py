"""Two stores of one user that keep each other up to date: pages of what changed, signed, with the chain of who sends.

A page can be taken any number of times, and a sync that broke off goes on after the last page that was taken.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from recollect.errors import Conflict, InvalidInput, Refused
from recollect.exchange.jsonl import Bundle, parsed
from recollect.exchange.learnt import (
    ended_from_value,
    ended_value,
    endings_since,
    noted,
    noted_from_value,
    noted_value,
    of_memory,
    outside,
)
from recollect.exchange.relating import SYNC, news
from recollect.exchange.values import edge_value, memory_value
from recollect.formulas import chain
from recollect.model import Edge, Memory, Scope, WitnessEntry, microseconds
from recollect.ports import Store
from recollect.removals import Removal

MOST_MEMORIES: Final = 200
MOST_CHARACTERS: Final = 2_000_000
MOST_LINKS: Final = 500
PARTS: Final = frozenset(
    (
        *("store", "memories", "edges", "removals", "base", "begins", "upto", "after"),
        *("linked_upto", "links", "more_links"),
    )
)
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class Place:
    """How far one side has taken what the other has."""

    base: int = 0
    """All up to this version number was taken."""
    upto: int = 0
    """The round that is under way ends there."""
    after: str = ""
    """The last memory of it that was taken."""
    linked: int = 0
    """All edges and removals up to this link of the other's chain were taken."""
    linked_upto: int = 0
    """The same when the round that is under way ends."""
    sequence: int = 0
    """How far the other's chain was followed, and its hash there."""
    hash: str = chain.GENESIS.hex()


def page(store: Store, user: str, place: Place, channels: Sequence[str] | None = None) -> dict[str, Any]:
    """What changed after a place, as much as a page holds, and the links of the chain that lead on."""
    with store.reading():
        return _page(store, user, place, channels)


def _page(store: Store, user: str, place: Place, channels: Sequence[str] | None) -> dict[str, Any]:
    head = store.high_water(user)[1]
    begins = not place.after
    upto = head if begins else place.upto
    linked_upto = _last_link(store, user) if begins else place.linked_upto
    ids = [one for one in sorted(store.changed(user, place.base)) if one > place.after]
    told: list[dict[str, Any]] = []
    sent: list[str] = []
    size = 0
    for memory_id in ids[:MOST_MEMORIES]:
        history = store.versions(user, memory_id)
        sent.append(memory_id)
        if history and _leaves(history[-1], channels):
            told += [{"record": "memory", **memory_value(one)} for one in outside(store, user, history)]
            size += sum(len(one.text) for one in history)
        if size > MOST_CHARACTERS:
            break
    is_last = len(sent) == len(ids)
    leaving = {one["id"] for one in told}
    edges = [] if not leaving else store.edges(user, sorted(leaving))
    new, removals = news(store, user, place.linked) if is_last else ([], [])
    # In the first round each edge comes with its ends.
    edges += new if place.base else []
    # What was learnt comes last, when every step of it is there.
    ended = endings_since(store, user, place.linked) if is_last else []
    notes = [one for one in noted(store, user) if one.revision > place.linked] if is_last else []
    named = {one.episode for one in ended} | {of_memory(one.kind, one.key, one.value) for one in notes}
    related: list[Edge | Removal] = [*edges, *removals]
    ends = {end for one in related for end in (one.source, one.target)}
    leave = _leaving(store, user, ends | named, channels)
    links = store.witness(user, after=place.sequence, limit=MOST_LINKS)
    return {
        "store": store.identity,
        "memories": told,
        "edges": [edge_value(one) for one in dict.fromkeys(edges) if {one.source, one.target} <= leave],
        "removals": [asdict(one) for one in removals if {one.source, one.target} <= leave],
        "endings": [ended_value(one) for one in ended if one.episode in leave],
        "notes": [noted_value(one) for one in notes if of_memory(one.kind, one.key, one.value) in leave],
        "base": place.base,
        "begins": place.after,
        "upto": upto,
        "after": None if is_last else sent[-1],
        "linked_upto": linked_upto,
        "links": [link_value(one) for one in links],
        "more_links": len(links) == MOST_LINKS,
    }


def following(place: Place, taken: Mapping[str, Any]) -> Place:
    """The place after a page was taken; raises where the page, or the other's chain, does not go on from there."""
    if (taken["base"], taken["begins"]) != (place.base, place.after):
        raise Conflict("the page begins elsewhere than where the last one ended: sync again")
    sequence, known = followed(place.sequence, bytes.fromhex(place.hash), taken["links"])
    on = replace(place, sequence=sequence, hash=known.hex())
    if taken["after"] is None:
        return replace(on, base=taken["upto"], upto=0, after="", linked=taken["linked_upto"], linked_upto=0)
    return replace(on, upto=taken["upto"], after=taken["after"], linked_upto=taken["linked_upto"])


def purged(taken: Mapping[str, Any]) -> list[str]:
    """The ids of what the other side has erased, by the links of its chain that a page brings."""
    links = (one["detail"] for one in taken["links"] if one["operation"] == "purge")
    return list(dict.fromkeys(str(one) for detail in links for one in detail.get("ids", ())))


def is_done(taken: Mapping[str, Any]) -> bool:
    """Whether a page was the last of its round."""
    return taken["after"] is None and not taken["more_links"]


def link_value(one: WitnessEntry) -> dict[str, Any]:
    """A link of the chain, as JSON holds it."""
    return {
        "sequence": one.sequence,
        "at": microseconds(one.at),
        "operation": one.operation,
        "detail": dict(one.detail),
        "covers": [*one.versions, *one.edges],
        "digest": one.digest.hex(),
        "hash": one.hash.hex(),
    }


def followed(sequence: int, known: bytes, links: Iterable[Mapping[str, Any]]) -> tuple[int, bytes]:
    """Where links lead from a known one, each checked against the one before it."""
    for one in links:
        expected = chain.link(
            known,
            one["sequence"],
            one["at"],
            one["operation"],
            one["detail"],
            tuple(one["covers"]),
            bytes.fromhex(one["digest"]),
        )
        if one["sequence"] != sequence + 1 or expected.hex() != one["hash"]:
            raise Conflict(
                f"the other store's chain does not go on from link {sequence}, which was synced before: it was changed"
                " or set back; nothing of this page was taken"
            )
        sequence, known = one["sequence"], expected
    return sequence, known


def signed(value: Mapping[str, Any], secret: bytes) -> dict[str, Any]:
    """A page with the signature of whoever knows the secret."""
    return {"page": dict(value), "signature": _signature(value, secret)}


def checked(message: Any, secret: bytes) -> dict[str, Any]:
    """The page of a message that was signed with the secret."""
    if not isinstance(message, Mapping) or not isinstance(message.get("page"), Mapping):
        raise InvalidInput("a synced page is an object with `page` and `signature`")
    value = dict(message["page"])
    if not hmac.compare_digest(str(message.get("signature", "")), _signature(value, secret)):
        raise Refused(
            "the page is not signed with this key: it was changed on its way, or is somebody else's"
        )
    if missing := PARTS - value.keys():
        raise InvalidInput(f"a synced page lacks {', '.join(sorted(missing))}")
    return value


def secret_of(token: str) -> bytes:
    """What a key's two sides both have, of which only one has the key: its SHA-256."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest().encode()


def bundle_of(taken: Mapping[str, Any]) -> Bundle:
    """The histories of a page, and what was learnt; its edges are related when both ends are there."""
    bundle = parsed(json.dumps(one) for one in taken["memories"])
    # An older store sends none of it.
    bundle.endings = [ended_from_value(one) for one in taken.get("endings", ())]
    bundle.notes = [noted_from_value(one) for one in taken.get("notes", ())]
    return bundle


def contradicting(theirs: Sequence[Memory], store: str, known: Memory) -> tuple[Memory, Edge]:
    """What the other store believes where the two disagree, as a memory beside ours, and how they are related.

    Its id follows from what it says, so that it is made once, however often it is met.
    """
    last = theirs[-1]
    said = hashlib.blake2b(
        f"{store}\0{last.id}\0{last.text}".encode("utf-8", "surrogatepass"), digest_size=16
    )
    number = int.from_bytes(said.digest())
    made = replace(
        last,
        id="".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5)),
        version=1,
        supersedes=None,
        superseded_by=None,
        origin=replace(last.origin, sources=(), write_source=SYNC, data_source="federation"),
    )
    by = f"{last.origin.actor or 'this user'} in store {store}; {known.origin.actor or 'this user'} here"
    ends = sorted((made.id, known.id))
    return made, Edge(ends[0], ends[1], "contradicts", reason=f"changed on both sides: {by}")


def place_from(value: Mapping[str, Any] | None) -> Place:
    """A place as its record keeps it."""
    names = Place.__dataclass_fields__
    return Place(**{name: one for name, one in (value or {}).items() if name in names})


def place_value(place: Place) -> dict[str, Any]:
    return asdict(place)


def _leaves(memory: Memory, channels: Sequence[str] | None) -> bool:
    """What a session keeps to itself stays, and what was made of a conflict is met on the other side anyway."""
    is_ours = memory.scope is not Scope.SESSION and memory.origin.write_source != SYNC
    return is_ours and (channels is None or memory.channel in channels)


def _leaving(store: Store, user: str, ids: Iterable[str], channels: Sequence[str] | None) -> set[str]:
    """Those that leave: of an edge something is said only where both its ends do."""
    known = (store.get(user, one) for one in sorted(ids))
    return {one.id for one in known if one is not None and _leaves(one, channels)}


def _last_link(store: Store, user: str) -> int:
    head = store.counts(user)["witness"]
    return 0 if head is None else int(head["entries"])


def _signature(value: Mapping[str, Any], secret: bytes) -> str:
    told = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hmac.new(secret, told.encode(), hashlib.sha256).hexdigest()
