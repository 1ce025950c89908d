"""A text in the pieces that each state something, with a folded copy of the same length to match forms on."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from recollect.language.claim_frames import Grammar
from recollect.language.lexicon import fold

LONGEST_CLAUSE: Final = 320
_SPACE: Final = re.compile(r"[^\S\n]+")
_EDGES: Final = ' \t\n.!…,"“”'


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it was written and as patterns see it; the letters of both are at the same places."""

    written: str
    folded: str

    def cut(self, start: int, end: int | None = None) -> "Clause":
        """A part of the clause, without what surrounds a value: spaces, full stops, quotation marks."""
        written = self.written[start:end]
        left = len(written) - len(written.lstrip(_EDGES))
        right = max(len(written.rstrip(_EDGES)), left)
        return Clause(written[left:right], self.folded[start:end][left:right])


def prepared(text: str) -> Clause:
    """The text with plain spaces, and folded letter by letter."""
    written = _SPACE.sub(" ", unicodedata.normalize("NFKC", text))
    return Clause(written, written.lower() if written.isascii() else "".join(map(_letter, written)))


def clauses(text: Clause, grammar: Grammar) -> Iterator[Clause]:
    """The pieces of a text that end in a full stop or are joined by a word that starts a new statement."""
    start = 0
    for joint in grammar.reading["joint"].finditer(text.folded):
        if _inside(text, start, joint, grammar):
            continue
        yield from _clause(text, start, joint.start(), grammar)
        start = joint.end()
    yield from _clause(text, start, len(text.folded), grammar)


def _inside(text: Clause, start: int, joint: re.Match[str], grammar: Grammar) -> bool:
    """Whether what looks like the end of a sentence is part of a name: St. Ives, Help! by the Beatles."""
    at, after = joint.span()
    if text.written[max(at - 1, 0) : at] in ("!", "?") and text.written[after : after + 1].islower():
        return True
    return grammar.reading["abbreviation"].search(text.folded, max(start, at - 8), at) is not None


def _clause(text: Clause, start: int, end: int, grammar: Grammar) -> Iterator[Clause]:
    if not start < end <= start + LONGEST_CLAUSE or text.folded[start:end].rstrip().endswith("?"):
        return
    clause = text.cut(start, end)
    opening = grammar.reading["opening"].match(clause.folded)
    if opening:
        clause = clause.cut(opening.end())
    if clause.folded:
        yield clause


@lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    return (fold(letter) or " ")[0]
