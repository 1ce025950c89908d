"""A dream as it is recorded: how far it has come, what each step did, and what is left to decide."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Final, Self

from recollect.dream.proposal import Doubt, Proposal
from recollect.errors import NotFound
from recollect.model import microseconds, moment
from recollect.ports import RecordChange, Store

RUN: Final = "dream.run"
SINCE: Final = ("dream", "since")
"""The record of when each step was last done."""
DREAM: Final = "dream"
"""The job that has every step."""
RUNNING, DONE, UNDOING, UNDONE, DRY = "running", "done", "undoing", "undone", "dry run"
MOMENTS: Final = ("now", "finished")
BESIDE: Final = ("id", "revision")
"""What stands beside a record's value."""
MOST_DOUBTS: Final = 100
"""So many open questions a report names; it counts them all."""


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one step did: how many changes under each rule, and how long it took."""

    changed: Mapping[str, int] = field(default_factory=dict)
    noted: Mapping[str, int] = field(default_factory=dict)
    """What was tried and changed nothing."""
    seconds: float = 0.0

    def after(self, proposal: Proposal, seconds: float) -> Self:
        """The same with one more batch."""
        rules = [*proposal.rules.values(), *(sleep.rule for sleep in proposal.asleep.values())]
        rules += [revision.rule for revision in proposal.revised.values()]
        rules += [made.rule for made in proposal.made]
        rules += [f"{edge.type} edges" for edge in proposal.edges]
        rules += [f"{edge.type} edges pruned" for edge in proposal.unlinked]
        changed, noted = dict(self.changed), dict(self.noted)
        for rule in rules:
            changed[rule] = changed.get(rule, 0) + 1
        for what, count in (
            *proposal.noted.items(),
            *((f"to decide: {one.rule}", 1) for one in proposal.doubts),
        ):
            noted[what] = noted.get(what, 0) + count
        return replace(self, changed=changed, noted=noted, seconds=self.seconds + seconds)


@dataclass(frozen=True, slots=True)
class Run:
    """One dream of one user."""

    id: str
    state: str
    now: datetime
    """The moment that all its steps go by, also those that were finished later."""
    names: tuple[str, ...] = ()
    """Its steps, in their order."""
    since: Mapping[str, int] = field(default_factory=dict)
    """By step, when it was done before, in microseconds; one that never was is not there."""
    job: str = DREAM
    step: str = ""
    """The step that it is at."""
    cursor: str = ""
    resumes: bool = False
    """Whether that step has written something."""
    batches: int = 0
    steps: Mapping[str, StepReport] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    """The thresholds that it went by."""
    finished: datetime | None = None
    conflicts: tuple[str, ...] = ()
    """What an undo could not restore, because it was changed since."""
    revision: int = 0

    @property
    def changed(self) -> int:
        """How many changes it made in all."""
        return sum(count for step in self.steps.values() for count in step.changed.values())

    @property
    def seconds(self) -> float:
        """How long it took in all."""
        return sum(step.seconds for step in self.steps.values())

    def after(self, proposal: Proposal, seconds: float) -> Self:
        """The same with one more batch of its step."""
        step = self.steps.get(self.step, StepReport()).after(proposal, seconds)
        return replace(
            self,
            steps={**self.steps, self.step: step},
            doubts=(*self.doubts, *proposal.doubts)[:MOST_DOUBTS],
            cursor=proposal.cursor or self.cursor,
            batches=self.batches + 1,
            resumes=True,
        )

    def at(self, step: str) -> Self:
        """The same at the beginning of a step."""
        return replace(self, step=step, cursor="", resumes=False, steps={**self.steps, step: StepReport()})

    def spent(self, seconds: float) -> Self:
        """The same after its step took some time in which it changed nothing."""
        step = self.steps[self.step]
        return replace(self, steps={**self.steps, self.step: replace(step, seconds=step.seconds + seconds)})

    @property
    def change(self) -> RecordChange:
        """The record as it would be written now."""
        value = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in BESIDE}
        value |= {name: None if value[name] is None else microseconds(value[name]) for name in MOMENTS}
        value["steps"] = {name: asdict(step) for name, step in self.steps.items()}
        value["doubts"] = [asdict(doubt) for doubt in self.doubts]
        return RecordChange(RUN, self.id, value, self.revision)


def runs(store: Store, user: str) -> list[Run]:
    """Every dream that is recorded, oldest first."""
    return [_run(one.key, one.value, one.revision) for one in store.records(user, RUN)]


def run(store: Store, user: str, run_id: str) -> Run:
    """One dream by its id, or by the unique beginning of it."""
    found = store.records(user, RUN, prefix=run_id, limit=2)
    if len(found) != 1:
        raise NotFound(
            f"no dream {run_id}; `recollect dream --list` shows them"
            if not found
            else f"{run_id} is no unique beginning of a dream's id"
        )
    return _run(found[0].key, found[0].value, found[0].revision)


def _run(run_id: str, value: Mapping[str, Any], revision: int) -> Run:
    given = dict(value)
    given |= {name: None if given[name] is None else moment(given[name]) for name in MOMENTS}
    given["steps"] = {name: StepReport(**step) for name, step in given["steps"].items()}
    given["doubts"] = tuple(Doubt(one["rule"], tuple(one["ids"])) for one in given["doubts"])
    given |= {name: tuple(given[name]) for name in ("conflicts", "names")}
    return Run(id=run_id, revision=revision, **given)
