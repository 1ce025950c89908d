"""A dream from its first step to its last, or from where an earlier one was interrupted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from recollect.dream.alone import alone
from recollect.dream.committing import commit
from recollect.dream.journal import JOURNAL
from recollect.dream.keeping import Keeping, keeping
from recollect.dream.night import Night, Recall
from recollect.dream.params import DreamParams
from recollect.dream.runs import DONE, DREAM, DRY, RUN, RUNNING, SINCE, Run
from recollect.dream.runs import run as recorded
from recollect.dream.steps import STEPS, Step
from recollect.errors import Conflict
from recollect.model import Memory, microseconds, moment
from recollect.ports import Changes, Clock, Generator, NewText, Progress, RecordChange, Store

ATTEMPTS: Final = 8


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
    generator: Generator | None = None
    """A language model that tells what memories have in common; without one, or where it fails, rules do."""


def dream(dreamer: Dreamer, *, dry_run: bool = False, progress: Progress | None = None) -> Run:
    """Runs every step in its order, each batch a transaction; a dry run decides the same and writes nothing.

    Where an earlier dream was interrupted, it is finished first, as of its own moment; one of the same job
    takes the place of the new one.
    """
    if dry_run:
        nothing = replace(
            dreamer, backfill=lambda _: 0
        )  # vectors are written beside the transactions of a dream
        return _dreamt(nothing, _new(dreamer, "", DRY), progress)
    with alone(dreamer.store, dreamer.user):
        for _ in range(ATTEMPTS):
            known = keeping(dreamer.store, dreamer.user)
            left = _left_open(dreamer, known)
            run = _begun(dreamer, known) if left is None else left
            if run is None:
                continue  # another run began or ended in between
            done = _dreamt(dreamer, run, progress)
            if left is None or left.job == dreamer.job:
                return done
    raise Conflict("others keep beginning and ending dreams; dream again later")


def _left_open(dreamer: Dreamer, known: Keeping) -> Run | None:
    """The run that was interrupted, or that another machine is at."""
    for run_id in known.running:
        if dreamer.store.record(dreamer.user, RUN, run_id) is not None:
            found = recorded(dreamer.store, dreamer.user, run_id)
            if found.state == RUNNING:
                return found
    return None


def _begun(dreamer: Dreamer, known: Keeping) -> Run | None:
    """A new run, which is noted beside those that are known, or not at all; None if others began or ended since."""
    run = _new(dreamer, dreamer.new_id(), RUNNING)
    changes = Changes("dream", run.now, records=(run.change, known.begun(run).change), detail=_detail(run))
    try:
        dreamer.store.write(dreamer.user, changes)
    except Conflict:
        return None
    return _as_written(dreamer, run)


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
        generator=dreamer.generator,
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
    change = replace(run.change, value=None) if _is_idle(run) else run.change
    for _ in range(ATTEMPTS):
        changes = Changes(
            "dream", dreamer.clock.now(), records=(change, *_closed(dreamer, run)), detail=_detail(run)
        )
        try:
            dreamer.store.write(dreamer.user, changes)
        except Conflict:
            known = dreamer.store.record(dreamer.user, RUN, run.id)
            if (0 if known is None else known.revision) != run.revision:
                raise
            continue  # another run began or ended in between
        return _as_written(dreamer, run)
    raise Conflict("others keep beginning and ending dreams; dream again later")


def _closed(dreamer: Dreamer, run: Run) -> Sequence[RecordChange]:
    known = dreamer.store.record(dreamer.user, *SINCE)
    before = {} if known is None else known.value
    done = before | dict.fromkeys(run.names, microseconds(run.now))
    since = RecordChange(*SINCE, done, 0 if known is None else known.revision)
    kept, old = keeping(dreamer.store, dreamer.user).ended(run, leaves_something=not _is_idle(run))
    gone = [
        RecordChange(JOURNAL, entry.key, None)
        for run_id in old
        for entry in dreamer.store.records(dreamer.user, JOURNAL, prefix=f"{run_id}/")
    ]
    return (since, kept.change, *gone)


def _is_idle(run: Run) -> bool:
    """A job that found nothing to do leaves nothing behind."""
    return run.job != DREAM and not run.batches


def _detail(run: Run) -> dict[str, str]:
    return {"run": run.id, "job": run.job, "state": run.state}


def _as_written(dreamer: Dreamer, run: Run) -> Run:
    known = dreamer.store.record(dreamer.user, RUN, run.id)
    return replace(run, revision=0 if known is None else known.revision)
