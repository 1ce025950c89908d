"""What a language model thinks of pairs of texts, asked between two looks at the store and never while it is read.

What is decided on needs opinions that nobody has asked for yet. They are noted, all that were noted are asked for at
once, and everything is decided again with the answers at hand. What is not answered is decided by rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from recollect.language.grounding import ungrounded
from recollect.language.injection import attack
from recollect.ports import Generator
from recollect.write.text import clean

MERGE, RELATE = "merge", "relate"
MOST_PAIRS: Final = 40
"""So many are asked for at once; the rest is decided by rules."""
NONE: Final = "none"
SURE: Final = frozenset({"explicit", "implied"})


@dataclass(frozen=True, slots=True)
class Relation:
    """How a new text is related to an older one, and whether the model is sure of it."""

    type: str
    sure: bool


class Opinions:
    """The answers of one call; without a model there are none."""

    def __init__(self, generator: Generator | None = None) -> None:
        self._generator = generator
        self._merged: dict[tuple[str, str], str] = {}
        self._relations: dict[tuple[str, str], Relation] = {}
        self._to_merge: dict[tuple[str, str], None] = {}
        self._to_relate: dict[tuple[str, str], datetime] = {}
        self._asked = generator is None

    def merged(self, old: str, new: str) -> str | None:
        """Both texts as one."""
        if not self._asked:
            self._to_merge[old, new] = None
        return self._merged.get((old, new))

    def relation(self, new: str, old: str, said_at: datetime) -> Relation | None:
        """How the new text is related to the old one; None where nobody knows."""
        if not self._asked:
            self._to_relate[old, new] = said_at
        return self._relations.get((old, new))

    def ask(self) -> bool:
        """Asks for what was noted, once; whether there are answers to decide with."""
        if self._asked or self._generator is None:
            return False
        self._asked = True
        to_relate = dict(list(self._to_relate.items())[:MOST_PAIRS])
        to_merge = list(self._to_merge)[:MOST_PAIRS]
        if to_relate:
            self._relate(self._generator, to_relate)
        if to_merge:
            self._merge(self._generator, to_merge)
        return bool(self._relations or self._merged)

    def _relate(self, generator: Generator, pairs: Mapping[tuple[str, str], datetime]) -> None:
        given = [
            {"pair": number, "old": old, "old_said_on": f"{at:%Y-%m-%d}", "new": new}
            for number, ((old, new), at) in enumerate(pairs.items(), 1)
        ]
        numbered = dict(enumerate(pairs, 1))
        for one in _listed(generator.answer(RELATE, {"pairs": given}), "relations"):
            if one["pair"] in numbered:
                relation = Relation(one["relation"], one["certainty"] in SURE)
                self._relations[numbered[one["pair"]]] = relation

    def _merge(self, generator: Generator, pairs: list[tuple[str, str]]) -> None:
        given = [{"pair": number, "old": old, "new": new} for number, (old, new) in enumerate(pairs, 1)]
        numbered = dict(enumerate(pairs, 1))
        for one in _listed(generator.answer(MERGE, {"pairs": given}), "merged"):
            pair = numbered.get(one["pair"])
            if pair is not None and (text := _kept(one["text"], *pair)) is not None:
                self._merged[pair] = text


def _listed(answer: Any | None, name: str) -> list[Mapping[str, Any]]:
    return [] if answer is None else answer[name]


def _kept(text: str, old: str, new: str) -> str | None:
    """A text that adds no name or number and loses none; None where it does not say what both say."""
    if not text.strip():
        return None
    cleaned = clean(text).text.strip()
    both = f"{old} {new}"
    if ungrounded(cleaned, both) or ungrounded(both, cleaned, days=True) or attack(cleaned) is not None:
        return None
    return cleaned
