"""From messages to the turns that the log keeps of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.language.pii import masked
from recollect.model import EPOCH, Action, Memory, Origin
from recollect.write.admission import STORE, Admission
from recollect.write.messages import Message
from recollect.write.policy import Policy
from recollect.write.quarantine import held, hides, judged, looked_over
from recollect.write.result import EMPTY, Remembered
from recollect.write.text import Clean, clean
from recollect.write.writer import Place, turn_of

READ: Final = "formed"
"""In a turn's metadata: the stages have seen it, or it is noted that they will."""

EVERYTHING: Final = Admission()
"""Anybody may write anything, and personal data is stored."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a conversation takes place, what it is part of, and what may be done with it."""

    place: Place
    origin: Origin
    policy: Policy | None = None
    """How memories are formed from it; None: they are not, and only the log is written."""
    admission: Admission = EVERYTHING


def admitted(message: Message, scene: Scene) -> Clean | Remembered:
    """A message's text as it may be stored, or what becomes of a message that may not be."""
    if not message.text.strip():
        return EMPTY
    turn = turn_of("", message, "", scene.place, scene.origin, EPOCH)
    refusal = scene.admission.refusal(turn)
    if refusal is not None:
        return Remembered(None, Action.SKIP, refusal, "")
    return cleaned_of(message, scene.admission)


def cleaned_of(message: Message, admission: Admission) -> Clean:
    """A message's text as it is stored."""
    found = clean(message.text)
    return found if admission.personal_data == STORE else replace(found, text=masked(found.text))


def turns_of(
    scene: Scene,
    messages: Sequence[Message],
    cleaned: Sequence[Clean | Remembered],
    new_id: Callable[[], str],
    now: datetime,
) -> tuple[list[Memory], list[str | None]]:
    """A turn for each message with something in it, and why nothing is formed from it, if nothing is."""
    kept = [(one, found) for one, found in zip(messages, cleaned, strict=True) if isinstance(found, Clean)]
    turns = [
        scene.admission.admitted(turn_of(new_id(), message, found.text, scene.place, scene.origin, now))
        for message, found in kept
    ]
    return turns, [message.log_only for message, _ in kept]


def kept_of(
    scene: Scene,
    turns: Sequence[Memory],
    reasons: Sequence[str | None],
    vectors: Sequence[NDArray[np.float32]] = (),
    *,
    vectors_follow: bool = False,
) -> tuple[list[Memory], list[str | None]]:
    """The turns as the log keeps them, what attacks among them asleep, and why nothing is formed from some.

    Those from which something is formed, or never will be, are marked as read. `vectors` are the turns' own, or none:
    they may follow.
    """
    turns = [looked_over(turn, scene.admission.guard) for turn in turns]
    kinds = [
        judged(turn, vector, scene.admission.guard, vector_follows=vectors_follow)
        for turn, vector in zip_longest(turns, vectors)
    ]
    asleep = scene.admission.quarantine
    kept = [held(turn, kind if asleep else None) for turn, kind in zip(turns, kinds, strict=True)]
    # What sleeps says itself why.
    told = [
        why if asleep or kind is None else why or hides(kind)
        for why, kind in zip(reasons, kinds, strict=True)
    ]
    marked = [
        turn
        if scene.policy is None and why is None
        else replace(turn, metadata={**turn.metadata, READ: True})
        for turn, why in zip(kept, told, strict=True)
    ]
    return marked, told


def mark(turn: Memory) -> tuple[object, ...]:
    """By what the same message is known when it is told again."""
    return turn.valid_from, turn.origin.role, turn.origin.speaker, turn.text
