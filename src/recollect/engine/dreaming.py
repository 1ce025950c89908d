"""The verbs of sleep: dreaming, what was dreamt, and taking it back; and saying what helped."""

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.dream.committing import ASLEEP
from recollect.dream.journal import entries
from recollect.dream.judging import judge
from recollect.dream.params import DreamParams
from recollect.dream.runs import DREAM, Run, run, runs
from recollect.dream.schedule import AUDIT, JOB, JOBS, Went, claimed, due, released, went
from recollect.dream.serving import Served, learn_from
from recollect.dream.undo import undo
from recollect.engine.reading import Reading
from recollect.engine.telling import told
from recollect.errors import InvalidInput, RecollectError
from recollect.given import IDS, answer, texts
from recollect.model import Lane, Memory, Record, State, microseconds
from recollect.ports import Changes, Progress
from recollect.write.reembed import backfill

if TYPE_CHECKING:
    from recollect.dream.cycle import Dreamer
    from recollect.dream.steps import Step

REHEARSED = 10
"""Among so many hits a memory is found that is rehearsed."""


class Dreaming(Reading):
    """Dream, report, undo; feedback."""

    @told
    def feedback(self, memory_ids: str | Iterable[str], *, helpful: bool) -> None:
        """Says that memories helped, or did not: their utility, strength and confidence follow; all or none."""
        answer("it helped or not: True or False", helpful)
        if not self.refreshed().memory.records:
            return
        judged = dict.fromkeys((self._id(one) for one in texts(IDS, memory_ids)), helpful)
        if judged:
            judge(self.store, self.user, judged, self._clock.now())

    def learn_from_serving(self, served: Served, *, tags: bool = False) -> int:
        """Writes what look-ups taught about what they brought, and puts what is new into its clusters (G5).

        Gives how many memories it changed. A companion does this by itself.
        """
        if not self.refreshed().memory.records:
            return 0
        changed = learn_from(self.store, self.user, served, self._clock.now(), tags=tags)
        self._wrote(changed)
        if self.settings.dream.themes:
            self._check_model()
            changed += self._dreamt("clusters", ("clustering",)).changed
        return changed

    @told
    def dream(
        self, *, dry_run: bool = False, folder: str | Path | None = None, progress: Progress | None = None
    ) -> Run:
        """Lets memories fade, sleep and be put in order; everything is recorded and can be undone.

        A dream that was interrupted is finished first. `dry_run` decides the same and writes nothing. With a
        `folder`, memories that name files or commands are held against it.
        """
        where = None if folder is None else Path(folder).expanduser()
        if where is not None and not where.is_dir():
            raise InvalidInput(f"no folder {where} that memories could be held against")
        self._check_model()
        self._accesses.flush()
        done = self._dreamt(folder=where, dry_run=dry_run, progress=progress)
        self._wrote(done.changed)
        return done

    def dreams(self) -> list[Run]:
        """Every dream that is recorded, oldest first."""
        return runs(self.store, self.user)

    def dreamt(self, run_id: str) -> tuple[Run, dict[str, dict[str, str]]]:
        """One dream by its id, and by step, why it changed each memory."""
        found = run(self.store, self.user, run_id)
        why: dict[str, dict[str, str]] = {}
        for entry in entries(self.store, self.user, found.id):
            why.setdefault(entry.step, {}).update(entry.why)
        return found, why

    @told
    def undo_dream(self, run_id: str) -> Run:
        """Restores what a dream changed; what was changed since is left, and named in `conflicts`."""
        self._accesses.flush()
        return undo(self.store, self.user, run_id, self._clock)

    def work(self, worker: str) -> dict[str, Run | Went | RecollectError]:
        """Does the jobs that are due, unless another worker does; gives how each went.

        A job that fails is noted with its error and tried again when it is next due.
        """
        now, done = self._clock.now(), dict[str, Run | Went | RecollectError]()
        if not due(self.store, self.user, self.intervals, now) or not claimed(
            self.store, self.user, worker, now
        ):
            return done
        try:
            # Asked again: another worker may have done some between the look and the claim.
            for name in due(self.store, self.user, self.intervals, now):
                done[name] = self._worked(name, worker)
        finally:
            released(self.store, self.user, worker, self._clock.now())
        return done

    def _worked(self, name: str, worker: str) -> Run | Went | RecollectError:
        at, began = self._clock.now(), time.perf_counter()
        claimed(self.store, self.user, worker, at)  # says that it is alive
        result: Run | Went | RecollectError
        try:
            result = self._audited(at) if name == AUDIT else self._slept(name)
        except RecollectError as error:
            result = error
        failed = isinstance(result, RecollectError)
        how = Went(
            at,
            time.perf_counter() - began,
            0 if isinstance(result, RecollectError) else result.changed,
            f"{type(result).__name__}: {result}" if failed else None,
        )
        change = went(name, how, self.store.record(self.user, JOB, name))
        detail = {"job": name, "worker": worker, "began": microseconds(at), "error": how.error}
        self.store.write(self.user, Changes("job", self._clock.now(), records=(change,), detail=detail))
        return result

    def _slept(self, job: str) -> Run:
        self._check_model()
        self._accesses.flush()
        return self._dreamt(job, JOBS[job])

    def _audited(self, at: datetime) -> Went:
        began = time.perf_counter()
        removed = self._forget_reads()
        return Went(at, time.perf_counter() - began, removed)

    def why_asleep(self, memory_id: str) -> Record | None:
        """The dream and the rule that made a memory dormant, if one did."""
        asleep = self._known(memory_id).state is State.DORMANT
        return self.store.record(self.user, ASLEEP, self._id(memory_id)) if asleep else None

    def _dreamt(
        self,
        job: str = DREAM,
        names: Collection[str] | None = None,
        *,
        folder: Path | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Run:
        """Runs the steps of these names, or all of them."""
        # A process that only remembers and recalls does not wait for every step of a dream.
        from recollect.dream.cycle import dream  # noqa: PLC0415
        from recollect.dream.steps import STEPS, named  # noqa: PLC0415

        dreamer = self._dreamer(self._dream_params(), STEPS if names is None else named(names), job)
        return dream(replace(dreamer, folder=folder), dry_run=dry_run, progress=progress)

    def _dreamer(self, params: DreamParams, steps: "Sequence[Step]", job: str = DREAM) -> "Dreamer":
        from recollect.dream.cycle import Dreamer  # noqa: PLC0415 - as above

        return Dreamer(
            self.store,
            self.user,
            self._clock,
            params,
            self._brought_back,
            lambda memory: self._writer.searchable([memory])[0],
            self._embedder.name,
            self._writer.ids.new,
            steps,
            job,
            lambda most: backfill(self.store, self._embedder, most),
            generator=self._generator,
        )

    def _brought_back(self, cue: str, memory: Memory) -> Sequence[str]:
        """What a cue brings back where a memory is seen; nobody learns from it."""
        where = {"session": memory.origin.session, "lanes": (Lane.MEMORY,)}
        _, found = self._found(cue, REHEARSED, memory.channel, learn=False, shared=None, options=where)
        return [hit.id for hit in found]

    def _dream_params(self) -> DreamParams:
        chosen = self.refreshed().dream
        return replace(
            DreamParams(),
            curve=chosen.curve,
            batch=chosen.batch,
            rehearsals=chosen.rehearsals,
            capacity=chosen.capacity,
            archive_days=chosen.archive_days,
            themes=chosen.themes,
        )
