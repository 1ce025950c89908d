"""Sentences that say the opposite of one another in otherwise the same words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from recollect.language.lexicon import fold, tables
from recollect.language.terms import terms

LONGEST: Final = 600
_WORD: Final = re.compile(r"[\w-]+")
_OPENING: Final = re.compile(r"^\s*\w{1,4},\s+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence without the words that make it negative: what is denied or affirmed."""

    words: tuple[str, ...]
    negative: bool
    nobody: bool
    partial: bool
    past: bool


@dataclass(frozen=True, slots=True)
class _Lexicon:
    contractions: re.Pattern[str]
    spelt: Mapping[str, str]
    negators: frozenset[str]
    nobody: frozenset[str]
    partial: frozenset[str]
    past: frozenset[str]
    unsaid: frozenset[str]
    antonyms: frozenset[tuple[str, str]]


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


def _denial(new: str, old: str, language: str) -> str | None:
    ours, theirs = _reading(new, language), _reading(old, language)
    if not ours.words or not theirs.words or ours.past or theirs.past:
        return None
    if ours.negative != theirs.negative:
        denied, affirmed = (ours, theirs) if ours.negative else (theirs, ours)
        if affirmed.partial and not denied.nobody:
            return None
        same = denied.words == affirmed.words or (
            denied.nobody and len(denied.words) > 1 and affirmed.words[-len(denied.words) :] == denied.words
        )
        return "says the opposite of the same words" if same else None
    return _opposite(ours, theirs, _lexicons()[language])


def _opposite(ours: Reading, theirs: Reading, lexicon: _Lexicon) -> str | None:
    if len(ours.words) != len(theirs.words) or ours.partial or theirs.partial:
        return None
    differing = [pair for pair in zip(ours.words, theirs.words, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1 or tuple(sorted(differing[0])) not in lexicon.antonyms:
        return None
    return "{} is the opposite of {}".format(*differing[0])


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
        words=tuple(terms(" ".join(kept))),
        negative=not lexicon.negators.isdisjoint(words),
        nobody=nobody,
        partial=bool(words) and words[0] in lexicon.partial,
        past=not lexicon.past.isdisjoint(words),
    )


@cache
def _lexicons() -> Mapping[str, _Lexicon]:
    return {language: _lexicon(table) for language, table in tables("polarity").items()}


def _lexicon(table: Mapping[str, Any]) -> _Lexicon:
    spelt: Mapping[str, str] = table["contractions"]
    longest_first = sorted(spelt, key=len, reverse=True)
    names = ("negators", "nobody", "partial", "past")
    return _Lexicon(
        contractions=re.compile("|".join(rf"{re.escape(word)}\b" for word in longest_first)),
        spelt=spelt,
        unsaid=frozenset(table["dropped"]).union(table["negators"], table["anybody"]),
        antonyms=frozenset(
            (first, second)
            for pair in table["antonyms"]
            for first, second in [sorted(" ".join(terms(word)) for word in pair)]
        ),
        **{name: frozenset(table[name]) for name in names},
    )
