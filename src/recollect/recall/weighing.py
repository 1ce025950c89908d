"""Every signal of the candidates: what the index, the store and the question's own words know of them."""

import numpy as np
from numpy.typing import NDArray

from recollect.candidates import Candidates
from recollect.formulas.recency import by_later_days
from recollect.formulas.relevance import relevance
from recollect.language.first_person import first_person
from recollect.language.periods import Period
from recollect.model import microseconds
from recollect.ports import Accesses, Columns, calibration_of
from recollect.recall import hopping, sharing, spreading
from recollect.recall.close_reading import Read, read_closely
from recollect.recall.evidence import Evidence, similarity
from recollect.recall.membership import memberships
from recollect.recall.outcomes import outcomes
from recollect.recall.showing import Unseen
from recollect.recall.signals import ACCESSED, SIGNALS
from recollect.recall.work import Sources, Work

SHORT_QUESTION_WORDS = 40
"""A longer one is a message of its own, in which "I" says little about who is to be heard."""
MOST_ASKED = 1_000
FOLLOWED = frozenset({"cascade", "edge_boost"})
"""Signals that follow relations which somebody wrote."""
NOT_ASKED = Accesses(*(np.empty(0, np.int64) for _ in range(3)))


def weigh(work: Work, sources: Sources) -> dict[str, object]:
    """Every signal as a column over the candidates, in the order of their contents."""
    found, columns = _confirmed(work, sources)
    closely = None
    if work.words is not None and len(found.contents):
        closely = read_closely(sources.index, work.words, found, with_context="context" in work.layers)
    if closely is None:
        work.profile = work.profile.without("matched_words", "matched_nearby")
    evidence = _evidence(work, found, columns, closely, sources)
    work.columns, work.similarity = columns, similarity(evidence)
    work.own, work.said = found.own, found.said
    work.weighed, work.matches = found, None if closely is None else closely.matches
    calibration = calibration_of(sources.embedder)
    if calibration is not None and closely is not None:
        likely = relevance(work.similarity, closely.nearby, calibration)
        # What a good hit names need not be like the question.
        leads = (evidence.linked, *(evidence.spread[name] for name in FOLLOWED & evidence.spread.keys()))
        work.relevance = np.maximum.reduce([likely, *leads])
    work.values = {name: SIGNALS[name](evidence) for name in work.profile.weights}
    return {"confirmed": len(columns.contents), "texts_read": 0 if closely is None else closely.texts}


def _confirmed(work: Work, sources: Sources) -> tuple[Candidates, Columns]:
    """The candidates with what their versions say of them: as the index has it, or as the store does.

    The index knows the newest versions only. The store is asked for those of another time, and where the two turned
    out to differ.
    """
    order = np.argsort(work.found.contents, kind="stable")
    if work.found.current and not work.doubted:
        found = work.found.taking(order)
        return found, Columns(found.contents, found.confidence, found.importance, found.valid_from)
    columns = sources.store.columns(sources.user, work.found.contents, work.where)
    places = np.searchsorted(work.found.contents, columns.contents, sorter=order)
    return work.found.taking(order[places]), columns


def _accesses(work: Work, sources: Sources, contents: NDArray[np.int64]) -> Accesses:
    """How the candidates were used, where the profile weighs it."""
    if not ACCESSED & work.profile.weights.keys():
        return NOT_ASKED
    accesses = sources.store.accesses(sources.user, contents, work.where)
    if len(accesses.contents) < len(contents):
        raise Unseen
    return accesses


def _evidence(
    work: Work,
    found: Candidates,
    columns: Columns,
    closely: Read | None,
    sources: Sources,
) -> Evidence:
    nothing = np.zeros(len(found.contents))
    own = "own_words" in work.layers and _prefers_the_asker(work)
    return Evidence(
        similarity=found.similarity.astype(np.float64),
        centred=found.centred.astype(np.float64),
        text=found.text.astype(np.float64),
        text_nearby=found.text_nearby.astype(np.float64),
        session_text=found.session_text.astype(np.float64) if "sessions" in work.layers else nothing,
        covered=nothing if closely is None else closely.alone,
        covered_nearby=nothing if closely is None else closely.nearby,
        own=found.own.astype(np.float64) if own else nothing,
        said=found.said,
        linked=hopping.column(found.contents, work.leads) if work.leads else nothing,
        shared=sharing.column(found.contents, work.shared, closely, found.rarity) if work.shared else nothing,
        columns=columns,
        accesses=_accesses(work, sources, columns.contents),
        members=memberships(work, sources, columns.contents),
        outcomes=outcomes(work, sources, columns.contents),
        lately=by_later_days(columns.valid_from) if work.goes_on else nothing,
        in_period=nothing if work.period is None else _inside(work.period, columns.valid_from),
        now=microseconds(work.moment),
        spread=spreading.columns(found.contents, {**work.spread, **work.standing}),
    )


def _prefers_the_asker(work: Work) -> bool:
    """Whether it is short and about the asker; a summary is of what was answered, too."""
    text = work.query.text
    if len(text) >= MOST_ASKED or len(text.split()) > SHORT_QUESTION_WORDS:
        return False
    return first_person(text) and not (work.framed is not None and work.framed.sums_up)


def _inside(period: Period, moments: NDArray[np.int64]) -> NDArray[np.float64]:
    inside = np.ones(len(moments), np.bool_)
    if period.since is not None:
        inside &= moments >= microseconds(period.since)
    if period.until is not None:
        inside &= moments < microseconds(period.until)
    return inside.astype(np.float64)
