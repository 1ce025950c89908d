"""What a question's own words tell before anything is looked up: each a stage, and a layer that can be switched."""

from dataclasses import replace
from types import MappingProxyType

from recollect.language import compound, periods
from recollect.language.expansion import variants
from recollect.language.framing import framed
from recollect.language.intents import PLANS, intent
from recollect.language.past import about_the_past
from recollect.language.smalltalk import no_need
from recollect.language.turns import goes_on
from recollect.recall.routing import routed
from recollect.recall.work import Sources, Work

MESSAGE = MappingProxyType({"meaning": 0.15, "session_words": -0.10})
"""Many of a message's words are about something else than what helps it: it is rather found by what it says as a
whole. For questions the same shift would find less."""


def gate(work: Work, _: Sources) -> dict[str, object]:
    """Small talk is refused before it costs an embedding (C19)."""
    work.refusal = no_need(work.query.text)
    return {"refused": work.refusal} if work.refusal else {}


def history(work: Work, _: Sources) -> dict[str, object]:
    """Whoever asks what held before, or how it changed, gets what is superseded too (C23)."""
    if not about_the_past(work.query.text):
        return {}
    work.where = replace(work.where, unexpired_at=None)
    return {"about_the_past": True}


def period(work: Work, _: Sources) -> dict[str, object]:
    """The time that the question names, seen from when it is asked (S8)."""
    found = periods.period(work.query.text, work.moment)
    if found is None:
        return {}
    work.period = found
    is_ahead = found.since is not None and found.since > work.moment
    if work.query.only_period and not is_ahead:
        work.where = replace(
            work.where,
            since=max((end for end in (work.where.since, found.since) if end), default=None),
            until=min((end for end in (work.where.until, found.until) if end), default=None),
        )
    since, until = (None if end is None else end.isoformat() for end in (found.since, found.until))
    return {
        "phrase": found.phrase,
        "since": since,
        "until": until,
        "is_ahead": is_ahead,
        "is_filter": work.query.only_period and not is_ahead,
    }


def focus(work: Work, _: Sources) -> dict[str, object]:
    """How the answer is to be told, in order or as a summary, is not searched for."""
    work.framed = framed(work.query.text)
    return {} if work.framed is None else {"topic": work.framed.topic, "sums_up": work.framed.sums_up}


def router(work: Work, _: Sources) -> dict[str, object]:
    """What the question is after decides how the signals are weighed (C17)."""
    kind = intent(work.query.text)
    work.plan = PLANS[kind]
    work.profile = routed(work.profile, work.plan)
    if work.plan.include_superseded:
        work.where = replace(work.where, unexpired_at=None)
    return {"intent": kind.value}


def parts(work: Work, _: Sources) -> dict[str, object]:
    """A compound question is also asked in the questions that it holds (C18)."""
    questions = compound.parts(work.query.text)
    if len(questions) < 2:
        return {}
    work.parts = tuple(replace(work, query=replace(work.query, text=part), framed=None) for part in questions)
    return {"parts": list(questions)}


def expansion(work: Work, _: Sources) -> dict[str, object]:
    """Statements that an answer might look like, to be searched by their centre (C16)."""
    work.variants = variants(work.query.text)
    return {"variants": list(work.variants)} if work.variants else {}


def lately(work: Work, _: Sources) -> dict[str, object]:
    """A message that goes on with a conversation is weighed as one, and prefers what was said lately."""
    # A document's formula ranks as the document says.
    if "lately" not in work.profile.weights or not goes_on(work.query.text):
        return {}
    work.goes_on = True
    work.profile = work.profile.shifted(**MESSAGE)
    return {"goes_on": True}
