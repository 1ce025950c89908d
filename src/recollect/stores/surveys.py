"""What every store does alike with the rows of a survey."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.ports import SURVEY_COLUMNS, Survey

NUMBERS = ("contents", "began_at", "valid_until", "access_count", "last_accessed_at")
PARTS = ("arousal", "confidence", "importance", "stability", "strength", "utility")
SHARED = frozenset({"kinds", "channels", "sessions", "entities", "tiers"})
AT_ONCE = 4096
FLAGS = ("pinned", "immutable", "superseded")
TYPES: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(NUMBERS, np.int64),
        **dict.fromkeys(PARTS, np.float64),
        **dict.fromkeys(FLAGS, np.bool_),
    }
)


def surveyed(rows: Iterable[Sequence[Any]]) -> Survey:
    """Rows, each with the columns in their order, as arrays; only some of them are in memory as rows at once."""
    coming = iter(rows)
    known: dict[Any, Any] = {}
    parts = [_columns([], known)]
    while some := list(islice(coming, AT_ONCE)):
        parts.append(_columns(some, known))
    return Survey(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _columns(rows: Sequence[Sequence[Any]], known: dict[Any, Any]) -> list[NDArray[Any]]:
    columns = zip(*rows, strict=True) if rows else ((),) * len(SURVEY_COLUMNS)
    found = []
    for name, column in zip(SURVEY_COLUMNS, columns, strict=True):
        # What stands in many rows is one object: a kind is a hundred thousand times the same text otherwise.
        shared = (known.setdefault(one, one) for one in column) if name in SHARED else column
        found.append(np.fromiter(shared, TYPES.get(name, np.object_), len(rows)))
    return found


def felt(emotion: Any) -> float:
    """The arousal that metadata hold; whatever else somebody wrote there is none."""
    arousal = emotion.get("arousal") if isinstance(emotion, Mapping) else None
    return float(arousal) if isinstance(arousal, int | float) else 0.0


def named(entities: Any) -> tuple[str, ...]:
    """The ids of entities that metadata hold; whatever else somebody wrote there is none."""
    return tuple(one for one in entities if isinstance(one, str)) if isinstance(entities, list) else ()
