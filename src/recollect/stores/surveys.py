"""What every store does alike with the rows of a survey."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from recollect.ports import SURVEY_COLUMNS, Survey

NUMBERS = ("contents", "began_at", "valid_until", "access_count", "last_accessed_at")
PARTS = ("arousal", "confidence", "importance", "stability", "strength", "utility")
FLAGS = ("pinned", "immutable", "superseded")
TYPES: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(NUMBERS, np.int64),
        **dict.fromkeys(PARTS, np.float64),
        **dict.fromkeys(FLAGS, np.bool_),
    }
)


def surveyed(rows: Sequence[Sequence[Any]]) -> Survey:
    """Rows, each with the columns in their order, as arrays."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(SURVEY_COLUMNS)
    return Survey(
        *(
            np.fromiter(column, TYPES.get(name, np.object_), len(rows))
            for name, column in zip(SURVEY_COLUMNS, columns, strict=True)
        )
    )


def felt(emotion: Any) -> float:
    """The arousal that metadata hold; whatever else somebody wrote there is none."""
    arousal = emotion.get("arousal") if isinstance(emotion, Mapping) else None
    return float(arousal) if isinstance(arousal, int | float) else 0.0


def named(entities: Any) -> tuple[str, ...]:
    """The ids of entities that metadata hold; whatever else somebody wrote there is none."""
    return tuple(one for one in entities if isinstance(one, str)) if isinstance(entities, list) else ()
