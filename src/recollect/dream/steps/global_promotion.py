"""What proved itself in more than one conversation of a project holds for all projects."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from recollect.dream.gathering import DREAMT
from recollect.dream.night import Night
from recollect.dream.proposal import Made, Proposal, Sleep
from recollect.model import GLOBAL_CHANNEL, Edge, Memory, Scope

RULE: Final = "promotion to _global"


def global_promotion(night: Night) -> Iterator[Proposal]:
    """Copies to `_global` what is trusted, used and known from two conversations; the project's own sleeps (S11)."""
    seen, params = night.survey, night.params
    able = night.current & ~night.protected & (seen.channels != GLOBAL_CHANNEL)
    able &= (seen.confidence >= params.global_confidence) & (seen.access_count >= params.global_accesses)
    able &= ~np.isin(seen.kinds.astype(str), list(DREAMT))
    for place in np.flatnonzero(able).tolist():
        memory = night.store.get(night.user, seen.ids[place])
        if memory is None or memory.scope is Scope.SESSION:
            continue
        if len(_conversations(night, memory)) >= params.global_conversations:
            copy = _copy(night, memory)
            yield Proposal(
                asleep={memory.id: Sleep(RULE, copy.id)},
                made=(Made(copy, RULE, instead_of=memory.id),),
                edges=(Edge(copy.id, memory.id, "promoted_from"),),
            )


def _copy(night: Night, memory: Memory) -> Memory:
    return replace(
        memory,
        id=night.new_id(),
        version=1,
        channel=GLOBAL_CHANNEL,
        scope=Scope.GLOBAL,
        supersedes=None,
        content=0,
        origin=replace(memory.origin, write_source="dream", reason=f"promoted from {memory.channel}"),
    )


def _conversations(night: Night, memory: Memory) -> set[str]:
    """The sessions of the turns that it comes from, and of those that said it again."""
    edges = night.store.edges(night.user, [memory.id], ["derived_from"])
    sources = {*memory.origin.sources, *(edge.target for edge in edges if edge.source == memory.id)}
    turns = (night.store.get(night.user, source) for source in sorted(sources))
    said = {turn.origin.session for turn in turns if turn is not None}
    return {session for session in (*said, memory.origin.session) if session is not None}
