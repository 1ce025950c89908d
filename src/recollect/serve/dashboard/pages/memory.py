"""One memory: what it says, since when, where it comes from, what it was before, and what can be done with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.exchange.values import memory_value
from recollect.model import Edge, Memory
from recollect.serve.dashboard.drawing import own_tags
from recollect.serve.dashboard.visits import Asked, Deed, Done, Page, Visit
from recollect.serve.keys import Right

DEPTH = 4
MOST_EDGES = 50
CONFIRMED = "erase"
"""What is written to have a memory erased for good."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a memory was formed from, and how many steps away it is."""

    memory: Memory
    depth: int


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge, with what is at its other end."""

    edge: Edge
    other: Memory
    is_outgoing: bool


def show(visit: Visit) -> dict[str, Any]:
    memory, asked = visit.memory, visit.asked
    as_of = asked.moment("as_of")
    found = memory.get(asked.named["memory_id"], as_of=as_of)
    edges = memory.edges(found.id)
    return {
        "title": "Memory",
        "one": found,
        "as_of": as_of,
        "counters": memory.counters(found.id),
        "versions": memory.history(found.id)[::-1],
        "sources": provenance(memory, found),
        "relations": relations(memory, found.id, edges[:MOST_EDGES]),
        "more_edges": max(0, len(edges) - MOST_EDGES),
        "asleep": memory.why_asleep(found.id) if as_of is None else None,
        "told_metadata": memory_value(found)["metadata"],
        "confirmed": CONFIRMED,
    }


def provenance(memory: Recollect, one: Memory, most: int = DEPTH) -> list[Source]:
    """What a memory was formed from, and what that was formed from in turn; each once, the nearest first."""
    seen, chain, layer = {one.id}, list[Source](), [one]
    for depth in range(1, most + 1):
        ids = [source for each in layer for source in each.origin.sources]
        fresh = [known for known in dict.fromkeys(ids) if known not in seen]
        layer = [found for known in fresh if (found := memory.find(known)) is not None]
        seen.update(fresh)
        chain += [Source(found, depth) for found in layer]
    return chain


def relations(memory: Recollect, memory_id: str, edges: Sequence[Edge]) -> list[Relation]:
    """The edges whose other end is a memory that is there."""
    made = []
    for edge in edges:
        outgoing = edge.source == memory_id
        other = memory.find(edge.target if outgoing else edge.source)
        if other is not None:
            made.append(Relation(edge, other, outgoing))
    return sorted(made, key=lambda one: (one.edge.type, -one.edge.weight, one.other.id))


def edit(visit: Visit) -> Done:
    known = _id(visit.asked)
    kept = visit.memory.edit(known, visit.asked.whole("text"))
    return _done("Changed; the old text is in the history" if kept.id else kept.reason, known)


def tag(visit: Visit) -> Done:
    """Makes the tags those that are written; the engine's own stay."""
    known = _id(visit.asked)
    wanted, has = set(visit.asked.words("tags")), set(own_tags(visit.memory.get(known).tags))
    visit.memory.tag(known, *sorted(wanted - has), remove=sorted(has - wanted))
    return _done("Tagged", known)


def pin(visit: Visit) -> Done:
    known = _id(visit.asked)
    pinned = not visit.memory.get(known).pinned
    visit.memory.pin(known, pinned=pinned)
    return _done("Pinned: it is not forgotten" if pinned else "No longer pinned", known)


def judge(visit: Visit) -> Done:
    """Says that it helped, or did not."""
    known = _id(visit.asked)
    helpful = visit.asked.chosen("helpful", ("yes", "no"), "") == "yes"
    visit.memory.feedback(known, helpful=helpful)
    return _done("Noted: it helped" if helpful else "Noted: it did not help", known)


def forget(visit: Visit) -> Done:
    known = _id(visit.asked)
    visit.memory.forget(known)
    return _done("Forgotten; it can be restored", known)


def restore(visit: Visit) -> Done:
    known = _id(visit.asked)
    visit.memory.restore(known)
    return _done("Restored", known)


def purge(visit: Visit) -> Done:
    """Erases for good, once the word is written that says so."""
    if visit.asked.text("confirm") != CONFIRMED:
        raise InvalidInput(f"nothing was erased: write “{CONFIRMED}” to confirm that this cannot be undone")
    derived = visit.memory.purge(_id(visit.asked))
    also = f"; formed from it and still there: {', '.join(derived)}" if derived else ""
    return Done(f"Erased for good{also}", "/search")


def _id(asked: Asked) -> str:
    return asked.named["memory_id"]


def _done(told: str, memory_id: str) -> Done:
    return Done(told, f"/memories/{quote(memory_id, safe='')}")


PAGES = (Page("memory", "/memories/{memory_id}", "Memory", show),)
DEEDS = (
    Deed("edit", "/memories/{memory_id}/edit", edit),
    Deed("tag", "/memories/{memory_id}/tags", tag),
    Deed("pin", "/memories/{memory_id}/pin", pin),
    Deed("judge", "/memories/{memory_id}/feedback", judge),
    Deed("forget", "/memories/{memory_id}/forget", forget),
    Deed("restore", "/memories/{memory_id}/restore", restore),
    Deed("purge", "/memories/{memory_id}/purge", purge, right=Right.ADMIN),
)
