"""Two stores of one user that keep each other up to date: pages of what changed, signed, with the chain of who sends.

A page can be taken any number of times, and a sync that broke off goes on after the last page that was taken.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from recollect.errors import Conflict, InvalidInput, Refused
from recollect.exchange.jsonl import Bundle, parsed
from recollect.exchange.values import edge_from_value, edge_value, memory_value
from recollect.formulas import chain
from recollect.model import Edge, Memory, Scope, WitnessEntry, microseconds
from recollect.ports import Changes, Store

SYNC: Final = "sync"
MOST_MEMORIES: Final = 200
MOST_CHARACTERS: Final = 2_000_000
MOST_LINKS: Final = 500
PARTS: Final = frozenset(
    ("store", "memories", "edges", "base", "begins", "upto", "after", "started", "links", "more_links")
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
    since: int = 0
    """Edges that were made from then on are still to come, in microseconds."""
    started: int = 0
    sequence: int = 0
    """How far the other's chain was followed, and its hash there."""
    hash: str = chain.GENESIS.hex()


def page(
    store: Store, user: str, place: Place, now: datetime, channels: Sequence[str] | None = None
) -> dict[str, Any]:
    """What changed after a place, as much as a page holds, and the links of the chain that lead on."""
    head = store.high_water(user)[1]
    begins = not place.after
    upto = head if begins else place.upto
    started = microseconds(now) if begins else place.started
    ids = [one for one in sorted(store.changed(user, place.base)) if one > place.after]
    told: list[dict[str, Any]] = []
    sent: list[str] = []
    size = 0
    for memory_id in ids[:MOST_MEMORIES]:
        history = store.versions(user, memory_id)
        sent.append(memory_id)
        if history and _leaves(history[-1], channels):
            told += [{"record": "memory", **memory_value(one)} for one in history]
            size += sum(len(one.text) for one in history)
        if size > MOST_CHARACTERS:
            break
    is_last = len(sent) == len(ids)
    leaving = {one["id"] for one in told}
    edges = [] if not leaving else store.edges(user, sorted(leaving))
    if is_last:
        edges += [one for one in store.all_edges(user) if _since(one, place.since)]
    links = store.witness(user, after=place.sequence, limit=MOST_LINKS)
    return {
        "store": store.identity,
        "memories": told,
        "edges": [edge_value(one) for one in _leaving(store, user, edges, channels)],
        "base": place.base,
        "begins": place.after,
        "upto": upto,
        "after": None if is_last else sent[-1],
        "started": started,
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
        return replace(on, base=taken["upto"], upto=0, after="", since=taken["started"], started=0)
    return replace(on, upto=taken["upto"], after=taken["after"], started=taken["started"])


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
    """The histories of a page; its edges are related when both ends are there."""
    return parsed(json.dumps(one) for one in taken["memories"])


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


def related(store: Store, user: str, edges: Iterable[Mapping[str, Any]], now: datetime) -> None:
    """Writes the edges whose two ends are here; the others come again with the end that is missing."""
    given = [edge_from_value(one) for one in edges]
    ends = {end for one in given for end in (one.source, one.target)}
    here = {one for one in ends if store.get(user, one) is not None}
    touching = store.edges(user, sorted(here)) if here else []
    there = {(one.source, one.target, one.type) for one in touching}
    new = [one for one in given if {one.source, one.target} <= here]
    new = [one for one in new if (one.source, one.target, one.type) not in there]
    if new:
        store.write(user, Changes(SYNC, now, edges=tuple(new)))


def place_from(value: Mapping[str, Any] | None) -> Place:
    """A place as its record keeps it."""
    return Place() if value is None else Place(**value)


def place_value(place: Place) -> dict[str, Any]:
    return asdict(place)


def _leaves(memory: Memory, channels: Sequence[str] | None) -> bool:
    """What a session keeps to itself stays, and what was made of a conflict is met on the other side anyway."""
    is_ours = memory.scope is not Scope.SESSION and memory.origin.write_source != SYNC
    return is_ours and (channels is None or memory.channel in channels)


def _leaving(store: Store, user: str, edges: Iterable[Edge], channels: Sequence[str] | None) -> list[Edge]:
    """Each edge once, of which both ends leave."""
    found = list(dict.fromkeys(edges))
    ends = {end for one in found for end in (one.source, one.target)}
    known = (store.get(user, one) for one in sorted(ends))
    leave = {one.id for one in known if one is not None and _leaves(one, channels)}
    return [one for one in found if {one.source, one.target} <= leave]


def _since(edge: Edge, since: int) -> bool:
    return edge.recorded_at is not None and microseconds(edge.recorded_at) >= since > 0


def _signature(value: Mapping[str, Any], secret: bytes) -> str:
    told = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hmac.new(secret, told.encode(), hashlib.sha256).hexdigest()
