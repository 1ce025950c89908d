"""What people say of themselves in one conversation: nothing of it replaces anything else.

Every two facts of one speaker of Multi-Session Chat are held against each other, the later against the earlier. People
rarely contradict themselves within a talk, so that whatever the rules find is counted as wrong.
"""

import re
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from recollect.evals.measuring import Watch
from recollect.evals.sets.files import lines, shaped
from recollect.evals.writing.trial import share
from recollect.language.claims import claims
from recollect.language.contradiction import conflict
from recollect.ports import Embedder

MOST_FACTS: Final = 25
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def measure(path: Path, _: Embedder, limit: int | None, watch: Watch) -> dict[str, Any]:
    """Of the pairs of facts of each speaker, or of the first `limit`, the share that is taken for contradictions."""
    people = [facts for file in sorted(path.glob("*.jsonl")) for facts in _people(file)][:limit]
    reading = lru_cache(maxsize=None)(claims)
    pairs = [pair for facts in people for pair in combinations(facts[:MOST_FACTS], 2)]
    with watch("holding facts of one person against each other"):
        wrong = sum(conflict(new, old, reading) is not None for old, new in pairs)
    return {
        "personas_people": len(people),
        "personas_pairs": len(pairs),
        "personas_wrongly_superseded": share(wrong, len(pairs)),
    }


def _people(file: Path) -> list[list[str]]:
    """The facts of each speaker of each conversation, in order, each once."""
    found: list[list[str]] = []
    for row in lines(file):
        told: dict[str, dict[str, None]] = {}
        with shaped(file, "a Multi-Session Chat file"):
            for turn in row["dialog"]:
                facts = _SENTENCE.split(str(turn.get("persona_text") or "").strip())
                told.setdefault(str(turn["id"]), {}).update(dict.fromkeys(fact for fact in facts if fact))
        found += [list(facts) for facts in told.values()]
    return found
