"""What learning speaks in: episodes, their steps, advice and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from recollect.language.parts import readable
from recollect.model import NO_MAPPING

EPISODE, STEP = "episode", "step"
"""The kinds of memory that an episode and its steps are."""
OUTCOME, REGION = "outcome", "region"
"""The kinds of record that learning keeps."""
WON, LOST = "won", "lost"
"""Where the last action of an episode leads."""


class Ending(StrEnum):
    """How an episode stands."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Episode:
    """One try at a goal, from its start to its outcome."""

    id: str
    goal: str
    task_type: str | None
    channel: str
    session: str | None
    started_at: datetime
    ending: Ending = Ending.OPEN


@dataclass(frozen=True, slots=True)
class Step:
    """What an agent did in one situation of an episode, and what came of it."""

    id: str
    """Empty where its state was purged before, so that it is not kept."""
    episode: str
    place: int
    """Its number in the episode, from 0."""
    state: str
    action: str
    action_type: str
    command: str
    """The action in the environment's own words."""
    observation: str | None
    reward: float | None
    possible: frozenset[str] | None
    touches: bool | None
    """Whether it acts on what the goal is about; None: whether it names a thing that the goal names."""
    followed: tuple[int, ...]
    """The contents of the steps that advised the same."""
    ignored: tuple[int, ...]
    """The contents of those that advised most strongly something else."""
    at: datetime
    ok: bool | None = None
    """Whether it did what it was to do, such as a tool that was called; None where nobody says."""
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Precedent:
    """A step of an earlier success in a situation like this one."""

    id: str
    content: int
    episode: str
    state: str
    action: str
    similarity: float
    value: float
    """By how far it was from the success: gamma to the power of the steps that were left."""
    reward: float
    """What is left of it after failures of those who followed it."""
    weight: float
    """What it counts here: the evidence of its similarity, times its value, times its reward."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One action that could be taken now."""

    action: str
    evidence: float
    """The weight of the precedents that took it, as a share of all."""
    chance: float
    """P(success | region, action), shrunk towards what is known of the region as a whole."""
    score: float
    is_known: bool = True
    """Whether what went well in such situations speaks for it, or for an action of its type."""
    is_tried: bool = True
    """Whether it was tried in such a situation."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What memory says about a situation: what was done in similar ones, and what each action promises."""

    episode: str | None
    state: str
    region: str | None
    """The region of the situation; None where nothing like it was known."""
    precedents: tuple[Precedent, ...]
    choices: tuple[Choice, ...]
    """Best first."""
    warnings: tuple[str, ...] = ()
    """What was criticised in earlier tries at similar goals."""

    @property
    def best(self) -> str | None:
        """The action that promises most; None where nothing that is known speaks for any of them."""
        return self.choices[0].action if any(one.is_known for one in self.choices) else None

    @property
    def text(self) -> str:
        """The advice for a prompt."""
        cautions = [f"Warning: {warning}" for warning in self.warnings]
        known = [one for one in self.choices if one.is_known or one.is_tried]
        if not known:
            return "\n".join([*cautions, "No experience with this kind of situation."])
        heading = "What worked in similar situations, best first:"
        lines = [
            *cautions,
            heading if self.best else "Nothing is known to have worked in similar situations:",
        ]
        lines += [f"- {c.action} ({_standing(c)})" for c in self.choices[:5]]
        for precedent in self.precedents[:3]:
            lines.append(f'  seen before: "{readable(precedent.state)}" → {precedent.action}')
        return "\n".join(lines)


def _standing(choice: Choice) -> str:
    if choice.is_known:
        return f"chance of success {choice.chance:.0%}"
    return "failed before" if choice.is_tried else "not tried yet"


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of the way from a situation to success."""

    action: str
    region: str
    chance: float
    """P(success | region, action)."""
    leads_to: str
    """The region that mostly follows, or `won`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What several successes did in the same order."""

    id: str
    """Of the memory that tells it; empty before it is kept."""
    goal: str
    steps: tuple[str, ...]
    """What to do, with {1}, {2}, … for what differs."""
    parameters: Mapping[str, tuple[str, ...]]
    """By its name, what a parameter stood for."""
    episodes: tuple[str, ...] = ()
    """Those that it was learnt from."""
    wins: int = 0
    losses: int = 0
    """Failures at the same kind of task in which each type of its steps was tried."""
    seconds: float | None = None
    """How long the episodes took, on average."""
    sources: tuple[str, ...] = ()
    """When it is made: the episodes and steps whose words are in it."""


@dataclass(frozen=True, slots=True)
class Way:
    """How something was done: a success that stands for a group of similar ones."""

    episode: str
    group: int
    """How many successes are in its group."""
    similarity: float
    goal: str = ""
    actions: tuple[str, ...] = ()
    """What the success needed, in order."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What became of one type of action in the episodes that ended."""

    name: str
    calls: int
    wins: int
    """How many of its calls were in episodes that succeeded."""
    losses: int
    success: float
    """The share of those, as a Beta posterior."""
    worked: int
    """How many calls did what they were to do, as far as it was told."""
    broke: int
    latency_ms: float | None
    """On average; None where no call was timed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an episode's end changed, so that it can be explained and undone."""

    episode: str
    success: bool
    at: datetime
    kept: tuple[str, ...] = ()
    """The steps that brought the success about, and are advice from now on."""
    decayed: Mapping[str, float] = field(default_factory=lambda: NO_MAPPING)
    """By step, what its reward was multiplied with."""
    tried: int = 0
    """How many pairs of a region and an action were counted."""
    edges: int = 0
