"""Whether whoever says something may have it remembered as what it is."""

from dataclasses import replace
from typing import Final

from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.rules import denial
from recollect.write.work import Choice, Refusal

STAGE: Final = "authorise"


def authorise(choice: Choice, _: Known, policy: Policy) -> Refusal | None:
    """A rule may keep a source from a kind; who speaks, and in which role, is known by the turn."""
    if not policy.rules:
        return None
    said = replace(choice.memory, origin=choice.heard.turn.origin)
    reason = denial(said, policy.rules)
    return None if reason is None else Refusal(STAGE, reason, choice.memory.text)
