"""What was decided about a statement, as versions and edges."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from recollect.model import Action, Edge, Memory
from recollect.write.claiming import NAME, claimed, kept_claims
from recollect.write.gating import REVIEW, STAGE, Verdict, judged
from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.relating import between, neighbours, source
from recollect.write.result import Formed
from recollect.write.work import Choice, Refusal
from recollect.write.writer import following, replaced

Settled = Callable[[Choice, Known, Policy, Verdict], Memory]


def settle(choice: Choice, known: Known, policy: Policy) -> Refusal | None:
    """The gate decides, and what follows from that is known from then on."""
    verdict = judged(choice, known, policy)
    if verdict.action is Action.SKIP:
        return Refusal(STAGE, verdict.reason, choice.memory.text)
    memory = HOW[verdict.action](choice, known, policy, verdict)
    known.edges.append(source(memory.id, choice))
    choice.outcome = Formed(
        verdict.action,
        STAGE,
        verdict.reason,
        memory.text,
        memory.id,
        memory.kind,
        tuple(one.id for one in verdict.about) if verdict.action is Action.SUPERSEDE else (),
    )
    return None


def _create(choice: Choice, known: Known, policy: Policy, verdict: Verdict) -> Memory:
    """A memory of its own; where something later replaced it already, one that has ended."""
    memory, apart = choice.memory, frozenset[str]()
    if verdict.flagged:
        memory = replace(memory, tags=(*memory.tags, REVIEW))
        apart = frozenset(one.id for one in verdict.about)
    if verdict.until is not None:
        memory = replace(memory, valid_until=verdict.until.valid_from, superseded_by=verdict.until.id)
        apart = frozenset({verdict.until.id})
        known.edges.append(Edge(verdict.until.id, memory.id, "supersedes", reason=verdict.reason))
    known.put(memory, choice.new)
    if verdict.flagged:
        known.edges += [
            between(memory.id, one, "contradicts", reason=verdict.reason) for one in sorted(apart)
        ]
    known.edges += neighbours(memory, choice, known, policy, apart)
    return memory


def _supersede(choice: Choice, known: Known, policy: Policy, verdict: Verdict) -> Memory:
    """A memory in the place of others, which end where it begins."""
    memory = replace(choice.memory, supersedes=verdict.about[0].id)
    known.put(memory, choice.new)
    for old in verdict.about:
        known.put(replaced(old, memory, known.now))
        known.edges.append(Edge(memory.id, old.id, "supersedes", reason=verdict.reason))
    known.edges += neighbours(memory, choice, known, policy, frozenset(old.id for old in verdict.about))
    return memory


def _update(choice: Choice, known: Known, _: Policy, verdict: Verdict) -> Memory:
    """Both texts as the next version of the one that was there."""
    old, new, turn = verdict.about[0], choice.memory, choice.heard.turn.id
    text = verdict.text or old.text
    read = tuple(dict.fromkeys((*claimed(old), *choice.draft.claims)))
    memory = replace(
        old,
        text=text,
        content=0,
        tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
        importance=max(old.importance, new.importance),
        confidence=max(old.confidence, new.confidence),
        pinned=old.pinned or new.pinned,
        origin=replace(old.origin, sources=tuple(dict.fromkeys((*old.origin.sources, turn)))),
        metadata=_joined(old.metadata, new.metadata) | {NAME: kept_claims(text, read)},
    )
    memory = following(memory, known.now)
    known.put(memory, known.encode(memory))
    return memory


def _reinforce(_: Choice, __: Known, ___: Policy, verdict: Verdict) -> Memory:
    """Nothing new; the turn that says it again becomes a source of it."""
    return verdict.about[0]


HOW: Final[Mapping[Action, Settled]] = MappingProxyType(
    {
        Action.CREATE: _create,
        Action.SUPERSEDE: _supersede,
        Action.UPDATE: _update,
        Action.REINFORCE: _reinforce,
    }
)


def _joined(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of either; lists are joined, of anything else the newer is believed."""
    found = dict(old)
    for name, value in new.items():
        before = found.get(name)
        if isinstance(before, list) and isinstance(value, list):
            found[name] = [*before, *(one for one in value if one not in before)]
        else:
            found[name] = value
    return found
