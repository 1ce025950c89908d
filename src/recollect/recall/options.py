"""What a recall may be asked beside its question, as keywords: what an editor offers, and a type checker checks."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypedDict

from recollect.model import Lane

Moment = datetime | str
"""A text is ISO 8601."""
Several = Iterable[str] | str
"""One may stand for a list of one."""


class RecallOptions(TypedDict, total=False):
    """The fields of `Query` that a caller may name; each is explained there."""

    session: str | None
    lanes: Iterable[Lane | str] | Lane | str | None
    kinds: Several | None
    tags: Several
    ids: Several | None
    season: str | None
    only_session: str | None
    run: str | None
    actor: str | None
    event_type_prefix: str | None
    since: Moment | None
    until: Moment | None
    as_of: Moment | None
    valid_at: Moment | None
    include_superseded: bool
    include_dormant: bool
    only_period: bool
    per_session: int | None
    min_relevance: float | None
    every_channel: bool
    channels: Several | None
    edge_boost: Mapping[str, float] | None
    level: str | int | None
    deep: bool
    profile: str
    ablate: Several


class AskOptions(RecallOptions, total=False):
    """The same where a recall is one part of what is asked: its own keywords, too."""

    k: int | None
    channel: str | None
    learn: bool
    shared: bool | None
