"""What a verb that writes gives back."""

from dataclasses import dataclass

from recollect.language.secrets import Finding
from recollect.model import Action
from recollect.ports import Written
from recollect.write.text import Clean


@dataclass(frozen=True, slots=True)
class Formed:
    """What became of one statement of a message, which stage decided it, and why."""

    action: Action
    stage: str
    reason: str
    text: str
    """As it would be remembered; of what was left out before that, as it was said."""
    id: str | None = None
    """The memory that now stands for it."""
    kind: str | None = None
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of one text: the decision, its reason, and the memory that now stands for it."""

    id: str | None
    action: Action
    reason: str
    text: str
    redactions: tuple[Finding, ...] = ()
    supersedes: str | None = None
    formed: tuple[Formed, ...] = ()
    """Of an observed message: every decision about what it states."""

    @property
    def kept(self) -> bool:
        """Whether the store now holds what was said."""
        return self.action is not Action.SKIP


EMPTY = Remembered(None, Action.SKIP, "the message is empty", "")
ERASED = "this text was purged before and is not learnt again"


def remembered(written: Written, cleaned: Clean, supersedes: str | None = None) -> Remembered:
    """What the store made of a text, in words."""
    redacted = (
        f"; redacted: {', '.join(sorted({f.kind for f in cleaned.redactions}))}" if cleaned.redactions else ""
    )
    match written.refusal:
        case None if supersedes is not None:
            action, reason = Action.SUPERSEDE, f"replaces {supersedes}"
        case None:
            action, reason = Action.CREATE, "new"
        case "duplicate":
            action, reason = Action.REINFORCE, "the same text is known already"
        case _:
            action, reason = Action.SKIP, ERASED
    known = None if action is Action.SKIP else written.id
    return Remembered(
        known,
        action,
        reason + redacted,
        cleaned.text,
        cleaned.redactions,
        supersedes if action is Action.SUPERSEDE else None,
    )
