"""Sentences that say the opposite of one another in otherwise the same words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from recollect.language.lexicon import fold, tables
from recollect.language.terms import STOP_WORDS, terms

LONGEST: Final = 600
_LEAST_DENIED, _MOST_BETWEEN = 2, 1
"""What is denied of all is found among more words where it has so many, with at most so many between any two."""
_WORD: Final = re.compile(r"[\w-]+")
_OPENING: Final = re.compile(r"^\s*\w{1,4},\s+")
_Opposed = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence without the words that make it negative: what is denied or affirmed."""

    words: tuple[str, ...]
    negative: bool
    nobody: bool
    universal: bool
    """Whether it denies of all, or at all times."""
    never: bool
    partial: bool
    past: bool


@dataclass(frozen=True, slots=True)
class _Lexicon:
    contractions: re.Pattern[str]
    spelt: Mapping[str, str]
    synonyms: Mapping[str, str]
    negators: frozenset[str]
    nobody: frozenset[str]
    universal: frozenset[str]
    never: frozenset[str]
    partial: frozenset[str]
    past: frozenset[str]
    unsaid: frozenset[str]
    adjuncts: frozenset[str]
    head_final: bool
    antonyms: frozenset[_Opposed]
    qualities: frozenset[_Opposed]


def negates(new: str, old: str) -> str | None:
    """Why one sentence denies the other; None where it does not, or where it speaks of another time.

    >>> negates("No man is playing guitar", "A man is playing the guitar")
    'says the opposite of the same words'
    """
    if max(len(new), len(old)) > LONGEST:
        return None
    return next(filter(None, (_denial(new, old, language) for language in _lexicons())), None)


def negative(text: str) -> bool:
    """Whether a sentence denies something, in any language.

    >>> negative("Ada is not at home"), negative("Ada is at home")
    (True, False)
    """
    return any(_reading(text[:LONGEST], language).negative for language in _lexicons())


def goes_for(denied: str, affirmed: str) -> bool:
    """Whether denying the one thing denies the other, which is the same with more words.

    >>> goes_for("tea", "green tea with milk"), goes_for("tea", "tea bags"), goes_for("green tea", "tea")
    (True, False, False)
    """
    yes, no = terms(affirmed), terms(denied)
    return any(_includes(yes, no, lexicon) for lexicon in _lexicons().values())


def _denial(new: str, old: str, language: str) -> str | None:
    ours, theirs = _reading(new, language), _reading(old, language)
    if not ours.words or not theirs.words:
        return None
    lexicon = _lexicons()[language]
    if ours.never and not theirs.negative and _happened(ours, theirs, lexicon):
        return "says that it never happened"
    if ours.past or theirs.past:
        return None
    if ours.negative != theirs.negative:
        denied, affirmed = (ours, theirs) if ours.negative else (theirs, ours)
        return "says the opposite of the same words" if _denied(denied, affirmed, lexicon) else None
    return _opposite(ours, theirs, lexicon)


def _denied(denied: Reading, affirmed: Reading, lexicon: _Lexicon) -> bool:
    """Whether what is affirmed is what is denied, or tells more of it."""
    no, yes = denied.words, affirmed.words
    if denied.universal:
        counted = affirmed.partial and yes[:1] != no[:1]
        if len(no) < _LEAST_DENIED:
            return yes == no
        return _includes(yes[1:] if counted else yes, no, lexicon) or (
            denied.nobody and yes[-len(no) :] == no
        )
    if affirmed.partial:
        return False
    more, start = (
        (yes[: -len(no)], yes[-len(no) :]) if lexicon.head_final else (yes[len(no) :], yes[: len(no)])
    )
    return start == no and (not more or more[0] in lexicon.adjuncts)


def _happened(denied: Reading, affirmed: Reading, lexicon: _Lexicon) -> bool:
    """Whether what is said never to have happened did: the same was done, in circumstances that the denial names.

    "I never met Kelly at a book club" denies "I met Kelly at the library's book club in May", and not "I met Kelly".
    """
    if lexicon.head_final:
        return False
    at = next((at for at, word in enumerate(denied.words) if word in lexicon.adjuncts), len(denied.words))
    done, where = denied.words[:at], frozenset(denied.words[at:]) - lexicon.adjuncts - STOP_WORDS
    if len(done) <= _LEAST_DENIED or not where or not _includes(affirmed.words, done, lexicon):
        return False
    return 2 * len(where.intersection(affirmed.words[len(done) :])) > len(where)


