"""What a speaker says instead of what was said before: actually, no, I meant, correction."""

import re
from functools import cache, lru_cache
from typing import Final

from recollect.language.claim_clauses import prepared
from recollect.language.lexicon import tables

LONGEST: Final = 600
_EDGES: Final = " \t\n.,;:!-–—\"'"
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_MOST_SENTENCES: Final = 40


@lru_cache(maxsize=64)  # a statement is asked about at every step of its reading
def correction(text: str) -> str | None:
    """The statement that now holds, where the text takes something back; None where it corrects nothing.

    >>> correction("No, I meant the blue one.")
    'the blue one'
    >>> correction("Actually, the demo is on Friday.")
    'the demo is on Friday'
    """
    found = _corrected(text)
    if found is not None or _SENTENCE.search(text) is None:
        return found
    return next(filter(None, map(_corrected, _SENTENCE.split(text, _MOST_SENTENCES))), None)


def _corrected(text: str) -> str | None:
    if not 0 < len(text) <= LONGEST:
        return None
    said = prepared(text.strip().rstrip(".!"))
    if _cue().search(said.folded) is None:
        return None
    for form in _forms():
        match = form.fullmatch(said.folded)
        if match:
            return said.written[slice(*match.span("new"))].strip(_EDGES) or None
    return None


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(form, re.DOTALL) for table in tables("corrections").values() for form in table["forms"]
    )


@cache
def _cue() -> re.Pattern[str]:
    """The words of which one is in every form: looking for them is quicker than trying all forms."""
    words = sorted({word for table in tables("corrections").values() for word in table["cues"]})
    return re.compile(rf"\b(?:{'|'.join(words)})\b")
