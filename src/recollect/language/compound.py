"""A compound question as the questions that it holds, each of which can be looked up alone."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from recollect.language.lexicon import fold, tables
from recollect.language.names import names

MAX_PARTS: Final = 4
# Beyond this it is a document, not a question.
_LONGEST: Final = 1000
_SENTENCE: Final = re.compile(r"[^?]+\?*")
_STATEMENT: Final = re.compile(r"^.*[.!]\s+(?=\S)", re.DOTALL)


class _Words(NamedTuple):
    """How one language joins questions; the patterns are for folded text."""

    asks: re.Pattern[str]
    join: re.Pattern[str]
    opens: re.Pattern[str]
    determiners: frozenset[str]
    subject_first: bool
    pair: re.Pattern[str]
    joint: re.Pattern[str]


class _Clause(NamedTuple):
    lead: str
    asks: str
    rest: str

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


def parts(question: str) -> tuple[str, ...]:
    """The two to four questions that a question holds, or the question alone.

    >>> parts("When did Ada move and why?")
    ('When did Ada move', 'why did Ada move')
    >>> parts("Ayşe nerede oturuyor ve ne iş yapıyor?")
    ('Ayşe nerede oturuyor', 'Ayşe ne iş yapıyor')
    >>> parts("Do I like bread and butter?")
    ('Do I like bread and butter?',)
    """
    if len(question) > _LONGEST or len(fold(question)) != len(question):
        return (question,)
    asked = [sentence.strip() for sentence in _SENTENCE.findall(question) if _is_question(sentence)]
    found = dict.fromkeys(part for sentence in asked for part in _split(sentence.rstrip("? \n")))
    told = tuple(dict.fromkeys(_with_subject(tuple(found)[:MAX_PARTS], question)))
    return told if len(told) > 1 else (question,)


def _with_subject(found: tuple[str, ...], question: str) -> tuple[str, ...]:
    """The one name of a question in place of the pronouns that stand for it."""
    known = names(question)
    if len(known) != 1 or len(found) < 2:
        return found
    first, *later = found
    return first, *(
        part if known[0] in part else _pronoun().sub(lambda _: known[0], part, count=1) for part in later
    )


def _is_question(sentence: str) -> bool:
    folded = fold(sentence).strip()
    return folded.strip("? ") != "" and (folded.endswith("?") or any(w.opens.match(folded) for w in _all()))


def _split(sentence: str) -> tuple[str, ...]:
    sentence = _STATEMENT.sub("", sentence)
    for words in _all():
        clauses = _clauses(sentence, words)
        if len(clauses) > 1:
            return tuple(map(str, _completed(clauses, words)))
    for words in _all():
        if each := _one_by_one(sentence, words):
            return each
    return (sentence,)


def _clauses(sentence: str, words: _Words) -> list[_Clause]:
    folded = fold(sentence)
    if len(folded) != len(sentence):
        return []
    cuts = [(0, 0), *(match.span("join") for match in words.join.finditer(folded))]
    ends = [start for start, _ in cuts[1:]] + [len(sentence)]
    clauses = [
        _clause(sentence[begin:end].strip(), words) for (_, begin), end in zip(cuts, ends, strict=True)
    ]
    whole = any(clause.rest for clause in clauses) and all(_asks_alone(clause, words) for clause in clauses)
    return clauses if whole else []


def _clause(text: str, words: _Words) -> _Clause:
    match = words.asks.search(fold(text))
    if match is None:
        return _Clause("", "", text)
    return _Clause(
        text[: match.start()].strip(), text[match.start() : match.end()], text[match.end() :].strip()
    )


def _asks_alone(clause: _Clause, words: _Words) -> bool:
    needed = 2 if fold(clause.asks) in words.determiners else 0
    return bool(clause.asks) and len(clause.rest.split()) >= needed


def _completed(clauses: list[_Clause], words: _Words) -> Iterator[_Clause]:
    """Each clause with what it leaves unsaid: what is asked about, and who."""
    whole = next(clause for clause in clauses if clause.rest)
    for clause in clauses:
        if not clause.rest:
            yield _Clause(clause.lead or whole.lead, clause.asks, whole.rest)
        elif words.subject_first:
            yield clause._replace(lead=clause.lead or whole.lead)
        else:
            yield clause


def _one_by_one(sentence: str, words: _Words) -> tuple[str, ...]:
    """The question for each of two names, where it asks about both and not about what is between them."""
    folded = fold(sentence)
    if len(folded) != len(sentence) or words.joint.search(folded):
        return ()
    known = names(sentence)
    for match in words.pair.finditer(folded):
        for first in known:
            start = match.start() - len(first)
            for second in known:
                if sentence[start : match.start()] == first and sentence.startswith(second, match.end()):
                    head, tail = sentence[:start], sentence[match.end() + len(second) :]
                    return f"{head}{first}{tail}", f"{head}{second}{tail}"
    return ()


@cache
def _pronoun() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{'|'.join(word for table in tables('compound').values() for word in table['pronouns'])})\b"
    )


@cache
def _all() -> tuple[_Words, ...]:
    return tuple(_words(table) for table in tables("compound").values())


def _words(table: Mapping[str, Any]) -> _Words:
    asks = "|".join(table["questions"])
    openings = "|".join([asks, *table["openings"]])
    return _Words(
        asks=re.compile(rf"\b(?:{asks})(?!\w)"),
        join=re.compile(rf"(?P<join>(?:\b|\s*)(?:{'|'.join(table['joins'])})\s{{1,4}})(?=(?:{asks})(?!\w))"),
        opens=re.compile(rf"(?:{openings})(?!\w)"),
        determiners=frozenset(table["determiners"]),
        subject_first=table["subject_first"],
        pair=re.compile(rf"\s(?:{'|'.join(table['and'])})\s"),
        joint=re.compile(rf"\b(?:{'|'.join(table['joint'])})(?!\w)"),
    )
