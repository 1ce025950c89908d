"""Who may write what: rules over source, channel and kind, of which the first that fits decides."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from recollect.errors import InvalidInput
from recollect.model import Memory

VERDICTS: Final = ("allow", "deny")


@dataclass(frozen=True, slots=True)
class Rule:
    """Allows or denies what comes from a source into a channel as a kind; `*` stands for any letters."""

    verdict: str
    source: str
    channel: str
    kind: str

    def __str__(self) -> str:
        return f"{self.verdict} {self.source} {self.channel} {self.kind}"

    def fits(self, memory: Memory) -> bool:
        """Whether it speaks about this memory."""
        return (
            any(fnmatchcase(name, self.source) for name in sources(memory))
            and fnmatchcase(memory.channel, self.channel)
            and fnmatchcase(memory.kind, self.kind)
        )


def sources(memory: Memory) -> tuple[str, ...]:
    """What a memory's source goes by: how it is written, and who acts, speaks, or in which role.

    Someone without any of the latter is still known by how they write: `manual`, `observer`, `import`.
    """
    origin = memory.origin
    names = (origin.write_source, origin.actor, origin.speaker, origin.role)
    return tuple(name for name in names if name)


@lru_cache(maxsize=64)
def rules_from(text: str) -> tuple[Rule, ...]:
    """The rules of a line, parted by semicolons.

    >>> [str(rule) for rule in rules_from("deny tool * *; allow * project-* fact")]
    ['deny tool * *', 'allow * project-* fact']
    """
    rules = []
    for part in text.split(";"):
        words = part.split()
        if not words:
            continue
        if len(words) != 4 or words[0] not in VERDICTS:
            raise InvalidInput(
                f"a rule is `allow` or `deny` with a source, a channel and a kind, such as"
                f" `deny scout * preference`, not {part.strip()!r}"
            )
        rules.append(Rule(*words))
    return tuple(rules)


def denial(memory: Memory, rules: tuple[Rule, ...]) -> str | None:
    """Why this may not be written, or None where it may; what no rule speaks about is allowed."""
    rule = next((one for one in rules if one.fits(memory)), None)
    if rule is None or rule.verdict == "allow":
        return None
    source = sources(memory)[-1]
    return f"{source} may not write a {memory.kind} into {memory.channel}: `{rule}` (privacy.rules)"
