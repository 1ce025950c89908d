"""The loop: an episode starts, decides, acts and ends; its end teaches, in one transaction that can be undone."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from recollect.errors import Conflict, Refused
from recollect.given import answer, text
from recollect.learn.knowing import TASK, Knowing
from recollect.learn.outcomes import lesson
from recollect.learn.params import LearningParams
from recollect.learn.regions import stored
from recollect.learn.teaching import ANYTHING, taught, untaught
from recollect.learn.trajectories import (
    episode_draft,
    episode_of,
    step_draft,
    step_of,
    without_secrets,
)
from recollect.learn.values import (
    OUTCOME,
    REGION,
    STEP,
    Ending,
    Episode,
    Outcome,
    Step,
)
from recollect.model import Record
from recollect.ports import Change, Changes, RecordChange

ATTEMPTS = 10
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.2
TURN = ("learning", "turn")
"""The record that every outcome rewrites, so that two processes learn one after the other."""


class Learner(Knowing):
    """What one user's episodes taught, and teach."""

    def start(self, goal: str, task_type: str | None, channel: str, session: str | None) -> Episode:
        """Opens an episode; it stays open, in every process, until it is finished."""
        if task_type is not None:
            text(TASK, task_type)
        change = self._tools.prepared(
            episode_draft(goal, task_type, channel, session, self._tools.clock.now())
        )
        refusal = self._write("episode", change)
        if refusal is not None:
            raise Refused(
                f"this goal was purged before and is not kept again ({refusal}): put it differently"
            )
        return episode_of(change.memory, Ending.OPEN)

    def step(self, episode: Episode, step: Step) -> Step:
        """Keeps a step; it advises nobody before the episode is won."""
        if self._ending(episode.id) is not Ending.OPEN:
            raise Refused(f"episode {episode.id} is finished: undo its outcome to go on with it")
        change = self._tools.prepared(step_draft(episode, without_secrets(step)))
        if self._write("step", change) is not None:
            # The agent goes on: what was purged stays out of memory, and nothing else is wrong.
            return replace(step_of(change.memory), id="")
        return step_of(change.memory)

    def finish(
        self, episode_id: str, success: bool, params: LearningParams, used: Sequence[str] = ()
    ) -> Outcome:
        """Learns from an episode's end: once, wholly or not at all; `used` are memories that it went by."""
        answer("an episode was a success or not: True or False", success)
        episode, steps = self.episode(episode_id), self._steps(episode_id)
        plain = [] if success or not used else self._plain(used)
        for _ in _attempts():
            if self._ending(episode_id) is not Ending.OPEN:
                raise Refused(f"episode {episode_id} has its outcome: undo it to give it another")
            turn = self._tools.store.record(self.user, *TURN)
            with self.learnt() as experience:
                learnt = lesson(
                    episode,
                    steps,
                    success,
                    experience,
                    self.situate,
                    self._tools.new_id,
                    params,
                    self._tools.clock.now(),
                    plain,
                )
            changes, outcome = taught(
                self._tools.store,
                self.user,
                episode,
                [step for step, _ in steps],
                learnt,
                used,
                model=self._tools.embedder.name,
                at=self._tools.clock.now(),
                edges=params.edges,
            )
            if self._in_turn(changes, turn):
                if success and learnt.kept:
                    self._tools.practised(episode.channel, learnt.record["shape"])
                return outcome
        raise Conflict(f"others keep finishing episodes; try {episode_id} again")

    def undo(self, episode_id: str) -> Episode:
        """Takes an outcome back, as if it had not been: the episode is open again."""
        self.episode(episode_id)
        for _ in _attempts():
            turn = self._tools.store.record(self.user, *TURN)
            outcomes = sorted(
                self._tools.store.records(self.user, OUTCOME), key=lambda record: record.revision
            )
            undone = next((one for one in outcomes if one.key == episode_id), None)
            if undone is None:
                raise Refused(f"episode {episode_id} is open: there is no outcome to undo")
            others = [one for one in outcomes if one is not undone]
            at = self._tools.clock.now()
            if self._in_turn(untaught(self._tools.store, self.user, undone, others, at=at), turn):
                if undone.value.get("shape") is not None:
                    self._tools.practised(undone.value["channel"], undone.value["shape"])
                return self.episode(episode_id)
        raise Conflict(f"others keep finishing episodes; try {episode_id} again")

    def forget_leaders(self, ids: Sequence[str]) -> None:
        """Ends the regions that lead back to these steps: a region's vector is that of its leader's state."""
        gone = [
            RecordChange(REGION, region.key, None)
            for region in self._tools.store.records(self.user, REGION)
            if region.value["leader"] in ids
        ]
        if gone:
            self._lead(gone)

    def relead(self) -> None:
        """Gives every region the vector of its leader's state in the model of now."""
        changed = []
        for region in self._tools.store.records(self.user, REGION):
            leader = self._tools.store.get(self.user, region.value["leader"])
            level = int(region.key.partition(".")[0])
            if leader is None:
                changed.append(RecordChange(REGION, region.key, None))
            elif region.value["model"] != self._tools.embedder.name:
                vector = self.situate(leader.text).levels[level]
                value = stored(vector, self._tools.embedder.name, leader.id)
                changed.append(RecordChange(REGION, region.key, value))
        if changed:
            self._lead(changed)

    def _lead(self, changed: Sequence[RecordChange]) -> None:
        now = self._tools.clock.now()
        self._tools.store.write(self.user, Changes("regions", now, records=tuple(changed)))

    def _plain(self, ids: Sequence[str]) -> list[str]:
        """Those that are no steps: what a step loses is told by the advice that was followed."""
        where = replace(ANYTHING, ids=tuple(ids))
        return [one.id for one in self._tools.store.find(self.user, where) if one.kind != STEP]

    def _in_turn(self, changes: Changes, turn: Record | None) -> bool:
        """Writes the changes if nobody has learnt since the turn was read."""
        guard = RecordChange(*TURN, (turn.value if turn else 0) + 1, turn.revision if turn else 0)
        try:
            self._tools.store.write(self.user, replace(changes, records=(*changes.records, guard)))
        except Conflict:
            return False
        return True

    def _write(self, operation: str, change: Change) -> str | None:
        """Writes one memory; gives back why it was refused, if it was."""
        changes = Changes(operation, change.memory.recorded_at, (change,), model=self._tools.embedder.name)
        return self._tools.store.write(self.user, changes)[0].refusal


def _attempts() -> Iterator[int]:
    """Tries, with a pause before each further one: whoever lost a turn and hurries loses the next one too."""
    for attempt in range(ATTEMPTS):
        if attempt:
            longest = min(FIRST_PAUSE_SECONDS * 2**attempt, LONGEST_PAUSE_SECONDS)
            time.sleep(random.uniform(0.0, longest))  # noqa: S311 - it only spreads the tries
        yield attempt
