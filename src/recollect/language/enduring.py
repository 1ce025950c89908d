"""What contradicts a statement and yet does not end it: it was so before, is said of others, or is only a part of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from recollect.language.claim_clauses import clauses, prepared
from recollect.language.claim_frames import grammars
from recollect.language.claims import Claim
from recollect.language.contradiction import contradicts
from recollect.language.dates import dated
from recollect.language.polarity import LONGEST
from recollect.language.tongue import tongue
from recollect.model import Memory

_NEWS: Final = timedelta(days=31)
"""Who tells what happened so long before, or less, tells news: last week, last month."""
WE: Final = "we"
"""Under which the metadata has who speaks of a group that they are one of."""


@dataclass(frozen=True, slots=True)
class Told:
    """A statement, what it claims, when it was told, and who says "we" in it, where that is known."""

    text: str
    claims: Sequence[Claim]
    at: datetime
    we: str | None = None


def told(memory: Memory, found: Sequence[Claim]) -> Told:
    """A memory with what it claims, as one is held against another."""
    we = memory.metadata.get(WE)
    return Told(memory.text, found, memory.valid_from, we.casefold() if isinstance(we, str) else None)


def of_us(text: str) -> bool:
    """Whether it speaks of a group that the speaker is one of.

    >>> of_us("Our cat is called Rex"), of_us("Kedimizin adı Rex"), of_us("The cat is called Rex")
    (True, True, False)
    """
    folded = prepared(text[:LONGEST]).folded
    return any(grammar.reading["ours"].search(folded) for grammar in grammars().values())


def of_others(one: Told, other: Told) -> bool:
    """Whether two people say "we": each means a group of their own.

    >>> at = datetime(2025, 3, 5)
    >>> of_others(Told("We live in Oslo", (), at, "Ann"), Told("We live in Rome", (), at, "Bob"))
    True
    """
    return None not in {one.we, other.we} and one.we != other.we


def earlier(new: Told, old: Told) -> bool:
    """Whether what a statement tells happened before what it contradicts, which therefore outlasted it."""
    found = list(_contradictions(new, old))
    return bool(found) and all(_since(old, theirs) - _since(new, ours) > _NEWS for ours, theirs in found)


def says_more(old: Told, new: Told) -> bool:
    """Whether a statement says more than what a new one contradicts, so that the rest still holds.

    >>> from recollect.language.claims import claims
    >>> at, text = datetime(2025, 3, 5), "Ada works at Volvo and Ada's boss is Bo"
    >>> says_more(Told(text, claims(text), at), Told("", claims("Ada works at Saab"), at))
    True
    """
    contradicted = {theirs for _, theirs in _contradictions(new, old)}
    settled = contradicted | {theirs for theirs in old.claims if theirs in new.claims}
    return _pieces(old.text) > max(len(settled), 1) or (bool(contradicted) and not settled >= {*old.claims})


def beside(new: Told, old: Told) -> bool:
    """Whether both hold though one contradicts the other: each of a group of its own, or the new one before the old."""
    return of_others(new, old) or earlier(new, old)


def _contradictions(new: Told, old: Told) -> Iterator[tuple[Claim, Claim]]:
    return ((ours, theirs) for ours in new.claims for theirs in old.claims if contradicts(ours, theirs))


def _since(said: Told, claim: Claim) -> datetime:
    """When what is claimed began, as far as that is told; else when it was told."""
    if not claim.begins:
        return said.at
    ends = (one.until for one in dated(said.text, said.at).mentions)
    return max((end for end in ends if end <= said.at), default=said.at)


def _pieces(text: str) -> int:
    """How many things a text says one after the other."""
    grammar = grammars()[tongue(text)]
    found = clauses(prepared(text[:LONGEST]), grammar)
    return sum(1 + len(grammar.reading["further"].findall(clause.folded)) for clause in found)
