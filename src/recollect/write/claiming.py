"""What a memory claims, kept with it, so that the store finds it by what it is about and nobody reads it twice."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from recollect.language.claims import Claim, claims
from recollect.language.contradiction import contradicts
from recollect.language.polarity import negates
from recollect.language.terms import terms
from recollect.model import Memory

TAG: Final = "claim:"
NAME: Final = "claims"
"""Under which the metadata has them."""


def claim_tags(found: Sequence[Claim]) -> tuple[str, ...]:
    """A tag for each thing that something is claimed about, by which the store finds it again.

    >>> claim_tags([Claim("ada", "residence", "porto")]) == claim_tags([Claim("ada", "residence", "rome")])
    True
    """
    keys = dict.fromkeys(one.key for one in found if one.holds != "event")
    return tuple(TAG + _digest("\0".join(key)) for key in keys)


def kept_claims(text: str, found: Sequence[Claim]) -> Mapping[str, Any]:
    """Claims as metadata holds them, with the text that they were read from: an edit makes them void."""
    read = [{name: value for name, value in asdict(one).items() if name != "text"} for one in found]
    return {"of": _digest(text), "read": read}


def claimed(memory: Memory) -> tuple[Claim, ...]:
    """What a memory claims: as it was read when it was formed, else as it reads."""
    kept = memory.metadata.get(NAME)
    if isinstance(kept, Mapping) and kept.get("of") == _digest(memory.text):
        try:
            return tuple(Claim(**one) for one in kept["read"])
        except (KeyError, TypeError):
            pass
    return claims(memory.text)


def contradiction(new: str, ours: Sequence[Claim], old: Memory) -> str | None:
    """Why a new text and a memory cannot both hold, in the words of one of their claims or of the texts."""
    theirs = claimed(old)
    found = (contradicts(one, other) for one in ours for other in theirs)
    return next((one.reason for one in found if one is not None), None) or negates(new, old.text)


def apart(ours: Sequence[Claim], theirs: Sequence[Claim]) -> bool:
    """Whether both claim something, about different things: as one memory, they would be replaced together."""
    mine, other = {one.key for one in ours}, {one.key for one in theirs}
    return bool(mine and other) and mine != other


def otherwise(ours: Sequence[Claim], theirs: Sequence[Claim]) -> bool:
    """Whether both claim something of one thing in words that have nothing in common: a brother is a nurse, and a pilot."""
    return any(
        one.key == other.key and {*terms(one.value)}.isdisjoint(terms(other.value))
        for one in ours
        for other in theirs
    )


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
