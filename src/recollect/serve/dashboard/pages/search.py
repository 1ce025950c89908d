"""Find memories, and see what each signal gave to a hit; without a question, look through all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from recollect.model import Filter, Lane, State
from recollect.recall.hits import Hit, Recall
from recollect.recall.profiles import PROFILES
from recollect.recall.query import MAX_HITS
from recollect.serve.dashboard import charts
from recollect.serve.dashboard.pages.overview import first_day
from recollect.serve.dashboard.visits import Asked, Page, Visit

PAGE = 25
LANES = ("any", "memory", "log")
STATES = {"active": (State.ACTIVE,), "dormant": (State.DORMANT,), "all": (State.ACTIVE, State.DORMANT)}
LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Explained:
    """A hit and its bar."""

    hit: Hit
    bar: Sequence[charts.Segment]


def show(visit: Visit) -> dict[str, Any]:
    asked, memory = visit.asked, visit.memory
    question = asked.text("q")
    shown: dict[str, Any] = {
        "q": question or "",
        "asked": asked,
        "k": asked.number("k", 10, 1, MAX_HITS),
        "profile": asked.chosen("profile", tuple(PROFILES), memory.settings.recall.profile),
        "profiles": PROFILES,
        "lanes": LANES,
        "states": tuple(STATES),
        "as_of": asked.moment("as_of"),
        "first": first_day(memory),
        "now": memory.now(),
        "channels": sorted(memory.store.counts(memory.user)["channels"]),
    }
    if question is None:
        return shown | listed(visit)
    found = memory.recall(
        question, shown["k"], learn=False, shared=False, **options(asked), profile=shown["profile"]
    )
    return shown | {"found": found, "hits": explained(found), "legend": legend(found), "page": None}


def options(asked: Asked) -> dict[str, Any]:
    """What a recall is asked for beside its question."""
    channel, lane = asked.text("channel"), asked.chosen("lane", LANES, "any")
    state = asked.chosen("state", tuple(STATES), "active")
    return {
        "channel": channel,
        "every_channel": channel is None,
        "lanes": None if lane == "any" else (lane,),
        "kinds": asked.words("kind") or None,
        "tags": asked.words("tag"),
        "as_of": asked.moment("as_of"),
        "include_superseded": asked.checked("superseded"),
        "include_dormant": state != "active",
    }


def colours(found: Recall) -> dict[str, int]:
    """For each signal that gives something, its colour: the same for every hit."""
    names = [name for name in found.trace.weights if any(hit.signals.get(name) for hit in found)]
    others = sorted({name for hit in found for name in hit.signals if hit.signals[name]} - {*names})
    return {name: number % charts.COLOURS for number, name in enumerate([*names, *others])}


def legend(found: Recall) -> Mapping[str, int]:
    """The signals in the order of their bars, with their colours."""
    return colours(found)


def explained(found: Recall) -> list[Explained]:
    """Each hit with a bar of what its signals gave, all to one scale."""
    colour = colours(found)
    parts = [{name: hit.signals[name] for name in colour if hit.signals.get(name)} for hit in found]
    low, high = charts.reach(parts)
    return [
        Explained(hit, charts.stacked(given, low, high, colour))
        for hit, given in zip(found, parts, strict=True)
    ]


def listed(visit: Visit) -> dict[str, Any]:
    """A page of all memories, the newest first."""
    asked, chosen = visit.asked, options(visit.asked)
    where = Filter(
        channels=None if chosen["channel"] is None else (chosen["channel"],),
        lanes=None if chosen["lanes"] is None else (Lane(chosen["lanes"][0]),),
        kinds=chosen["kinds"],
        states=STATES[asked.chosen("state", tuple(STATES), "active")],
        tags=chosen["tags"],
        as_of=chosen["as_of"],
        any_session=True,
    )
    found = visit.memory.list(where, limit=PAGE + 1, after=asked.text("after"))
    page = found[:PAGE]
    kept = {name: values[0] for name, values in asked.given.items() if name != "after" and values[0]}
    following = urlencode(kept | {"after": page[-1].id}) if len(found) > PAGE else None
    return {"found": None, "hits": (), "legend": {}, "page": page, "following": following}


PAGES = (Page("search", "/search", "Search", show, key="s"),)
