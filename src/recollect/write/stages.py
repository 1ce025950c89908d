"""The stages from a message to memories, in order: first every message is read, then each statement is decided on."""

from collections.abc import Callable, Sequence
from typing import Final

from recollect.ports import Generator
from recollect.write.authorising import authorise
from recollect.write.capturing import capture
from recollect.write.documenting import document
from recollect.write.extracting import extract
from recollect.write.forming import form
from recollect.write.gating import match
from recollect.write.instructing import instruct
from recollect.write.known import Known
from recollect.write.observing import filtered, from_system, quarantine, recognise
from recollect.write.policy import Policy
from recollect.write.result import Formed
from recollect.write.scoring import score
from recollect.write.settling import settle
from recollect.write.work import Choice, Heard, Refusal

Read = Callable[[Heard, Policy], Refusal | None]
Decide = Callable[[Choice, Known, Policy], Refusal | None]

READING: Final[tuple[Read, ...]] = (recognise, quarantine, from_system, instruct, document, filtered)
"""Over a message, from its text alone; what passes all of them is formed into drafts."""
DECIDING: Final[tuple[Decide, ...]] = (authorise, match, score, settle, capture)
"""Over a statement, beside what is known."""


def read(heard: Sequence[Heard], policy: Policy, generator: Generator | None = None) -> None:
    """Finds the drafts of messages, by a language model where there is one and by rules where it does not answer."""
    open_ = [one for one in heard if _passes(one, policy, READING)]
    left = open_ if generator is None else extract(open_, generator, policy)
    for one in left:
        _passes(one, policy, (form,))


def _passes(heard: Heard, policy: Policy, stages: Sequence[Read]) -> bool:
    """Whether no stage refuses a message; the first that does ends it."""
    for stage in stages:
        refusal = stage(heard, policy)
        if refusal is not None:
            heard.parts.append(refusal)
            return False
    return True


def decide(choice: Choice, known: Known, policy: Policy) -> Formed:
    """What becomes of a draft; the first stage that refuses ends it."""
    for stage in DECIDING:
        refusal = stage(choice, known, policy)
        if refusal is not None:
            return refusal.formed
    assert choice.outcome is not None  # noqa: S101 - the last stage sets it
    return choice.outcome
