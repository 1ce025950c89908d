"""What is told shortly before something strong matters more with it: synaptic tagging and capture."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from recollect.formulas.importance import DEFAULT
from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.work import Choice, Refusal
from recollect.write.writer import following

CAPTURED: Final = "captured"
"""The tag of what a stronger memory has lifted already: once is all."""
WINDOW: Final = timedelta(hours=4)
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
STRONG: Final = 0.7
LIFT: Final = 1.3


def capture(choice: Choice, known: Known, _: Policy) -> Refusal | None:
    """A strong memory lifts the weak ones of its session that were told in the four hours before it."""
    memory = choice.memory
    if memory.importance < STRONG or memory.origin.session is None:
        return None
    # The calendar begins somewhere.
    since = max(memory.valid_from, _FIRST + WINDOW) - WINDOW
    for weak in known.of_session(memory.origin.session, since, memory.valid_from):
        if weak.importance < DEFAULT.normal and CAPTURED not in weak.tags and not weak.immutable:
            lifted = round(min(weak.importance * LIFT, 1.0), 3)
            known.put(following(replace(weak, importance=lifted, tags=(*weak.tags, CAPTURED)), known.now))
    return None
