"""What a message states, one thing at a time: questions and small talk left out, pronouns named."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from recollect.language.clauses import Clause, clauses, grammar, ground, is_finite, statement_end
from recollect.language.coreference import Coreference, Person
from recollect.language.endings import raised
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern, patterns
from recollect.language.quoting import own
from recollect.language.sentences import Sentence, sentences
from recollect.language.tongue import tongue

MAX_STATEMENTS: Final = 256

_EDGES: Final = " \t\r\n,;:–—-"
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that was said, able to stand alone as far as rules can make it."""

    text: str
    start: int
    end: int
    """Where its own words stand in the message; a subject said again stands before them."""
    language: str
    kind: Literal["statement", "request"] = "statement"
    dangling: bool = False
    """It starts with a pronoun that nobody could be found for."""


def statements(text: str, people: tuple[Person, ...] = ()) -> tuple[Statement, ...]:
    """The statements of a message in order; `people` were spoken of before it.

    >>> [s.text for s in statements("Hi! My wife Ada lives in Rome and works at Acme. She loves tea. Do you?")]
    ['My wife Ada lives in Rome', 'My wife Ada works at Acme', 'Ada loves tea']
    >>> [s.text for s in statements("Ayşe Roma'da yaşıyor ve Acme'de çalışıyor. Nasılsın?")]
    ["Ayşe Roma'da yaşıyor", "Ayşe Acme'de çalışıyor"]
    >>> [s.text for s in statements("Can you book a table? And could you always answer in French?")]
    ['Always answer in French']
    """
    found: list[Statement] = []
    talk = Coreference(people)
    message_language = tongue(text)
    for sentence in sentences(own(text)):
        language = tongue(sentence.text) if len(sentence.text) > 20 else message_language
        lasting = _lasting(sentence, language)
        for clause in _stated(sentence, language) if lasting is None else [lasting]:
            resolved = talk.resolve(clause.text, language)
            if _says_something(resolved.text, language):
                asks = lasting is None and _asks_for(resolved.text, language)
                kind: Literal["statement", "request"] = "request" if asks else "statement"
                start, end = sentence.start + clause.start, sentence.start + clause.end
                found.append(Statement(resolved.text, start, end, language, kind, resolved.dangling))
        if len(found) >= MAX_STATEMENTS:
            break
    return tuple(found[:MAX_STATEMENTS])


def _lasting(sentence: Sentence, language: str) -> Clause | None:
    """What a sentence asks for from then on, without what leads to it: "could you always answer in French?"."""
    lead, words = _standing(language)
    folded = flat(sentence.text)
    found = lead.match(folded)
    if found is None or not words.match(folded, found.end()):
        return None
    text = sentence.text[found.end() :].rstrip(_EDGES + ".!?…")
    return (
        Clause(raised(text[:1], language) + text[1:], found.end(), found.end() + len(text)) if text else None
    )


def _stated(sentence: Sentence, language: str) -> list[Clause]:
    """The clauses of a sentence that state something; of a question, those before it asks and why it does."""
    whole, grounds = sentence.text, list[Clause]()
    asks = sentence.asks or _rule("questions", language).match(flat(whole)) is not None
    tail = _rule("question_tail" if asks else "unmarked_tail", language)
    tag = _rule("tags", language).search(flat(whole))
    if sentence.asks and tag and tag.start() > 0:
        # Of themselves somebody knows it; of anybody else they ask.
        whole = whole[: tag.start()] if _rule("own", language).match(flat(whole)) else ""
    elif (asked := statement_end(whole, tail, language)) or asks:
        grounds = _grounds(whole, asked, tail, language)
        whole = whole[:asked].rstrip(_EDGES)
    return [*(clauses(whole, language) if whole else []), *grounds]


def _grounds(question: str, asked: int, tail: re.Pattern[str], language: str) -> list[Clause]:
    """What a question tells after it asks, as sentences of their own."""
    found = ground(question, asked, _rule("grounds", language), tail, language)
    if found is None:
        return []
    start, end = found
    return [
        Clause(raised(one.text[:1], language) + one.text[1:], one.start + start, one.end + start)
        for one in clauses(question[start:end].rstrip(_EDGES), language)
    ]


def _says_something(clause: str, language: str) -> bool:
    folded = flat(clause.strip(_EDGES + ".!?…")).replace(",", "")
    words = _WORD.findall(folded)
    if not words or (len(words) == 1 and not is_finite(words[0], grammar(language))):
        return False
    return _rule("small_talk", language).fullmatch(folded) is None


def _asks_for(clause: str, language: str) -> bool:
    return _rule("requests", language).match(flat(clause)) is not None


@cache
def _standing(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = tables("statements")[language]["standing"]
    return pattern(table["lead"]), pattern(table["words"])


@cache
def _rule(key: str, language: str) -> re.Pattern[str]:
    return patterns("statements", key)[language]
