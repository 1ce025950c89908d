"""What a verb that writes gives back."""

from dataclasses import dataclass

from recollect.language.secrets import Finding
from recollect.model import Action


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of one text: the decision, its reason, and the memory that now stands for it."""

    id: str | None
    action: Action
    reason: str
    text: str
    redactions: tuple[Finding, ...] = ()
    supersedes: str | None = None

    @property
    def kept(self) -> bool:
        """Whether the store now holds what was said."""
        return self.action is not Action.SKIP
