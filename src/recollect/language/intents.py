"""What a question is after, and how each kind of question is best looked up."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal

from recollect.language.lexicon import fold, tables

# Beyond this it is a document with a question before or after it.
_LONG: Final = 2048


class Intent(StrEnum):
    """Kinds of question; each has its own plan."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class IntentPlan:
    """How the memories for an intent are looked up and ordered."""

    vector_weight: float = 0.5
    text_weight: float = 0.5
    limit: int = 10
    sort: Literal["relevance", "valid_from", "utility"] = "relevance"
    utility_boost: float = 0.0
    include_superseded: bool = False
    edge_types: tuple[str, ...] = ()
    """Relations that are followed from what is found; none for most intents."""
    hops: int = 0
    entity_hub: bool = False
    categories: tuple[str, ...] = ()
    """Only memories of these categories; all where it is empty."""


PLANS: Final[Mapping[Intent, IntentPlan]] = MappingProxyType(
    {
        Intent.FACTUAL: IntentPlan(vector_weight=0.6, text_weight=0.4, utility_boost=0.2),
        Intent.TEMPORAL: IntentPlan(
            vector_weight=0.4, text_weight=0.6, limit=15, sort="valid_from", include_superseded=True
        ),
        Intent.CAUSAL: IntentPlan(
            vector_weight=0.3, text_weight=0.3, limit=20, edge_types=("causes", "elaborates"), hops=2
        ),
        Intent.ENTITY_PROFILE: IntentPlan(limit=15, sort="utility", utility_boost=0.3, entity_hub=True),
        Intent.PREFERENCE: IntentPlan(sort="utility", categories=("preference", "correction")),
        Intent.GENERAL: IntentPlan(utility_boost=0.2),
    }
)
"""The cognitive design's table."""

_OPENS_FIRST: Final = (Intent.CAUSAL, Intent.TEMPORAL, Intent.PREFERENCE, Intent.ENTITY_PROFILE)
_HOLDS_NEXT: Final = (Intent.CAUSAL, Intent.PREFERENCE, Intent.ENTITY_PROFILE, Intent.TEMPORAL)


def intent(text: str) -> Intent:
    """The intent of a question; how it opens says more than what it holds.

    >>> [intent(text).value for text in ("Why did Ada move?", "When did Ada move?", "Ada kimdir?")]
    ['causal', 'temporal', 'entity_profile']
    >>> intent("The weather is fine.").value
    'general'
    """
    folded = fold(
        text[:_LONG] if len(text) <= _LONG else f"{text[: _LONG // 2]}\n{text[-_LONG // 2 :]}"
    ).strip()
    start = _courtesies().sub("", folded, count=1)
    for kind in _OPENS_FIRST:
        if _opens(kind).match(start):
            return kind
    for kind in (*_HOLDS_NEXT, Intent.FACTUAL):
        if _holds(kind).search(folded):
            return kind
    return Intent.FACTUAL if _opens(Intent.FACTUAL).match(start) else Intent.GENERAL


@cache
def _opens(kind: Intent) -> re.Pattern[str]:
    return _pattern(table[kind]["opens"] for table in tables("intents").values())


@cache
def _holds(kind: Intent) -> re.Pattern[str]:
    return _pattern(table[kind]["holds"] for table in tables("intents").values())


@cache
def _courtesies() -> re.Pattern[str]:
    listed: Iterable[list[Any]] = (table["courtesies"] for table in tables("intents").values())
    return re.compile(rf"^(?:(?:{'|'.join(word for words in listed for word in words)})\b[\s,!.:]*){{1,4}}")


def _pattern(listed: Iterable[list[str]]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(word for words in listed for word in words)})(?!\w)")
