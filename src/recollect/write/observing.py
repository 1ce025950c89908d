"""Whether a message is looked at at all; a refusal ends the reading of it, and the log keeps it anyway."""

from collections.abc import Callable, Sequence
from typing import Final

from recollect.language.observation import FILTERS
from recollect.write.policy import Policy
from recollect.write.quarantine import hides, why_held
from recollect.write.result import ERASED
from recollect.write.work import Heard, Refusal

STAGE = "observe"
_SHOWN_CHARACTERS = 200
Filter = tuple[str, Callable[[str, str], str | None]]
SYSTEM: Final[Sequence[Filter]] = tuple(one for one in FILTERS if one[0] == "system")
OTHERS: Final[Sequence[Filter]] = tuple(one for one in FILTERS if one[0] not in {"system", "injection"})


def recognise(heard: Heard, _: Policy) -> Refusal | None:
    """A message is learnt from once; what was purged is not learnt again, and what is only for the log not at all."""
    if heard.was_erased:
        return _refused(heard, ERASED)
    if heard.was_heard:
        return _refused(heard, "the same message was observed before")
    return None if heard.log_only is None else _refused(heard, heard.log_only)


def quarantine(heard: Heard, _: Policy) -> Refusal | None:
    """What speaks to the reader's machinery stays in the log and forms nothing."""
    kind = why_held(heard.turn)
    return None if kind is None else _refused(heard, hides(kind))


def from_system(heard: Heard, _: Policy) -> Refusal | None:
    """Rules that a system gives are its own, not what somebody tells: it comes before rules are looked for."""
    return _first(heard, SYSTEM)


def filtered(heard: Heard, _: Policy) -> Refusal | None:
    """The other filters; what attacks is told apart before."""
    return _first(heard, OTHERS)


def _first(heard: Heard, filters: Sequence[Filter]) -> Refusal | None:
    for name, check in filters:
        reason = check(heard.turn.text, heard.role)
        if reason is not None:
            return _refused(heard, f"{name}: {reason}")
    return None


def _refused(heard: Heard, reason: str) -> Refusal:
    return Refusal(STAGE, reason, heard.turn.text[:_SHOWN_CHARACTERS])