def _includes(yes: Sequence[str], no: Sequence[str], lexicon: _Lexicon) -> bool:
    """Whether the words that are denied stand among the others in their order, with little between them."""
    rest = yes
    for word in no:
        if word not in rest[: _MOST_BETWEEN + 1]:
            return False
        at = rest.index(word)
        if not lexicon.adjuncts.isdisjoint(rest[:at]):
            return False
        rest = rest[at + 1 :]
    return not rest or rest[0] in lexicon.adjuncts


def _opposite(ours: Reading, theirs: Reading, lexicon: _Lexicon) -> str | None:
    """What differs between two readings, where it is a pair of opposites."""
    if ours.partial or theirs.partial:
        return None
    start = _shared(ours.words, theirs.words)
    end = _shared(ours.words[start:][::-1], theirs.words[start:][::-1])
    one, other = (words[start : len(words) - end] for words in (ours.words, theirs.words))
    if not one or not other:
        return None
    pair = (min(one, other), max(one, other))
    if pair in lexicon.antonyms or (not end and pair in lexicon.qualities):
        return f"{' '.join(one)} is the opposite of {' '.join(other)}"
    return None


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many words both begin with."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


# A new statement is compared with its neighbours one after the other, and they are the next one's neighbours too.
@lru_cache(maxsize=512)
def _reading(text: str, language: str) -> Reading:
    lexicon = _lexicons()[language]
    folded = lexicon.contractions.sub(lambda found: lexicon.spelt[found[0]], _OPENING.sub("", fold(text)))
    words = _WORD.findall(folded)
    said = " ".join(words)
    nobody = any(f" {word} " in f" {said} " for word in lexicon.nobody)
    kept = [word for word in words if word not in lexicon.unsaid]
    if nobody:
        kept = [word for word in kept if all(word not in idiom.split() for idiom in lexicon.nobody)]
    return Reading(
        words=tuple(terms(" ".join(lexicon.synonyms.get(word, word) for word in kept))),
        negative=not lexicon.negators.isdisjoint(words),
        nobody=nobody,
        universal=not lexicon.universal.isdisjoint(words),
        never=not lexicon.never.isdisjoint(words),
        partial=bool(words) and words[0] in lexicon.partial,
        past=not lexicon.past.isdisjoint(words),
    )


@cache
def _lexicons() -> Mapping[str, _Lexicon]:
    return {language: _lexicon(table) for language, table in tables("polarity").items()}


def _lexicon(table: Mapping[str, Any]) -> _Lexicon:
    spelt: Mapping[str, str] = table["contractions"]
    unsaid = frozenset(table["dropped"]).union(table["negators"], table["anybody"])
    synonyms = {word: row[0] for row in table["synonyms"] for word in row}
    longest_first = sorted(spelt, key=len, reverse=True)
    return _Lexicon(
        contractions=re.compile("|".join(rf"{re.escape(word)}\b" for word in longest_first)),
        spelt=spelt,
        synonyms=synonyms,
        unsaid=unsaid,
        adjuncts=frozenset(term for word in table["adjuncts"] for term in terms(word)),
        head_final=table["head_final"],
        antonyms=_opposed(table["antonyms"], unsaid, synonyms),
        qualities=_opposed(table["qualities"], unsaid, synonyms),
        **{
            name: frozenset(table[name])
            for name in ("negators", "nobody", "universal", "never", "partial", "past")
        },
    )


def _opposed(
    rows: Iterable[Iterable[str]], unsaid: frozenset[str], synonyms: Mapping[str, str]
) -> frozenset[_Opposed]:
    pairs = ([_said(phrase, unsaid, synonyms) for phrase in row] for row in rows)
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _said(phrase: str, unsaid: frozenset[str], synonyms: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a phrase as a reading has them."""
    kept = [synonyms.get(word, word) for word in phrase.split() if word not in unsaid]
    return tuple(terms(" ".join(kept) or phrase))
