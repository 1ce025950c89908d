"""What a message states, as memories could hold it: standalone, dated, with its entities and its category."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from recollect.language.category import BASE_CONFIDENCE, Category, category
from recollect.language.claims import Claim, claims
from recollect.language.clauses import grammar, has_verb
from recollect.language.corrections import correction
from recollect.language.courtesy import courteous, guessed, of_itself
from recollect.language.dates import Dated, dated
from recollect.language.density import informative, noted
from recollect.language.emotion import emotion
from recollect.language.endings import raised
from recollect.language.entities import Entity, entities
from recollect.language.outline import plain
from recollect.language.phrases import flat
from recollect.language.roles import called, is_user
from recollect.language.standalone import standalone, without_fillers
from recollect.language.statements import Statement, statements
from recollect.write.admission import LABEL, labels_in
from recollect.write.correcting import is_fragment, made_whole
from recollect.write.instructing import PROCEDURE, WARNING
from recollect.write.policy import Policy
from recollect.write.work import Draft, Heard, Refusal

STAGE: Final = "form"
_ASSISTANT: Final = "assistant"
_DATE: Final = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_LOUD: Final = 4
"""Marks after a statement that say how it was said."""
_PART: Final = 0.6
"""Which share of a statement's words a procedure has of which it is a part."""
_WORD: Final = re.compile(r"\w+")
_NAMED: Final = re.compile(
    r"(?P<who>\S.{0,80}?)(?:['’]s (?:first |full )?name)? is (?P=who)[.!]?", re.IGNORECASE
)
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]")
_SAID: Final = re.compile(r"[\w']+")
_QUOTES: Final = re.compile(r'["“”:]')
"""What is quoted claims nothing of whoever quotes it."""
_SHOWN_CHARACTERS: Final = 200
_NAME_WORDS: Final = 3
_KINDS: Final = {"entity-rich": "fact"}
_PLAIN: Final = Category("fact", BASE_CONFIDENCE["fact"], ())


def form(heard: Heard, policy: Policy) -> Refusal | None:
    """A draft of every statement; what asks, points elsewhere or says too little is left out with its reason."""
    found = drafted(heard.turn.text, heard, policy)
    if not found and not heard.drafts:
        reason = "it states nothing: questions, greetings or small talk"
        return Refusal(STAGE, reason, heard.turn.text[:_SHOWN_CHARACTERS])
    heard.parts += found
    return None


def drafted(text: str, heard: Heard, policy: Policy) -> list[Draft | Refusal]:
    """What becomes of every statement of a text that somebody said, or of a part of it."""
    said, told = plain(text), list[Statement]()
    for one in statements(said, heard.people):
        if not is_part_of_rule(one.text, heard):
            told.append(made_whole(one, [before.text for before in told], heard))
    return [_formed(one, said, heard, policy) for one in told]


def is_part_of_rule(said: str, heard: Heard) -> bool:
    """Whether it is in a procedure or a warning of the message that is kept already."""
    return any(_is_part(said, draft) for draft in heard.drafts if draft.kind in {PROCEDURE, WARNING})


def _is_part(said: str, rule: Draft) -> bool:
    """Whether it is a piece of a procedure, or the warning itself: those are kept whole."""
    ours, whole = flat(said), flat(rule.text)
    if rule.kind != PROCEDURE:
        return ours in whole or whole in ours
    words = _WORD.findall(ours)
    return sum(word in whole for word in words) >= _PART * len(words)


def _formed(said: Statement, text: str, heard: Heard, policy: Policy) -> Draft | Refusal:
    stated = _stated(said)
    reason = _objection(stated, heard)
    if reason is None and _NAMED.fullmatch(_told(stated.text, heard, stated.language)):
        reason = "it says of somebody what they are called"
    if reason is not None:
        return Refusal(STAGE, reason, said.text)
    labels = labels_in(stated.text)
    if labels and policy.personal_data == "refuse":
        return Refusal(STAGE, f"it has personal data: {', '.join(labels)}", said.text)
    return _draft(stated, text[said.start : said.end + _LOUD], heard, labels)


def _objection(said: Statement, heard: Heard) -> str | None:
    """Why a statement is not worth a memory, if it is not."""
    return next((reason for reason, holds in OBJECTIONS if holds(said, heard)), None)


def _is_courtesy(said: Statement, heard: Heard) -> bool:
    return courteous(said.text, said.language, helper=not is_user(heard.role))


def _is_role(said: Statement, heard: Heard) -> bool:
    return heard.role.lower() == _ASSISTANT and of_itself(said.text, said.language)


def _is_guess(said: Statement, heard: Heard) -> bool:
    return not is_user(heard.role) and guessed(said.text, said.language)


def _is_name(said: Statement, _: Heard) -> bool:
    words = said.text.split()
    return len(words) <= _NAME_WORDS and all(word[0].isupper() for word in words)


