"""Two texts about the same thing as one, without a model: nothing that either says is lost, nothing is said twice."""

import re
from typing import Final, NamedTuple

from recollect.language.polarity import negative
from recollect.language.terms import terms

MAX_CHARACTERS: Final = 1_000
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|\s*\n+\s*")
_ENDS: Final = (".", "!", "?", "…", ":", ";", ",")


def merged(old: str, new: str) -> str | None:
    """Both texts joined, the old one first; None where that would be too long for one memory.

    A sentence is left out only where one other sentence has all of its words, in the same order.

    >>> merged("Ada lives in Porto.", "Ada lives in Porto with two cats. She is a pilot.")
    'Ada lives in Porto with two cats. She is a pilot.'
    """
    if len(old) > MAX_CHARACTERS or len(new) > MAX_CHARACTERS:
        return None
    sentences = [sentence.strip() for text in (old, new) for sentence in _SENTENCE.split(text)]
    said = [_Said(sentence, tuple(terms(sentence))) for sentence in sentences if sentence]
    kept = [one.sentence for at, one in enumerate(said) if not _covered(at, said)]
    text = _joined(kept)
    return text if len(text) <= MAX_CHARACTERS else None


class _Said(NamedTuple):
    sentence: str
    words: tuple[str, ...]


def _covered(at: int, said: list[_Said]) -> bool:
    """Whether another sentence says all of it; of equals, the first stays."""
    return any(
        _within(said[at], other) and (place < at or not _within(other, said[at]))
        for place, other in enumerate(said)
        if place != at
    )


def _within(one: _Said, other: _Said) -> bool:
    """Whether the other has the same words in the same order, and neither denies what the other affirms."""
    if not one.words or not other.words:
        return one.sentence == other.sentence
    rest = iter(other.words)
    return all(word in rest for word in one.words) and negative(one.sentence) == negative(other.sentence)


def _joined(sentences: list[str]) -> str:
    """One line: each sentence but the last ends as a sentence does."""
    ended = [s if s.endswith(_ENDS) else f"{s}." for s in sentences[:-1]]
    return " ".join([*ended, *sentences[-1:]])
