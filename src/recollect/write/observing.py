"""Whether a message is looked at at all; a refusal ends the reading of it, and the log keeps it anyway."""

from recollect.language.injection import attack
from recollect.language.observation import refusal
from recollect.write.policy import Policy
from recollect.write.result import ERASED
from recollect.write.work import Heard, Refusal

STAGE = "observe"
_SHOWN_CHARACTERS = 200
_SYSTEM = "system"


def recognise(heard: Heard, _: Policy) -> Refusal | None:
    """A message is learnt from once; what was purged is not learnt again."""
    if heard.was_erased:
        return _refused(heard, ERASED)
    if heard.was_heard:
        return _refused(heard, "the same message was observed before")
    return None


def quarantine(heard: Heard, _: Policy) -> Refusal | None:
    """What speaks to the reader's machinery stays in the log and forms nothing."""
    kind = attack(heard.turn.text)
    return None if kind is None else _refused(heard, f"quarantined: it carries hidden instructions ({kind})")


def filtered(heard: Heard, _: Policy) -> Refusal | None:
    """The seven filters."""
    found = refusal(heard.turn.text, heard.role)
    return None if found is None else _refused(heard, f"{found.filter}: {found.reason}")


def from_system(heard: Heard, _: Policy) -> Refusal | None:
    """Rules that a system gives are its own, not what somebody tells; it comes before rules are looked for."""
    found = refusal(heard.turn.text, heard.role)
    if found is None or found.filter != _SYSTEM:
        return None
    return _refused(heard, f"{found.filter}: {found.reason}")


def _refused(heard: Heard, reason: str) -> Refusal:
    return Refusal(STAGE, reason, heard.turn.text[:_SHOWN_CHARACTERS])
