"""A question, as the read path takes it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from recollect import given
from recollect.errors import InvalidInput
from recollect.formulas.levels import depth_of
from recollect.language.moments import moment_from
from recollect.model import GLOBAL_CHANNEL, Filter, Lane, State
from recollect.recall.layers import active
from recollect.relations import ENGINE, edge_type

MAX_CHARACTERS = 1_000_000
MAX_HITS = 1_000


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, of which part of memory, as of when, and how it is to be ranked."""

    text: str
    k: int = 10
    channel: str = GLOBAL_CHANNEL
    session: str | None = None
    lanes: tuple[Lane, ...] | None = None
    kinds: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    """Only of these memories, by their whole ids."""
    season: str | None = None
    """A label of the time that it is for the asker ("release-week"): memories with the tag `season:LABEL` are preferred."""
    only_session: str | None = None
    run: str | None = None
    actor: str | None = None
    event_type_prefix: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None
    include_superseded: bool = False
    include_dormant: bool = False
    only_period: bool = False
    """Whether a time that the question names leaves out what is of another time, unless it lies ahead."""
    per_session: int | None = None
    """At most so many hits of one session."""
    min_relevance: float | None = None
    """Only what is so likely about the question; hits whose relevance is not known stay."""
    every_channel: bool = False
    channels: tuple[str, ...] | None = None
    """Exactly these channels, in place of its own and `_global`."""
    edge_boost: Mapping[str, float] | None = None
    """By type of edge, how much of a hit's score reaches what it is related to so."""
    level: str | int | None = None
    """What is of this level is preferred: goals, strategies, steps, findings, or 0 to 3."""
    deep: bool = False
    """Whether the candidates' neighbours correct their scores, however clear those are."""
    profile: str = "default"
    ablate: tuple[str, ...] = ()
    """Layers that are switched to the other side than they are by default."""

    def __post_init__(self) -> None:
        _check_text(self.text)
        if len(self.text) > MAX_CHARACTERS:
            raise InvalidInput(
                f"the question has {len(self.text):,} characters, the most is {MAX_CHARACTERS:,}"
            )
        active(self.ablate)
        given.name("a channel is a name", self.channel)
        for what in ("session", "only_session", "run", "actor"):
            given.label(f"{what} is a text", getattr(self, what))
        given.count(f"k is a whole number between 1 and {MAX_HITS}", self.k, high=MAX_HITS)
        if self.per_session is not None:
            given.count("per_session is a whole number, at least 1", self.per_session)
        if self.min_relevance is not None:
            given.number("min_relevance lies between 0 and 1", self.min_relevance, low=0.0, high=1.0)
        if self.level is not None:
            depth_of(self.level)
        if self.season is not None and not self.season.strip():
            raise InvalidInput("a season is a label such as release-week, not empty")
        for name, factor in (self.edge_boost or {}).items():
            edge_type(name, by=ENGINE)
            if not 0 < factor <= 1:
                raise InvalidInput(f"the boost of {name} edges lies above 0 and up to 1, not {factor}")

    def filter(self, now: datetime) -> Filter:
        """The versions that may answer: both the channel and `_global`, current unless asked otherwise."""
        own = None if self.every_channel else tuple(dict.fromkeys((self.channel, GLOBAL_CHANNEL)))
        expiry = None if self.include_superseded or self.valid_at is not None else self.as_of or now
        return Filter(
            channels=own if self.channels is None else self.channels,
            lanes=self.lanes,
            kinds=self.kinds,
            states=(State.ACTIVE, State.DORMANT) if self.include_dormant else (State.ACTIVE,),
            visible_session=self.session,
            tags=self.tags,
            ids=self.ids,
            session=self.only_session,
            run=self.run,
            actor=self.actor,
            event_type_prefix=self.event_type_prefix,
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            valid_at=self.valid_at,
            unexpired_at=expiry,
        )


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InvalidInput(f"a question is a text, not {type(text).__name__}")
    if not text.strip():
        raise InvalidInput("the question is empty: say what you are looking for")


def query_from(question: str, k: int, channel: str, options: Mapping[str, Any]) -> Query:
    """A query from a caller's words: times as text, single values where several may stand."""
    unknown = options.keys() - {f.name for f in fields(Query)}
    if unknown:
        known = ", ".join(f.name for f in fields(Query) if f.name not in ("text", "k", "channel"))
        raise InvalidInput(f"recall does not know {', '.join(sorted(unknown))}; it knows: {known}")
    chosen = dict(options)
    for name in ("since", "until", "as_of", "valid_at"):
        if chosen.get(name) is not None:
            chosen[name] = moment_from(chosen[name])
    for name in ("lanes", "kinds", "tags", "ids", "channels", "ablate"):
        # What is not said is as if it were not given, of these that have a default of their own too.
        values = chosen.pop(name, None)
        if values is not None:
            named = tuple(given.texts(f"{name} is a name or a list of names", values))
            chosen[name] = tuple(_lane(value) for value in named) if name == "lanes" else named
    return Query(question, k, channel, **chosen)


def _lane(value: str) -> Lane:
    try:
        return Lane(value)
    except ValueError:
        raise InvalidInput(f"no lane {value!r}; there are: {', '.join(Lane)}") from None
