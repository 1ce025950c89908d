"""What kind of thing a text says, and how sure its words make it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from recollect.language.entities import Entity, entities
from recollect.language.lexicon import tables
from recollect.language.phrases import flat, pattern
from recollect.language.tongue import tongue

Kind = Literal["correction", "preference", "decision", "entity-rich", "fact"]

BASE_CONFIDENCE: Final[dict[Kind, float]] = {
    "correction": 0.4,
    "preference": 0.3,
    "decision": 0.35,
    "entity-rich": 0.3,
    "fact": 0.25,
}
ENTITY_RICH: Final = 2
# Each further sign of the same kind makes it surer.
_STEP: Final = 0.1
_CEILING: Final = 0.9
_READ_CHARACTERS: Final = 5000


@dataclass(frozen=True, slots=True)
class Category:
    """A kind with its confidence, and the words or names that show it."""

    name: Kind
    confidence: float
    signals: tuple[str, ...]


def category(text: str, named: Collection[Entity] | None = None) -> Category | None:
    """The kind that most signs speak for; None where none does. `named` spares finding the entities again.

    >>> category("Actually, I live in Rome").name, category("I prefer tea").confidence
    ('correction', 0.3)
    >>> category("Aslında Roma'da yaşıyorum").name, category("Sounds good to me")
    ('correction', None)
    """
    found = [
        Category(kind, _confidence(kind, len(said)), said) for kind, said in _signals(text, named) if said
    ]
    # The first of equals: a correction is one whatever else it says.
    return max(found, key=lambda each: each.confidence, default=None)


def signals(text: str, kind: Kind) -> tuple[str, ...]:
    """The words of a text that show one kind, each pattern once and no word twice.

    >>> signals("Scratch that, it was wrong", "correction")
    ('scratch that', 'was wrong')
    """
    folded = flat(text[:_READ_CHARACTERS])
    language = tongue(text)
    if not _any(kind, language).search(folded):
        return ()
    found = [match for each in _patterns(kind, language) if (match := each.search(folded))]
    kept: list[re.Match[str]] = []
    for match in sorted(found, key=lambda match: match.start() - match.end()):
        if all(match.end() <= other.start() or other.end() <= match.start() for other in kept):
            kept.append(match)
    return tuple(match.group().strip() for match in sorted(kept, key=lambda match: match.start()))


def _signals(text: str, named: Collection[Entity] | None) -> list[tuple[Kind, tuple[str, ...]]]:
    known = entities(text[:_READ_CHARACTERS]) if named is None else named
    ids = tuple(dict.fromkeys(entity.id for entity in known))
    rich = ids[1:] if len(ids) >= ENTITY_RICH else ()
    return [
        ("correction", signals(text, "correction")),
        ("preference", signals(text, "preference")),
        ("decision", signals(text, "decision")),
        ("entity-rich", rich),
        ("fact", signals(text, "fact")),
    ]


def _confidence(kind: Kind, signs: int) -> float:
    return round(min(BASE_CONFIDENCE[kind] + _STEP * (signs - 1), _CEILING), 2)


@cache
def _patterns(kind: str, language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(pattern(each) for each in tables("category")[language][kind])


@cache
def _any(kind: str, language: str) -> re.Pattern[str]:
    return pattern(tables("category")[language][kind])
