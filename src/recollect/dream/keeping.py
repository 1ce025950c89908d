"""Which dreams go on and which can be undone, in one small record: nobody reads every report to find out."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Self

from recollect.dream.runs import DREAM, RUNNING, Run, runs
from recollect.model import microseconds
from recollect.ports import RecordChange, Store

KEEPING: Final = ("dream", "runs")
KEPT: Final = 30
KEPT_FOR: Final = timedelta(days=30)
"""The last dreams, and what any job did of late, can be undone; of those before, the report is kept."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """A run whose journal is kept."""

    id: str
    job: str
    at: int
    """Its moment, in microseconds."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What is kept of a user's dreams."""

    running: tuple[str, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    revision: int = 0

    def begun(self, run: Run) -> Self:
        """With a run that begins."""
        return replace(self, running=(*self.running, run.id))

    def ended(self, run: Run, *, leaves_something: bool) -> tuple[Self, list[str]]:
        """Without a run that goes on, and the ids of those that are too long ago to be undone from now on."""
        mine = (Undoable(run.id, run.job, microseconds(run.now)),) if leaves_something else ()
        every = (*(one for one in self.undoable if one.id != run.id), *mine)
        last = {one.id for one in [one for one in every if one.job == DREAM][-KEPT:]}
        since = microseconds(run.now - KEPT_FOR)
        kept = tuple(one for one in every if one.at >= since or one.id in last)
        gone = sorted({one.id for one in every} - {one.id for one in kept})
        return replace(self, running=tuple(one for one in self.running if one != run.id), undoable=kept), gone

    @property
    def change(self) -> RecordChange:
        """The record as it would be written now."""
        undoable = [[one.id, one.job, one.at] for one in self.undoable]
        return RecordChange(*KEEPING, {"running": list(self.running), "undoable": undoable}, self.revision)


def keeping(store: Store, user: str) -> Keeping:
    """What is kept now; where nobody noted it yet, as the reports tell it."""
    known = store.record(user, *KEEPING)
    if known is None:
        every = runs(store, user)
        return Keeping(
            tuple(one.id for one in every if one.state == RUNNING),
            tuple(_undoable(one) for one in every if one.state != RUNNING),
        )
    return Keeping(
        tuple(known.value["running"]),
        tuple(Undoable(*one) for one in known.value["undoable"]),
        known.revision,
    )


def _undoable(run: Run) -> Undoable:
    return Undoable(run.id, run.job, microseconds(run.now))
