"""The verbs of goals: setting them, ending them, and what stands in their way."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.engine.reading import Reading
from recollect.engine.writing import Writing
from recollect.errors import Conflict, InvalidInput, Refused
from recollect.language.moments import moment_from
from recollect.model import Edge, Filter, Memory, State, utc
from recollect.ports import Change, Changes
from recollect.working import goals
from recollect.working.goals import BLOCKED_BY, ENDED, GOAL, SUBGOAL, Goal, Goals, Standing
from recollect.write.text import clean
from recollect.write.writer import ATTEMPTS, following

MOST_PRIORITY = 1_000


class Pursuing(Reading, Writing):
    """Goals: add, look, end, block, resume."""

    def add_goal(
        self,
        text: str,
        *,
        priority: int = 0,
        deadline: datetime | str | None = None,
        parent: str | None = None,
        blocked_by: Iterable[str] = (),
        channel: str | None = None,
    ) -> Goal:
        """Sets a goal; `parent` is the larger one that it serves, `blocked_by` those that come before it.

        It is not forgotten as long as it is open.
        """
        if not self.refreshed().memory.records:
            raise Refused("recording is switched off (memory.enabled, memory.recording): no goal is kept")
        if not isinstance(priority, int) or not -MOST_PRIORITY <= priority <= MOST_PRIORITY:
            raise InvalidInput(
                f"a priority is a whole number from -{MOST_PRIORITY} to {MOST_PRIORITY}, not {priority!r}"
            )
        # A text is iterable too, and its letters are no ids.
        if isinstance(blocked_by, str) or not isinstance(blocked_by, Iterable):
            raise InvalidInput(f"blocked_by is a list of goals' ids, not {blocked_by!r}")
        above = [] if parent is None else [_open(self._goal_memory(parent)).id]
        before = dict.fromkeys(self._goal_memory(one).id for one in blocked_by)
        self._check_model()
        told = goals.told(priority, None if deadline is None else moment_from(deadline))
        draft = self._draft(text, kind=GOAL, channel=channel, pinned=True, metadata=told)
        if (refusal := self._admission().refusal(draft)) is not None:
            raise Refused(f"no goal is kept: {refusal}")
        now = self._clock.now()
        memory = replace(draft, id=self._writer.ids.new(), text=clean(draft.text).text, recorded_at=now)
        edges = [Edge(memory.id, one, SUBGOAL) for one in above]
        edges += [Edge(memory.id, one, BLOCKED_BY) for one in before]
        change = Change(memory, self._writer.searchable([memory])[0])
        (written,) = self._writer.write(self._place(channel), "goal", now, (change,), edges)
        if written.refusal is not None:
            raise Refused("this text was purged before and is not kept again: put it differently")
        self._wrote(1)
        return self.goal(memory.id)

    def goal(self, goal_id: str) -> Goal:
        """One goal as it stands now."""
        return self._goals([self._goal_memory(goal_id)])[0]

    def goals(self, *, standing: Standing | str | None = None, channel: str | None = None) -> Goals:
        """Goals, what is open and matters most first; of one standing, or all."""
        if standing is not None and standing not in tuple(Standing):
            raise InvalidInput(f"a goal is {', '.join(Standing)}, not {standing!r}")
        where = Filter(
            channels=None if channel is None else (channel,),
            kinds=(GOAL,),
            states=(State.ACTIVE, State.DORMANT),
            any_session=True,
        )
        found = self._goals(self.store.find(self.user, where))
        return goals.ranked(one for one in found if standing is None or one.standing == standing)

    def end_goal(self, goal_id: str, standing: Standing | str, *, result: str | None = None) -> Goal:
        """Says that a goal is `completed` or `abandoned`, and what came of it; its sub-goals end before it."""
        if standing not in ENDED:
            raise InvalidInput(f"a goal ends as {' or '.join(ENDED)}, not {standing!r}")
        known = self.goal(goal_id)
        left = [one.id for one in self._goals(map(self._goal_memory, known.subgoals)) if one.is_open]
        if left:
            raise Refused(f"{known.id} has sub-goals that are open, end them first: {', '.join(left)}")
        now = self._clock.now()
        said = None if result is None else clean(result).text

        def ended(memory: Memory) -> Memory:
            _open(memory)
            how = goals.changed(
                memory, ended=str(standing), ended_at=utc(now).isoformat(), result=said, obstacle=None
            )
            return replace(how, pinned=False, valid_until=max(now, memory.valid_from))

        return self._revised("goal ended", known.id, ended)

    def block_goal(self, goal_id: str, *, by: str | None = None, obstacle: str | None = None) -> Goal:
        """Says what a goal waits for: another goal, until that has ended, or something else in words."""
        if (by is None) == (obstacle is None or not obstacle.strip()):
            raise InvalidInput(
                "a goal waits for another goal (by) or for something else (obstacle): give one"
            )
        known = _open(self._goal_memory(goal_id)).id
        if by is None:
            words = clean(obstacle or "").text
            return self._revised("goal blocked", known, lambda one: goals.changed(_open(one), obstacle=words))
        other = self._goal_memory(by).id
        if goals.leads_to(other, known, self._waited_for):
            raise Refused(f"{other} waits for {known} already: neither could go on")
        edge = Edge(known, other, BLOCKED_BY)
        self.store.write(self.user, Changes("goal blocked", self._clock.now(), edges=(edge,)))
        return self.goal(known)

    def resume_goal(self, goal_id: str) -> Goal:
        """Says that nothing stands in a goal's way any more, or takes its end back."""
        known = self._goal_memory(goal_id).id
        waits = [one for one in self.store.edges(self.user, [known], [BLOCKED_BY]) if one.source == known]

        def resumed(memory: Memory) -> Memory:
            anew = goals.changed(memory, ended=None, ended_at=None, result=None, obstacle=None)
            return replace(anew, pinned=True, valid_until=None, state=State.ACTIVE)

        return self._revised("goal resumed", known, resumed, waits)

    def _goals(self, memories: Iterable[Memory]) -> Goals:
        """Goals with what stands around them."""
        found = {one.id: one for one in memories}
        if not found:
            return []
        edges = self.store.edges(self.user, list(found), [SUBGOAL, BLOCKED_BY])
        ends = {end for edge in edges for end in (edge.source, edge.target)} - found.keys()
        beside = (self.find(one) for one in sorted(ends))
        others = found | {one.id: one for one in beside if one is not None and one.kind == GOAL}
        by_goal: dict[str, list[Edge]] = {}
        for edge in edges:
            for end in (edge.source, edge.target):
                by_goal.setdefault(end, []).append(edge)
        return [goals.goal_from(one, by_goal.get(one.id, ()), others) for one in found.values()]

    def _waited_for(self, some: Sequence[str]) -> Iterable[str]:
        """What goals wait for."""
        edges = self.store.edges(self.user, list(some), [BLOCKED_BY])
        return [edge.target for edge in edges if edge.source in some]

    def _goal_memory(self, goal_id: str) -> Memory:
        memory = self._known(goal_id)
        goals.kept(memory)
        return memory

    def _revised(
        self,
        operation: str,
        goal_id: str,
        change: Callable[[Memory], Memory],
        unlinked: Sequence[Edge] = (),
    ) -> Goal:
        """Writes the next version of a goal, from its newest, and takes edges away: one transaction."""
        self._check_model()
        for _ in range(ATTEMPTS):
            memory, now = self._goal_memory(goal_id), self._clock.now()
            if memory.immutable:
                raise Refused(
                    f"{memory.id} is immutable: lift that first (`recollect pin {memory.id} --mutable`)"
                )
            after = change(memory)
            # Metadata belong to the content, which is written once: what stands otherwise is a content of its own.
            new = self._writer.searchable([after])[0] if after.metadata != memory.metadata else None
            written = () if after == memory else (Change(following(after, now), new),)
            model = None if new is None else self._embedder.name
            changes = Changes(operation, now, written, unlinked=tuple(unlinked), model=model)
            try:
                self.store.write(self.user, changes)
            except Conflict:
                continue
            return self.goal(goal_id)
        raise Conflict(f"{goal_id} keeps being changed by others; try again")


def _open(memory: Memory) -> Memory:
    """The memory of a goal, where that is open."""
    ended = goals.kept(memory).get("ended")
    if ended is not None:
        raise Refused(f"goal {memory.id} was {ended}: resume it first")
    return memory
