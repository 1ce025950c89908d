"""Whether a statement says the opposite of an earlier one, or another value of the same thing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from recollect.language.claims import Claim, claims
from recollect.language.polarity import goes_for, negates
from recollect.language.sorts import counted, is_a


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why two statements cannot both hold now."""

    kind: Literal["value", "polarity"]
    reason: str


def contradicts(new: Claim, old: Claim) -> Contradiction | None:
    """The contradiction between two claims about one thing; None where both can hold.

    A value that contains the other one (rugby, rugby union) tells more and contradicts nothing. A denial goes for what
    tells more and for every sort of it: who has no pets has no dog, but who has no dog may have another pet.

    >>> from recollect.language.claims import claims
    >>> contradicts(*claims("Ada moved to Porto"), *claims("Ada lives in Lisbon")).reason
    'residence of ada: lisbon → porto'
    """
    if new.key != old.key or "event" in (new.holds, old.holds) or new.past != old.past:
        return None
    about = f"{new.attribute} of {new.subject}"
    if new.polarity != old.polarity:
        denied, affirmed = (old, new) if new.polarity else (new, old)
        if not _denies(denied, affirmed):
            return None
        return Contradiction("polarity", f"{about}: {_said(old)} → {_said(new)}")
    if not new.polarity or new.past or _same(new, old):
        return None
    if not (_other_count(new, old) if new.holds == "many" else new.number == old.number):
        return None
    return Contradiction("value", f"{about}: {old.value} → {new.value}")


def conflict(
    new: str, old: str, reading: Callable[[str], tuple[Claim, ...]] = claims
) -> Contradiction | None:
    """The contradiction between two texts: in what they claim, or in saying yes and no to the same words.

    `reading` may remember the claims of texts that are compared with many others.

    >>> conflict("I'm not married", "I am married").kind
    'polarity'
    """
    earlier = reading(old)
    found = (contradicts(ours, theirs) for ours in reading(new) for theirs in earlier)
    claimed = next(filter(None, found), None)
    if claimed:
        return claimed
    denied = negates(new, old)
    return Contradiction("polarity", denied) if denied else None


def _same(new: Claim, old: Claim) -> bool:
    ours, theirs = set(new.value.split()), set(old.value.split())
    return ours <= theirs or theirs <= ours or is_a(new.value, old.value) or is_a(old.value, new.value)


def _denies(denied: Claim, affirmed: Claim) -> bool:
    return goes_for(denied.value, affirmed.value) or is_a(affirmed.value, denied.value)


def _other_count(new: Claim, old: Claim) -> bool:
    ours, theirs = counted(new.value), counted(old.value)
    return (
        ours is not None
        and theirs is not None
        and ours.thing == theirs.thing
        and ours.number != theirs.number
    )


def _said(claim: Claim) -> str:
    return claim.value if claim.polarity else f"not {claim.value}"
