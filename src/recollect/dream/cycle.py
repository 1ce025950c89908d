"""A dream from its first step to its last, or from where an earlier one was interrupted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from recollect.dream.committing import commit
from recollect.dream.journal import JOURNAL
from recollect.dream.night import Night, Recall
from recollect.dream.params import DreamParams
from recollect.dream.runs import DONE, DREAM, DRY, RUNNING, SINCE, Run, runs
from recollect.dream.steps import STEPS, Step
from recollect.model import Memory, microseconds, moment
from recollect.ports import Changes, Clock, NewText, Progress, RecordChange, Store

KEPT: Final = 30
KEPT_FOR: Final = timedelta(days=30)
"""The last dreams, and what any job did of late, can be undone; of those before, the report is kept."""


@dataclass(frozen=True, slots=True)
class Dreamer:
    """Whose memories are dreamt about, by which rules, and how they are asked for."""

    store: Store
    user: str
    clock: Clock
    params: DreamParams
    recall: Recall
    encode: Callable[[Memory], NewText]
    model: str
    """The embedder's name."""
    new_id: Callable[[], str]
    steps: Sequence[Step] = STEPS
    job: str = DREAM
    backfill: Callable[[int], int] = lambda _: 0
    """Embeds at most so many texts that have no vector, and says how many it did."""
    folder: Path | None = None
    """What memories name is looked up there."""


def dream(dreamer: Dreamer, *, dry_run: bool = False, progress: Progress | None = None) -> Run:
    """Runs every step in its order, each batch a transaction; a dry run decides the same and writes nothing.

    Where an earlier dream was interrupted, it is finished first, as of its own moment; one of the same job
    takes the place of the new one.
    """
    if dry_run:
        return _dreamt(dreamer, _new(dreamer, "", DRY), progress)
    left = next((run for run in runs(dreamer.store, dreamer.user) if run.state == RUNNING), None)
    if left is not None:
        finished = _dreamt(dreamer, left, progress)
        if left.job == dreamer.job:
            return finished
    run = _new(dreamer, dreamer.new_id(), RUNNING)
    return _dreamt(dreamer, _written(dreamer, run, run.now), progress)


def _new(dreamer: Dreamer, run_id: str, state: str) -> Run:
    names = tuple(step.__name__ for step in dreamer.steps)
    known = dreamer.store.record(dreamer.user, *SINCE)
    since = {} if known is None else {name: at for name, at in known.value.items() if name in names}
    now = dreamer.clock.now()
    return Run(run_id, state, now, names, since, dreamer.job, params=dreamer.params.told)


def _dreamt(dreamer: Dreamer, run: Run, progress: Progress | None) -> Run:
    """The run from the step that it is at."""
    night = Night(
        dreamer.store,
        dreamer.user,
        run.now,
        params=dreamer.params,
        recall=dreamer.recall,
        encode=dreamer.encode,
        new_id=dreamer.new_id,
        backfill=dreamer.backfill,
        folder=dreamer.folder,
    )
    known = {step.__name__: step for step in (*STEPS, *dreamer.steps)}
    first = run.names.index(run.step) if run.step in run.names else 0
    for place, name in enumerate(run.names[first:], first):
        if name not in known:
            continue  # it was interrupted by a change of version
        if name != run.step:
            run = run.at(name)
        since = run.since.get(name)
        night.since = None if since is None else moment(since)
        night.cursor, night.resumes = run.cursor, run.resumes
        run = _stepped(dreamer, night, run, known[name])
        if progress is not None:
            progress(place + 1, len(run.names))
    finished = replace(run, finished=dreamer.clock.now(), state=run.state if run.state == DRY else DONE)
    return finished if run.state == DRY else _ended(dreamer, finished)


def _stepped(dreamer: Dreamer, night: Night, run: Run, step: Step) -> Run:
    began = time.perf_counter()
    for proposal in step(night):
        seconds, began = time.perf_counter() - began, time.perf_counter()
        if run.state == DRY:
            run = run.after(proposal, seconds)
        else:
            run, proposal = commit(night, run, proposal, dreamer, seconds)  # noqa: PLW2901 - as it was done
        night.take(proposal)
    return run.spent(time.perf_counter() - began)


def _ended(dreamer: Dreamer, run: Run) -> Run:
    """Closes the run, notes when its steps were done, and lets go of what would undo dreams of long ago."""
    known = dreamer.store.record(dreamer.user, *SINCE)
    before = {} if known is None else known.value
    done = before | dict.fromkeys(run.names, microseconds(run.now))
    since = RecordChange(*SINCE, done, 0 if known is None else known.revision)
    earlier = [one for one in runs(dreamer.store, dreamer.user) if one.id != run.id]
    kept = {one.id for one in [one for one in earlier if one.job == DREAM][1 - KEPT :]}
    old = {one.id for one in earlier if one.now < run.now - KEPT_FOR} - kept
    gone = [
        RecordChange(JOURNAL, entry.key, None)
        for run_id in sorted(old)
        for entry in dreamer.store.records(dreamer.user, JOURNAL, prefix=f"{run_id}/")
    ]
    return _written(dreamer, run, dreamer.clock.now(), since, *gone)


def _written(dreamer: Dreamer, run: Run, at: datetime, *more: RecordChange) -> Run:
    change = run.change
    if run.state == DONE and run.job != DREAM and not run.batches:
        change = replace(change, value=None)  # a job that found nothing to do leaves nothing behind
    detail = {"run": run.id, "job": run.job, "state": run.state}
    dreamer.store.write(dreamer.user, Changes("dream", at, records=(change, *more), detail=detail))
    known = dreamer.store.record(dreamer.user, change.kind, run.id)
    return replace(run, revision=0 if known is None else known.revision)
