"""What becomes of a statement beside what is known: new, merged, replacing, confirming, or nothing at all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.formulas import gate as formula
from recollect.formulas.importance import priority
from recollect.language.differences import adds, differing, retold
from recollect.language.enduring import beside, says_more, told
from recollect.language.roles import is_user
from recollect.language.synthesis import merged
from recollect.model import Action, Memory
from recollect.write.claiming import apart, claim_tags, claimed, contradiction, otherwise
from recollect.write.instructing import PROCEDURE, WARNING
from recollect.write.known import Known
from recollect.write.policy import Policy
from recollect.write.result import ERASED
from recollect.write.work import Choice, Near, Refusal

STAGE: Final = "gate"
REVIEW: Final = "review"
"""The tag of what contradicts something and waits for somebody to say which of both holds."""
_COMPARED: Final = 3
"""How many of the closest are read for a contradiction that no key shows."""
_LEAST_SIMILARITY: Final = 0.5
SUPERSEDES: Final = "supersedes"
_OPPOSED: Final = frozenset({SUPERSEDES, "contradicts"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """The action, why, and the memories that it concerns, the most important first."""

    action: Action
    reason: str
    about: tuple[Memory, ...] = ()
    text: str | None = None
    """Of an update: the text that takes both in."""
    flagged: bool = False
    """Whether somebody should look at it."""
    until: Memory | None = None
    """Of what is created too late: what was said after it and replaced it."""


Check = Callable[[Choice, Known, Policy], Verdict | None]


def match(choice: Choice, known: Known, _: Policy) -> Refusal | None:
    """Finds what is closest to it, unless it was purged."""
    if choice.was_erased:
        return Refusal(STAGE, ERASED, choice.memory.text)
    choice.near = known.nearest(choice.vector, choice.memory.valid_from)
    return None


def judged(choice: Choice, known: Known, policy: Policy) -> Verdict:
    """The first check that knows what to do decides."""
    return next(verdict for check in CHECKS if (verdict := check(choice, known, policy)) is not None)


def repeated(choice: Choice, _: Known, __: Policy) -> Verdict | None:
    """The same words are there already."""
    twin = next(
        (n.memory for n in choice.near if _folded(n.memory.text) == _folded(choice.memory.text)), None
    )
    return None if twin is None else _again(choice, twin, "the same text is known already")


def contradicted(choice: Choice, known: Known, policy: Policy) -> Verdict | None:
    """Another value of the same thing, or the opposite of the same words: who is believed is a policy."""
    found = list(_contradictions(choice, known))
    if not found:
        return None
    memories = tuple(dict.fromkeys(memory for memory, _, _ in found))
    reason, sure = found[0][1], all(sure for _, _, sure in found)
    later = [memory for memory in memories if memory.valid_from > choice.memory.valid_from]
    if later:
        return _over(choice, later, reason)
    if policy.conflicts == "prefer_old":
        return Verdict(Action.SKIP, f"what was said first is preferred ({reason})", memories)
    doubt = _doubt(choice, memories, policy) if sure else "both cannot hold, and neither says which does"
    if doubt is not None:
        return Verdict(Action.CREATE, f"{doubt} ({reason})", memories, flagged=True)
    return _replacing(choice, memories, reason)


def _over(choice: Choice, later: Sequence[Memory], reason: str) -> Verdict:
    """It ends where something else was said, unless only a part of it does."""
    if any(_in_part(choice, memory, was_before=True) for memory in later):
        return Verdict(Action.CREATE, f"only a part of it did not hold on ({reason})")
    until = min(later, key=lambda memory: memory.valid_from)
    return Verdict(Action.CREATE, f"it held until something else was said ({reason})", until=until)


def _replacing(choice: Choice, memories: tuple[Memory, ...], reason: str) -> Verdict:
    """It takes the place of what it contradicts as a whole, and stands beside what says more."""
    ended = tuple(memory for memory in memories if not _in_part(choice, memory))
    if not ended:
        return Verdict(Action.CREATE, f"only a part of what is known does not hold ({reason})", memories)
    return Verdict(Action.SUPERSEDE, reason, ended)


def _doubt(choice: Choice, memories: Sequence[Memory], policy: Policy) -> str | None:
    """Why somebody should look at a contradiction before anything is replaced."""
    if policy.conflicts == "flag_review":
        return "to be reviewed"
    if any(memory.immutable for memory in memories):
        return "what it contradicts is immutable"
    if not is_user(choice.heard.role) and any(_said_by_user(memory) for memory in memories):
        return "the user said otherwise"
    return None


def corrected(choice: Choice, known: Known, policy: Policy) -> Verdict | None:
    """A correction replaces what it corrects: the closest that was said in the same session by the same."""
    memory = choice.memory
    if not choice.draft.corrects or memory.origin.session is None:
        return None
    for near in known.nearest(choice.vector, memory.valid_from, session=memory.origin.session):
        old = near.memory
        least = policy.corrects if adds(memory.text, old.text) else policy.surely_corrects
        own = old.origin.data_source == memory.origin.data_source
        if own and near.similarity >= least and not old.immutable:
            return Verdict(Action.SUPERSEDE, "it corrects what was said in this session", (old,))
    return None


def compared(choice: Choice, known: Known, policy: Policy) -> Verdict:
    """By its likeness to the closest."""
    if not choice.near:
        return Verdict(Action.CREATE, "nothing is known yet")
    closest = choice.near[0]
    old, new = closest.memory.text, choice.memory.text
    again = retold(new, old)
    # An assistant that says much the same repeats what it was told.
    repeats = not is_user(choice.heard.role) and not adds(new, old)
    decision = formula.decide(
        closest.similarity,
        contradicts=False,
        same_key=differing(new, old) is None
        and (again is not None or repeats)
        and not otherwise(choice.draft.claims, claimed(closest.memory)),
        important=priority(choice.memory.importance) in {"high", "critical"},
        adds=again == "more" and not repeats,
        params=policy.gate,
    )
    match decision.action:
        case Action.REINFORCE:
            return _again(choice, closest.memory, decision.reason)
        case Action.UPDATE:
            return _updated(choice, closest, decision.reason, known, policy)
        case other:
            return Verdict(other, decision.reason, (closest.memory,))


CHECKS: Final[tuple[Check, ...]] = (repeated, contradicted, corrected, compared)


def _contradictions(choice: Choice, known: Known) -> Iterator[tuple[Memory, str, bool]]:
    """The memories that cannot hold beside it, why, and whether it is sure that the newer one does.

    They are found by what they are about, and among the closest.
    """
    new, ours = choice.memory.text, choice.draft.claims
    tags = claim_tags(ours)
    about = known.tagged(tags, choice.memory.valid_from)[::-1] if tags else []
    close = [one.memory for one in choice.near[:_COMPARED] if one.similarity >= _LEAST_SIMILARITY]
    for memory in {one.id: one for one in (*about, *close)}.values():
        # What is done does not contradict what should be done.
        if not _alike(choice.memory, memory):
            continue
        reason = contradiction(new, ours, memory)
        if reason is not None and not _beside(choice, memory):
            yield memory, reason, True
            continue
        opinion = known.opinions.relation(new, memory.text, memory.valid_from) if memory in close else None
        if opinion is not None and opinion.sure and opinion.type in _OPPOSED:
            yield memory, f"the language model says that it {opinion.type} it", opinion.type == SUPERSEDES


def _in_part(choice: Choice, memory: Memory, *, was_before: bool = False) -> bool:
    """Whether what was said first says more than what the other contradicts; a rule holds as a whole or not at all."""
    if memory.kind in {PROCEDURE, WARNING}:
        return False
    new, old = told(choice.memory, choice.draft.claims), told(memory, claimed(memory))
    return says_more(new, old) if was_before else says_more(old, new)


def _beside(choice: Choice, memory: Memory) -> bool:
    """Whether both hold though they contradict each other, whichever was said first."""
    new, old = told(choice.memory, choice.draft.claims), told(memory, claimed(memory))
    return beside(new, old) if old.at <= new.at else beside(old, new)


def _again(choice: Choice, memory: Memory, reason: str) -> Verdict:
    """Whoever tells it again confirms it; an assistant that says it may have read it here."""
    if is_user(choice.heard.role):
        return Verdict(Action.REINFORCE, reason, (memory,))
    return Verdict(Action.SKIP, f"{reason}, and an assistant that repeats it confirms nothing", (memory,))


def _updated(choice: Choice, closest: Near, reason: str, known: Known, policy: Policy) -> Verdict:
    old, new = closest.memory, choice.memory.text
    if not is_user(choice.heard.role) and not adds(new, old.text):
        return Verdict(Action.SKIP, "an assistant repeats what is known in other words", (old,))
    if not _alike(choice.memory, old) or apart(choice.draft.claims, claimed(old)):
        return Verdict(Action.CREATE, "alike, but it claims something else", (old,))
    if retold(new, old.text) in {"same", "less"}:
        return _again(choice, old, "all of it is known already")
    text = known.opinions.merged(old.text, new) or merged(old.text, new)
    if text is None or len(text) > policy.most_merged or old.immutable:
        return Verdict(Action.CREATE, "overlaps with what cannot take more", (old,))
    if _folded(text) == _folded(old.text):
        return _again(choice, old, "all of it is known already")
    return Verdict(Action.UPDATE, reason, (old,), text)


def _alike(one: Memory, other: Memory) -> bool:
    """Whether both are rules of one kind, or neither is a rule."""
    return one.kind == other.kind or not {one.kind, other.kind} & {PROCEDURE, WARNING}


def _said_by_user(memory: Memory) -> bool:
    return memory.origin.data_source == "user_message"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")
