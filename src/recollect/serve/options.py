"""Options that several verbs share, as dataclasses whose fields Typer reads."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import wraps
from typing import Annotated, Any, Self, get_type_hints

import typer

from recollect.errors import InvalidInput
from recollect.model import Lane

Words = list[str] | None
"""An option that may be given several times."""


@dataclass(frozen=True, slots=True)
class Common:
    """What every verb takes, before its name or after it."""

    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="PATH",
            help="The store's file, or a postgresql:// address [env: RECOLLECT_STORE].",
        ),
    ] = None
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Whose memory [env: RECOLLECT_USER].")
    ] = None
    channel: Annotated[
        str | None,
        typer.Option("--channel", metavar="NAME", help="Which channel of it [env: RECOLLECT_CHANNEL]."),
    ] = None

    def after(self, earlier: Self) -> Self:
        """Both together: what stands after the verb weighs more than what stands before it."""
        for one in fields(self):
            # Such as of a variable that is not set: it must not stand for the default.
            if getattr(self, one.name) == "":
                raise InvalidInput(f"--{one.name} names something: it is not empty")
        given = {one.name: getattr(self, one.name) or getattr(earlier, one.name) for one in fields(self)}
        return replace(self, **given)


DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Decide what would be kept and formed, and write nothing.")
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show every decision about what is stated, with its reason.")
]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which memories are meant."""

    lane: Annotated[list[Lane] | None, typer.Option("--lane", help="Of this lane [repeatable].")] = None
    kind: Annotated[
        Words, typer.Option("--kind", metavar="KIND", help="Of this kind, such as note or fact [repeatable].")
    ] = None
    tag: Annotated[
        Words, typer.Option("--tag", metavar="TAG", help="With this tag; several must all be there.")
    ] = None
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="From this run of an agent.")] = None
    actor: Annotated[str | None, typer.Option("--actor", metavar="NAME", help="From this actor.")] = None
    event_type: Annotated[
        str | None,
        typer.Option("--event-type", metavar="PREFIX", help="Of event types that begin so, such as chat."),
    ] = None
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="True from this time on (ISO 8601).")
    ] = None
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="True before this time (ISO 8601).")
    ] = None
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="As the store believed at this time.")
    ] = None
    valid_at: Annotated[
        str | None, typer.Option("--valid-at", metavar="TIME", help="What was true at this time.")
    ] = None


@dataclass(frozen=True, slots=True)
class Reach(Selection):
    """How far a question looks: sessions, channels, what was forgotten."""

    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Asked in this session: what is scoped to it is seen."),
    ] = None
    only_session: Annotated[
        str | None, typer.Option("--only-session", metavar="ID", help="Only what comes from this session.")
    ] = None
    dormant: Annotated[bool, typer.Option("--dormant", help="Also what was forgotten.")] = False
    all_channels: Annotated[
        bool, typer.Option("--all-channels", help="Of every channel, not of this one and _global alone.")
    ] = False

    def query(self) -> dict[str, Any]:
        """The options as the engine's verbs take them."""
        return {
            "session": self.session or self.only_session,
            "only_session": self.only_session,
            "lanes": tuple(self.lane) if self.lane else None,
            "kinds": tuple(self.kind) if self.kind else None,
            "tags": tuple(self.tag or ()),
            "run": self.run,
            "actor": self.actor,
            "event_type_prefix": self.event_type,
            "since": self.since,
            "until": self.until,
            "as_of": self.as_of,
            "valid_at": self.valid_at,
            "include_dormant": self.dormant,
            "every_channel": self.all_channels,
        }


@dataclass(frozen=True, slots=True)
class Asking(Reach):
    """What a question is asked of, and how the answer is ranked."""

    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also what has been replaced or has expired.")
    ] = False
    k: Annotated[int | None, typer.Option("-k", metavar="N", help="How many hits.")] = None
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="Which weighting of the signals ranks.")
    ] = None
    relevance: Annotated[
        float | None,
        typer.Option("--min-relevance", metavar="0..1", help="Only what is so likely about the question."),
    ] = None
    season: Annotated[
        str | None,
        typer.Option(
            "--season", metavar="LABEL", help="Prefer what has the tag season:LABEL, such as release-week."
        ),
    ] = None
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="Prefer goals, strategies, steps or findings, or a depth from 0 to 3.",
        ),
    ] = None
    edge_boost: Annotated[
        Words,
        typer.Option(
            "--edge-boost",
            metavar="TYPE=0..1",
            help="How much of a hit's score reaches what it is related to so, such as causes=0.3.",
        ),
    ] = None
    deep: Annotated[
        bool, typer.Option("--deep", help="Let what the candidates' neighbours say correct their scores.")
    ] = False
    no_learn: Annotated[
        bool, typer.Option("--no-learn", help="Do not count this as a use of what is found.")
    ] = False

    shared: Annotated[
        bool | None,
        typer.Option("--shared/--own", help="Also what others published, or only what is your own."),
    ] = None

    def recall(self) -> dict[str, Any]:
        """The options as the engine's `recall` takes them."""
        chosen = {} if self.profile is None else {"profile": self.profile}
        learning = {"k": self.k, "learn": not self.no_learn, "include_superseded": self.superseded}
        reaching: dict[str, Any] = {
            "min_relevance": self.relevance,
            "shared": self.shared,
            "season": self.season,
            "level": self.level,
            "deep": self.deep,
        }
        if self.edge_boost:
            reaching["edge_boost"] = boosts_from(self.edge_boost)
        return self.query() | learning | chosen | reaching


def boosts_from(given: Iterable[str]) -> dict[str, float]:
    """By type of edge, what was given as TYPE=FACTOR.

    >>> boosts_from(["causes=0.3"])
    {'causes': 0.3}
    """
    found = {}
    for one in given:
        name, _, factor = one.partition("=")
        try:
            found[name] = float(factor)
        except ValueError:
            raise InvalidInput(
                f"an edge boost is a type and a number, such as causes=0.3, not {one!r}"
            ) from None
    return found


def verb(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function a verb; a parameter that is a dataclass is given field by field."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        app.command(name)(spread(function))
        return function

    return register


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """The function with its dataclass parameters spread into their fields, as Typer needs to see them."""
    groups: dict[str, type[Any]] = {}
    parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    wanted = dict(inspect.signature(function, eval_str=True).parameters)
    asks = wanted.pop("context", None) is not None
    for one in wanted.values():
        if isinstance(one.annotation, type) and is_dataclass(one.annotation):
            groups[one.name] = one.annotation
            parameters += _parameters(one.annotation)
        else:
            parameters.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(function)
    def called(*, context: typer.Context, **given: Any) -> None:
        for name, group in groups.items():
            value = group(**{one.name: given.pop(one.name) for one in fields(group)})
            given[name] = value.after(_earlier(context)) if isinstance(value, Common) else value
        function(**given | ({"context": context} if asks else {}))

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _parameters(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name]
        )
        for one in fields(group)
    ]


def _earlier(context: Any) -> Common:
    """What was given before the verb."""
    parent = context.parent
    if parent is None:
        return Common()
    given = Common(**{one.name: parent.params.get(one.name) for one in fields(Common)})
    return given.after(_earlier(parent))
