"""Dates in what is stated: "yesterday" written as the day it was, and until when it holds or is meant for."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from recollect.language.calendar_spans import Span
from recollect.language.date_direction import clause, sentence
from recollect.language.date_rules import Tense, beside, tense, written
from recollect.language.date_spans import spans
from recollect.language.period_grammar import Point, points
from recollect.language.phrases import flat
from recollect.language.tongue import tongue

# What is planned without a date is looked at again after this.
DEFAULT_FORESIGHT: Final = timedelta(days=7)

_LONG: Final = 4096
_LAST: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text: where it stands, and the stretch [since, until) that it means."""

    start: int
    end: int
    since: datetime
    until: datetime
    said: str
    """How it is said, folded."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with its dates written out, and what they say about when it holds."""

    text: str
    mentions: tuple[Mention, ...] = ()
    valid_until: datetime | None = None
    """When it stops being true, where the text says so."""
    intended: tuple[datetime, datetime] | None = None
    """The stretch [since, until) that something is planned for."""


def dated(text: str, said_at: datetime, language: str | None = None, known: Dated | None = None) -> Dated:
    """The text as it reads at any later time; `said_at` is when it was said.

    Where the text only repeats in other words what was said, the dates of that are `known`.

    >>> dated("I moved to Lisbon yesterday", datetime(2026, 3, 2, 9)).text
    'I moved to Lisbon on 2026-03-01'
    >>> found = dated("I'm in Berlin until Friday", datetime(2026, 3, 2, 9))
    >>> found.text, found.valid_until.date().isoformat()
    ("I'm in Berlin until 2026-03-06", '2026-03-07')
    >>> dated("Dün Lizbon'a taşındım", datetime(2026, 3, 2, 9)).text
    "2026-03-01 tarihinde Lizbon'a taşındım"
    """
    now = said_at if said_at.tzinfo else said_at.replace(tzinfo=UTC)
    folded = flat(text[:_LONG])
    found = points(folded, text[:_LONG])
    language = _language(found, language or tongue(text))
    rules = tense(language)
    parts: list[str] = []
    mentions: list[Mention] = []
    at, until, intended = 0, None, None
    resolved = None if known is None else {m.said: (m.since, m.until) for m in known.mentions}
    for point, span, stretch in spans(found, folded, text[:_LONG], now, rules, resolved):
        mentions.append(Mention(point.start, point.end, *span, folded[point.start : point.end]))
        put, end = written(point, span, text, folded, language)
        parts += [text[at : point.start], put]
        at = end
        holds, meant = _foresight(point, stretch, folded, now, rules)
        until, intended = until or holds, intended or meant
    if until is None and intended is None and _planned(folded, rules):
        # At the end of the calendar there is nothing to look at again.
        until = now + DEFAULT_FORESIGHT if now < _LAST - DEFAULT_FORESIGHT else None
    return Dated("".join([*parts, text[at:]]), tuple(mentions), until, intended)


def _language(found: list[Point], shown: str) -> str:
    """The language of a text; a short one may show its own in nothing but its date."""
    said = {point.language for point in found if point.language}
    return said.pop() if len(said) == 1 else shown


def _foresight(
    point: Point, span: Span, folded: str, now: datetime, rules: Tense
) -> tuple[datetime | None, tuple[datetime, datetime] | None]:
    """Until when what is said of this date holds, and for when it is meant."""
    since, until = span
    if until <= now or beside(rules.since, point, folded):
        return None, None
    reached = _is_reached(point, folded, rules)
    if not reached and (beside(rules.until, point, folded) or point.parts.get("stretch")):
        return until, None
    whole = sentence(point, folded)
    planned = rules.future.search(whole) is not None
    if since > now or planned:
        holds_on = reached or rules.standing.search(whole) is not None or _is_told(point, folded, rules)
        return None if holds_on else until, (since, until)
    # "this week I'm in Berlin" holds for the week; "I moved this week" holds on.
    absolute = "year" in point.parts
    return (None if absolute or rules.speaks_of_past(whole) else until), None


def _is_told(point: Point, folded: str, rules: Tense) -> bool:
    """Whether beside a date it is told what somebody did, whatever is planned elsewhere."""
    loose = "year" in point.parts or (point.recurs and not point.is_picked)
    planned = rules.future.search(clause(point, folded, rules)) is not None
    return loose and not planned and rules.speaks_of_past(sentence(point, folded))


def _is_reached(point: Point, folded: str, rules: Tense) -> bool:
    """Whether the date is one by which something was done: "the draft had 4,700 words by May 13"."""
    if not beside(rules.reached, point, folded):
        return False
    told = clause(point, folded, rules)
    return rules.future.search(told) is None and rules.speaks_of_past(told)


def _planned(folded: str, rules: Tense) -> bool:
    return rules.plans.search(folded) is not None and rules.lasting.search(folded) is None
