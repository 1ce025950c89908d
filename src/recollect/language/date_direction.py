"""Which way a day without a year, or a weekday, is meant: the last one, the next one, or nobody can tell."""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from recollect.language.date_rules import Tense, beside
from recollect.language.period_grammar import Point
from recollect.language.verbs import BASE, NONE, THIRD, verbs

Direction = Literal["back", "ahead", "either"]
"""`either` is what its words leave open, where how near it is may still tell."""

# A clause is seldom longer, and a text of dates only is read in proportion to its length.
_REACH: Final = 300
_SENTENCE_END: Final = re.compile(r"[!?;\n]|\.(?!\d)")
_WORD: Final = re.compile(r"[a-z']+")


class _Verb(NamedTuple):
    """What tells a tense, in the order in which two of one place count."""

    start: int
    end: int
    tense: Literal["open", "future", "arranged", "shifted", "present", "past"]


class _Around(NamedTuple):
    """What stands before and after a date: in its clause, and in its sentence."""

    before: str
    after: str
    sentence_before: str
    sentence_after: str


def direction(point: Point, folded: str, rules: Tense) -> Direction | None:
    """Which one of what comes again and again is meant; None where it cannot be told."""
    if beside(rules.back, point, folded):
        return "back"
    around = _around(point, folded, rules)
    told = rules.speaks_of_past(f"{around.sentence_before} {around.sentence_after}")
    if not told or beside(rules.meant, point, folded):
        return "ahead"
    toward = beside(rules.toward, point, folded)
    verb = _governing(around, rules, toward=toward)
    if verb is None:
        return "ahead" if _has_its_own(around.before, rules) else None
    if verb.tense == "open" or (verb.tense == "past" and _may_be_ahead(point, folded, rules)):
        return "either"
    if verb.tense == "past":
        return None if toward else "back"
    return "ahead"


def _may_be_ahead(point: Point, folded: str, rules: Tense) -> bool:
    return beside(rules.reached, point, folded) or beside(rules.of_a_thing, point, folded)


def clause(point: Point, folded: str, rules: Tense) -> str:
    """The clause that a date stands in, without the date."""
    around = _around(point, folded, rules)
    return f"{around.before} {around.after}"


def sentence(point: Point, folded: str) -> str:
    """The sentence that a date stands in, without the date."""
    return " ".join(_sides(point, folded))


def _sides(point: Point, folded: str) -> tuple[str, str]:
    before = folded[max(0, point.start - _REACH) : point.start]
    after = folded[point.end : point.end + _REACH]
    return _SENTENCE_END.split(before)[-1], _SENTENCE_END.split(after, maxsplit=1)[0]


def _around(point: Point, folded: str, rules: Tense) -> _Around:
    before, after = _sides(point, folded)
    started = max((match.end() for match in rules.joints.finditer(before)), default=0)
    # "On Friday, I met Tom": a date that leads is of the clause that it leads.
    led = len(after) - len(after.lstrip(" ,")) if rules.bare.fullmatch(before[started:]) else 0
    joint = rules.joints.search(after, led)
    return _Around(before[started:], after[: joint.start() if joint else len(after)], before, after)


def _governing(around: _Around, rules: Tense, *, toward: bool) -> _Verb | None:
    """The verb that says when: the nearest one on the side where the language has it, then on the other."""

    def last(text: str) -> _Verb | None:
        found = list(_verbs(text, rules, toward=toward))
        nearest = max(found, key=lambda verb: (verb.end, -verb.start), default=None)
        if nearest is None or not _may_describe(nearest, text, rules):
            return nearest
        return next((verb for verb in found if verb.tense == "future"), nearest)

    def first(text: str) -> _Verb | None:
        return min(_verbs(text, rules, toward=toward), key=lambda verb: (verb.start, -verb.end), default=None)

    if rules.verb_last:
        return first(around.after) or last(around.before) or first(around.sentence_after)
    if rules.bare.fullmatch(around.before):
        apart = last(around.sentence_before) if around.sentence_after.startswith(",") else None
        return apart or first(around.after) or last(around.sentence_before) or first(around.sentence_after)
    return last(around.before) or first(around.after)


def _may_describe(verb: _Verb, text: str, rules: Tense) -> bool:
    """Whether a form of the past may only describe a thing: nobody stands before it who did it."""
    doubtful = verb.tense == "past" and rules.past_or_not.search(text[verb.start : verb.end])
    return bool(doubtful) and rules.done_by.search(text[: verb.start]) is None


def _verbs(text: str, rules: Tense, *, toward: bool) -> Iterator[_Verb]:
    for match in rules.open.finditer(text):
        yield _Verb(*match.span(), "open")
    for match in rules.future.finditer(text):
        yield _Verb(*match.span(), "future")
    for match in rules.arranged.finditer(text):
        yield _Verb(*match.span(), "arranged")
    for match in rules.shifted.finditer(text) if toward else ():
        yield _Verb(*match.span(), "shifted")
    present = [match.span() for match in rules.present.finditer(text)]
    present += [match.span() for match in _WORD.finditer(text) if match.group() in rules.present_words]
    for span in present:
        yield _Verb(*span, "present")
    ends = {end for _, end in present}
    for start, end in rules.pasts(text):
        # "is held", "are closed": how it is.
        if len(text[:start].rstrip()) not in ends:
            yield _Verb(start, end, "past")


def _has_its_own(before: str, rules: Tense) -> bool:
    """Whether a clause without a sign of a tense tells something by itself: "the results come on", "we launch on"."""
    known = verbs(rules.language)
    return rules.subject.match(before) is not None or any(
        {BASE, THIRD} & known.forms.get(word, NONE) and word not in known.ambiguous
        for word in _WORD.findall(before)
    )
