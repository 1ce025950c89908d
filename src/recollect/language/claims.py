"""Statements reduced to what they say of whom: subject, attribute, value and whether it holds.

Rules only, from `data/<language>/claims.toml`. What is not certain to be a fact about one thing is left out: a
claim that is missed costs a comparison, one that is wrong costs a memory.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from recollect.language.claim_attributes import attribute_of, capitalised, several
from recollect.language.claim_clauses import Clause, clauses, prepared
from recollect.language.claim_frames import Frame, Grammar, Holds, grammars
from recollect.language.claim_subjects import Subject, around, plain, subject_of, titled
from recollect.language.claim_values import Value, value_of

LONGEST_TEXT: Final = 200_000
_WORD: Final = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Claim:
    """One fact. `key` is what it is about; two claims with one key and other values may contradict.

    `past`: it was so, and nothing is said about now. `holds`: how many values a key has at a time. `begins`: a date
    that is told with it is the one since when it holds.
    """

    subject: str
    attribute: str
    value: str
    polarity: bool = True
    holds: Holds = "one"
    number: bool = False
    past: bool = False
    begins: bool = False
    text: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str]:
        return self.subject, self.attribute


def claims(text: str) -> tuple[Claim, ...]:
    """Every fact that the text states in a form that is known.

    >>> [(c.subject, c.attribute, c.value) for c in claims("Ada moved to Porto. The capital of Peru is Lima.")]
    [('ada', 'residence', 'porto'), ('peru', 'capital', 'lima')]
    """
    whole = prepared(text[:LONGEST_TEXT])
    found: dict[Claim, None] = {}
    for grammar in grammars().values():
        for clause in clauses(whole, grammar):
            found.update(dict.fromkeys(_read(clause, grammar)))
    return tuple(found)


def _read(clause: Clause, grammar: Grammar) -> Iterator[Claim]:
    if _unreal(clause, grammar):
        return
    words = set(_WORD.findall(clause.folded))
    for frame in grammar.frames:
        if frame.cues and words.isdisjoint(frame.cues):
            continue
        match = frame.form.match(clause.folded)
        claim = match and _claim(clause, frame, match, grammar)
        if claim:
            yield claim
            return


def _unreal(clause: Clause, grammar: Grammar) -> bool:
    """Whether the clause asks, wishes or supposes. A capital is a name: Will Smith, May Day."""
    if grammar.reading["unreal_start"].match(clause.folded) and not titled(clause):
        return True
    return any(plain(clause, match) for match in grammar.reading["unreal"].finditer(clause.folded))


def _claim(clause: Clause, frame: Frame, match: re.Match[str], grammar: Grammar) -> Claim | None:
    if not frame.general and not _spoken(clause, match):
        return None
    part = {name: clause.cut(*match.span(name)) for name, text in match.groupdict().items() if text}
    if "attribute" in part and match.start("attribute") == 0:
        part["attribute"] = replace(part["attribute"], written=part["attribute"].folded)
    if "class" in part and capitalised(part["class"]):
        part["value"] = clause.cut(match.start("class"))
        del part["class"]
    subject = _subject(part, frame, grammar)
    value = Value(frame.is_, certain=True) if frame.is_ else value_of(part.get("value"), frame, grammar)
    if subject is None or value is None:
        return None
    named = attribute_of(part, frame, subject, value, grammar)
    if named is None:
        return None
    attribute, holds = named
    negated = "negation" in part
    return Claim(
        subject.name,
        attribute,
        value.text,
        polarity=frame.polarity != negated,
        holds=_holds(clause, subject, holds, grammar),
        number=value.number,
        past="past" in part and not frame.timeless,
        begins=frame.begins,
        text=clause.written,
    )


def _holds(clause: Clause, subject: Subject, holds: Holds, grammar: Grammar) -> Holds:
    """How many values hold: what lasts for a while or on some days ends nothing, another son is of another age."""
    if holds != "one":
        return holds
    if grammar.reading["limited"].search(clause.folded):
        return "event"
    changed = grammar.reading["changed"].search(clause.folded)
    return "many" if several(subject, grammar) and not changed else "one"


def _spoken(clause: Clause, match: re.Match[str]) -> bool:
    """Whether the verb stands in lower case; with a capital it is part of a title: Paradise Lost was written."""
    found = match.groupdict()
    if not found.get("subject") or not found.get("value"):
        return True
    verb = clause.written[match.end("subject") : match.start("value")].split()[:1]
    return all(word == word.lower() for word in verb)


def _subject(part: dict[str, Clause], frame: Frame, grammar: Grammar) -> Subject | None:
    if frame.who:
        return Subject(frame.who, "pronoun")
    if "around" in part:
        return around(part["around"], grammar)
    return subject_of(part["subject"], grammar) if "subject" in part else None
