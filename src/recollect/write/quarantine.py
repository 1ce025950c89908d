"""What attacks is kept in the log, asleep: nothing is formed from it and nobody recalls it until it is released."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.language.injection import attack, attack_meant, by_rules, cleared_of
from recollect.model import Filter, Lane, Memory, State
from recollect.ports import Guard, Store
from recollect.write.messages import TOOL_ROLES

TAG: Final = "quarantine"
"""Of a turn that waits for somebody to look at it."""
REASON: Final = "quarantine"
"""In its metadata: why it was taken for an attack. It stays when the turn is released."""
CLEARED: Final = "cleared"
"""In its metadata: what the rules take its wording for, where a guard has read that and is sure that it is none."""
_TRUSTED: Final = frozenset({"system", "developer", "assistant"})
"""Whoever runs an agent may command it, and its own answers are not what attacks it: to hide them from it would cost
more than it saves, as long explanations are what is taken for attacks most often."""


def looked_over(turn: Memory, guard: Guard | None) -> Memory:
    """The turn with what the guard has cleared it of; nobody else can say so."""
    told = {name: value for name, value in turn.metadata.items() if name != CLEARED}
    kind = None if guard is None else cleared_of(turn.text, guard.vectors)
    if kind is not None:
        told[CLEARED] = kind
    return turn if told == turn.metadata else replace(turn, metadata=told)


def judged(
    turn: Memory,
    vector: NDArray[np.float32] | None = None,
    guard: Guard | None = None,
    *,
    vector_follows: bool = False,
) -> str | None:
    """Which kind of attack a turn is, by its text and, where its embedder's vectors can be judged, by what it means.

    Where that leaves a doubt, by the guard. Of what a person says, only what rules know is decided before a vector that
    follows: it may clear the rest.
    """
    if _role(turn) in _TRUSTED:
        return None
    cleared = CLEARED in turn.metadata
    if vector is not None:
        look = None if guard is None else guard.vectors
        return attack_meant(turn.text, vector, given=not _is_said(turn), guard=look, cleared=cleared)
    if vector_follows and _is_said(turn):
        return None if cleared else by_rules(turn.text)
    return attack(turn.text, cleared=cleared)


def held(turn: Memory, kind: str | None) -> Memory:
    """The turn as it is kept, asleep where it is an attack; only we say that one is in quarantine, or was."""
    told = {name: value for name, value in turn.metadata.items() if name != REASON}
    own = turn if len(told) == len(turn.metadata) else replace(turn, metadata=told)
    if kind is None:
        return own
    return replace(
        own, state=State.DORMANT, tags=tuple(dict.fromkeys((*own.tags, TAG))), metadata={**told, REASON: kind}
    )


def why_held(turn: Memory) -> str | None:
    """Why nothing is formed from a turn, if it attacks and nobody has released it."""
    if REASON in turn.metadata:
        return str(turn.metadata[REASON]) if TAG in turn.tags else None
    cleared = CLEARED in turn.metadata
    # What a person says was judged by more than its text when it was kept: had it been held back, it would say so.
    if _is_said(turn):
        return None if cleared else by_rules(turn.text)
    return attack(turn.text, cleared=cleared)


def _role(turn: Memory) -> str:
    return (turn.origin.role or "").lower()


def _is_said(turn: Memory) -> bool:
    """Whether a person says it, and not a tool, the agent or its operator."""
    return _role(turn) not in _TRUSTED and _role(turn) not in TOOL_ROLES


def hides(kind: str) -> str:
    """What is said of a message from which nothing is formed because of an attack in it."""
    return f"quarantined: it carries hidden instructions ({kind})"


def waiting(
    store: Store, user: str, channel: str | None = None, *, limit: int | None = None, after: str | None = None
) -> list[Memory]:
    """The turns in quarantine, the oldest first."""
    where = Filter(
        channels=None if channel is None else (channel,),
        lanes=(Lane.LOG,),
        states=(State.DORMANT,),
        tags=(TAG,),
        any_session=True,
    )
    return store.find(user, where, limit=limit, after=after)


def released(turn: Memory) -> Memory:
    """The turn as it is once somebody has said that it is harmless."""
    if REASON not in turn.metadata or TAG not in turn.tags:
        raise InvalidInput(f"{turn.id} is not in quarantine: `recollect quarantine` lists what is")
    return replace(turn, state=State.ACTIVE, tags=tuple(tag for tag in turn.tags if tag != TAG))