def _says_little(said: Statement, _: Heard) -> bool:
    """A short statement is enough where it is a preference or claims something: "I like tea"."""
    return not informative(said) and _says_nothing_sure(said)


def _says_nothing_sure(said: Statement) -> bool:
    kind = category(said.text)
    return (kind is None or kind.name != "preference") and not claims(said.text)


def _is_scrap(said: Statement, heard: Heard) -> bool:
    """A name of something, an answer without its question; but a line of a list, "allergies: nuts" and "dentist at 10" are notes."""
    if ":" in said.text or has_verb(said.text, said.language) or not _is_read(said, heard):
        return False
    kept = is_user(heard.role) and (_is_listed(said, heard) or noted(said.text, said.language))
    return not kept and _says_nothing_sure(said)


def _is_listed(said: Statement, heard: Heard) -> bool:
    return any(said.text in line for line in heard.turn.text.splitlines() if _ITEM.match(line))


def _is_read(said: Statement, heard: Heard) -> bool:
    """Whether it is sure that its language is one that there is data for, by it or by what was said around it."""
    around = " ".join((heard.turn.text, *(one.text for one in heard.before)))
    return not grammar(said.language)["sure"].isdisjoint(_SAID.findall(flat(around)))


OBJECTIONS: Final[tuple[tuple[str, Callable[[Statement, Heard], bool]], ...]] = (
    ("it corrects what was not told", lambda said, _: is_fragment(said.text)),
    ("it asks for something", lambda said, _: said.kind == "request"),
    ("it is a courtesy", _is_courtesy),
    ("it is guessed by somebody who helps", _is_guess),
    ("an assistant tells how somebody is whom it writes or plays", _is_role),
    ("it only leads to what follows", lambda said, _: said.text.rstrip().endswith(":")),
    ("it names something and says nothing of it", _is_name),
    ("nobody could be found whom its pronoun means", lambda said, _: said.dangling),
    ("it says nothing of anything: it has no verb", _is_scrap),
    ("it tells too little: fewer than two entities, facts or times", _says_little),
)


def _stated(said: Statement) -> Statement:
    """The statement without what leads to it: "please remember that", "no, I meant", "well, now"."""
    corrected = correction(said.text)
    found = statements(corrected) if corrected else ()
    if _one(found) and category(found[0].text) is not None:
        return _instead(said, found[0])
    plain = without_fillers(said.text, said.language)
    if plain == said.text:
        return said
    again = statements(plain)
    return _instead(said, again[0]) if len(again) == 1 else said


def _instead(said: Statement, stated: Statement) -> Statement:
    text = raised(stated.text[:1], stated.language) + stated.text[1:]
    return replace(stated, text=text, start=said.start, end=said.end)


def _one(found: tuple[Statement, ...]) -> bool:
    return len(found) == 1 and found[0].kind == "statement" and not found[0].dangling


def _draft(said: Statement, original: str, heard: Heard, personal_data: tuple[str, ...]) -> Draft:
    language, at = said.language, heard.turn.valid_from
    undated = _told(said.text, heard, language)
    # Who speaks shows when it is meant for; what is written out is what is kept.
    when = dated(said.text, at, language)
    text = undated if not when.mentions else dated(undated, at, language, when).text
    named = entities(text)
    kind = category(original, named) or _PLAIN
    return Draft(
        text,
        _KINDS.get(kind.name, kind.name),
        kind.confidence,
        emotion(original),
        _ends(when, at),
        tuple(entity.id for entity in named),
        _claims(text, undated),
        correction(original.strip()) is not None,
        _metadata(when, named, personal_data),
    )


def _told(text: str, heard: Heard, language: str) -> str:
    speaker = heard.speaker or called(heard.role, language)
    other = "assistant" if is_user(heard.role) else "user"
    return standalone(text, speaker, heard.listener or called(other, language), language)


def _ends(when: Dated, at: datetime) -> datetime | None:
    return when.valid_until if when.valid_until is not None and when.valid_until > at else None


def _claims(text: str, undated: str) -> tuple[Claim, ...]:
    """What it claims; the day on which something happened is no part of a value, unless it is the value."""
    found = tuple(one for one in claims(undated) if not _QUOTES.search(one.subject))
    if text == undated:
        return found
    days = {one.key: one for one in claims(text) if _DATE.fullmatch(one.value)}
    return tuple(days.get(one.key, one) for one in found)


def _metadata(when: Dated, named: tuple[Entity, ...], personal_data: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if named:
        found["entities"] = [entity.id for entity in named]
    if when.intended is not None:
        found["intended"] = [moment.isoformat() for moment in when.intended]
    if when.mentions:
        found["dates"] = [[one.since.isoformat(), one.until.isoformat()] for one in when.mentions]
    if personal_data:
        found[LABEL] = list(personal_data)
    return found
