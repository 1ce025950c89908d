"""The verbs of practice: what to do best, how it was done before, what went wrong, which tools and skills there are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recollect.engine.influencing import Influencing
from recollect.engine.learning import Learning
from recollect.engine.writing import Writing
from recollect.errors import Conflict, InvalidInput
from recollect.formulas.causal import causal_uplift, causal_utility
from recollect.given import count
from recollect.model import GLOBAL_CHANNEL, Edge, Filter, Memory, Origin, State
from recollect.ports import Changes, RecordChange

if TYPE_CHECKING:
    from recollect.formulas.quality import Quality
    from recollect.learn.situations import State as Situation
    from recollect.learn.values import Choice, Skill, Stage, Tool, Way
    from recollect.learn.walking import Reached

WARNING, CRITIQUE = "warning", "critique"
"""The kind of memory that a critique is, and that of the record that it has."""
CRITICISED = "episode.critique"
MOST_WARNINGS = 3


class Practising(Influencing, Learning, Writing):
    """Skills, strategies, tools, critiques."""

    def best_action(
        self,
        state: "Situation",
        *,
        possible: Iterable[str] | Mapping[str, str] | None = None,
        task_type: str | None = None,
        channel: str | None = None,
    ) -> "Choice | None":
        """The action that promises most, with its evidence and its chance; None where nothing is known."""
        advice = self.decide(state, possible=possible, task_type=task_type, channel=channel)
        return None if advice.best is None else advice.choices[0]

    def strategy_for(
        self, state: "Situation", *, task_type: str | None = None, channel: str | None = None
    ) -> "tuple[Stage, ...]":
        """The way that led to success from situations like this: in each region the action with the best chance."""
        place = self._place(channel).channel
        return self._learner().strategy(state, task_type, channel=place, params=self._learning_params())

    def transition_probability(
        self, state: "Situation", action: str, following: "Situation", *, channel: str | None = None
    ) -> float:
        """P(next region | region, action), as it was counted; `following` is a state, `won` or `lost`."""
        place = self._place(channel).channel
        params = self._learning_params()
        return self._learner().transition_probability(state, action, following, channel=place, params=params)

    def typed_neighbors(
        self, memory_id: str, types: str | Sequence[str] | None = None, *, min_weight: float = 0.0
    ) -> list[Edge]:
        """The edges of some types that begin or end at a memory or a step, the weightiest first.

        The steps before and after (`temporal`), and those that did the same in other successes (`same_action`), are
        among them; of an entity or a tag, by its id, what `learn_influences` found (`granger_causal`).
        """
        from recollect.learn.walking import checked_types, typed_edges  # noqa: PLC0415 - only who learns pays for it

        chosen = checked_types([types] if isinstance(types, str) else types)
        if _is_named(memory_id):
            edges = [edge for edge in self._influence_edges() if memory_id in (edge.source, edge.target)]
            return [
                edge for edge in edges if edge.weight >= min_weight and edge.type in (chosen or [edge.type])
            ]
        node = self._known(memory_id)
        return typed_edges(self.store, self.user, self._learner(), node, chosen, min_weight)

    def traverse(
        self,
        memory_id: str,
        types: str | Sequence[str] | None = None,
        *,
        max_hops: int = 3,
        min_weight: float = 0.0,
        limit: int = 100,
    ) -> "list[Reached]":
        """What can be reached from a memory along some types of edges, the weightiest way first."""
        from recollect.learn.walking import reached  # noqa: PLC0415 - only who learns pays for it

        for most in (max_hops, limit):
            count("hops and limit are whole numbers from 1 on", most)

        def edges_of(node: str) -> Sequence[Edge]:
            known = _is_named(node) or self.find(node) is not None
            return self.typed_neighbors(node, types, min_weight=min_weight) if known else []

        start = memory_id if _is_named(memory_id) else self._id(memory_id)
        return reached(start, edges_of, max_hops, limit)

    def ways(self, question: str, k: int = 3, *, channel: str | None = None) -> "list[Way]":
        """How similar things were done before: of each group of similar successes, the one most like the question."""
        if not isinstance(question, str) or not question.strip():
            raise InvalidInput("a question is a text, not empty")
        most = count("k is a whole number from 1 on", k)
        return self._learner().ways(question, most, channel=self._place(channel).channel)

    def quality(self, episode_id: str) -> "Quality | None":
        """How good an episode was, from 0 to 1, and why; None while it is open (M5).

        Failed 0, completed .8, approved by `feedback` 1, tried again right after it .4; .9 once something related
        has succeeded later.
        """
        from recollect.learn.judging import quality_of  # noqa: PLC0415 - only who learns pays for it

        self._accesses.flush()
        return quality_of(self.store, self.user, self.episode_of(episode_id))

    def advice_weights(self) -> dict[str, float]:
        """What each signal of advice weighs in a decision, as outcomes taught with `learning.weights`."""
        return self._learner().weights()

    def tools(self, *, task_type: str | None = None, channel: str | None = None) -> "list[Tool]":
        """Each type of action, such as each tool, in the episodes that ended: how often, how well, how fast."""
        return self._learner().tools(task_type, channel=self._place(channel).channel)

    def reflect(self, episode_id: str, critique: str) -> Memory:
        """Keeps what went wrong in an episode, or could go better: a warning to later tries at similar goals."""
        learner = self._learner()
        episode = learner.episode(self._id(episode_id))
        if not isinstance(critique, str) or not critique.strip():
            raise InvalidInput("a critique is a text, not empty")
        steps = learner.trajectory(episode.id)
        now = self._clock.now()
        draft = Memory(
            "",
            f"{episode.goal}: {critique.strip()}",
            now,
            now,
            kind=WARNING,
            channel=episode.channel,
            origin=Origin(
                session=episode.session, run=episode.id, event_type=CRITICISED, write_source="reflection"
            ),
            metadata={
                "goal": episode.goal,
                "task_type": episode.task_type,
                "actions": [step.action for step in steps],
                "observations": [step.observation or "" for step in steps],
            },
        )
        change = self._prepared(draft)
        made = change.memory.id
        self.store.write(
            self.user,
            Changes(
                "reflect",
                now,
                (change,),
                edges=(Edge(made, episode.id, "part_of", reason=CRITIQUE),),
                records=(RecordChange(CRITIQUE, made, {"episode": episode.id}, 0),),
                model=self._embedder.name,
            ),
        )
        self._wrote(1)
        return self._known(made)

    def critiques(self, goal: str, k: int = MOST_WARNINGS, *, channel: str | None = None) -> list[Memory]:
        """What was criticised in earlier tries at similar goals, the most similar first."""
        if not self.store.records(self.user, CRITIQUE, limit=1):
            return []
        options: dict[str, Any] = {"kinds": (WARNING,), "event_type_prefix": CRITICISED, "learn": False}
        return [hit.memory for hit in self.recall(goal, k, channel=channel, **options)]

    def skills(
        self, question: str | None = None, k: int = 10, *, channel: str | None = None
    ) -> "list[Skill]":
        """Skills that were learnt, newest first; with a question, those for it, the most useful first.

        A skill is useful as it fits the question, as it raised the chance of success, and as it is fast.
        """
        from recollect.learn.consolidating import LEARNT, SKILL  # noqa: PLC0415 - only who learns pays for it

        place, most = self._place(channel).channel, count("k is a whole number from 1 on", k)
        if question is None:
            where = Filter(kinds=(SKILL,), channels=(place, GLOBAL_CHANNEL), event_type_prefix=LEARNT)
            return [skill for _, skill in self._standing_skills(self.list(where, limit=None))][:most]
        options: dict[str, Any] = {"kinds": (SKILL,), "event_type_prefix": LEARNT, "learn": False}
        hits = self.recall(question, 3 * most, channel=channel, **options)
        standing = self._standing_skills([hit.memory for hit in hits])
        known = [(self.similarity(question, memory.text), skill) for memory, skill in standing]
        usual = self._learner().usual_success((place, GLOBAL_CHANNEL))

        def utility(similarity: float, skill: "Skill") -> float:
            uplift = float(causal_uplift(skill.wins, skill.wins + skill.losses, usual))
            return causal_utility(similarity, uplift, skill.seconds or 0.0)

        return [skill for _, skill in sorted(known, key=lambda one: -utility(*one))[:most]]

    def learn_skills(self, *, channel: str | None = None) -> "list[Skill]":
        """Makes skills of all sequences that brought about at least three successes; those that are known are renewed."""
        place = self._place(channel).channel
        with self._learner().learnt() as experience:
            shapes = [shape for of, shape in experience.shapes if of == place]
        kept = [self._keep_skill(place, shape) for shape in shapes]
        return [skill for skill in kept if skill is not None]

    def _standing_skills(self, memories: Sequence[Memory]) -> "list[tuple[Memory, Skill]]":
        """Those that tell a skill, with its successes and failures as they stand now; one without success is none."""
        from recollect.learn.consolidating import SKILL, key_parts, skill_from  # noqa: PLC0415 - as in `skills`

        keys = (
            {one.value["memory"]: one.key for one in self.store.records(self.user, SKILL)} if memories else {}
        )
        found = []
        with self._learner().learnt() as experience:
            for memory in memories:
                skill = skill_from(memory)
                # One that came from another store has no record here, and says itself how it stood there.
                if skill is not None and memory.id in keys:
                    wins, losses = experience.standing(*key_parts(keys[memory.id]))
                    skill = replace(skill, wins=wins, losses=losses)
                if skill is not None and skill.wins:
                    found.append((memory, skill))
        return found

    def _practised(self, channel: str, shape: int, /) -> None:
        """Makes a skill of it if it is the third success of its kind, or if they have doubled since.

        Where none is left the skill is put to sleep.
        """
        from recollect.learn.consolidating import is_due  # noqa: PLC0415 - only who learns pays for it

        with self._learner().learnt() as experience:
            successes, _ = experience.standing(channel, shape)
        if not successes:
            self._rest_skill(channel, shape)
        elif self.settings.learning.skills and is_due(successes):
            self._keep_skill(channel, shape)

    def _rest_skill(self, channel: str, shape: int) -> None:
        """Puts a skill to sleep until successes make it again; who protected it keeps it."""
        from recollect.learn.consolidating import SKILL, key_of  # noqa: PLC0415 - only who learns pays for it

        known = self.store.record(self.user, SKILL, key_of(channel, shape))
        memory = None if known is None else self.find(known.value["memory"])
        if known is None or memory is None or memory.state is not State.ACTIVE:
            return
        if memory.pinned or memory.immutable:
            return
        # First the record: that it is ours to wake must be known whatever happens in between.
        asleep = RecordChange(SKILL, known.key, {**known.value, "asleep": True})
        self.store.write(self.user, Changes("skill", self._clock.now(), records=(asleep,)))
        self._writer.forget(self._place(channel), memory.id)

    def _keep_skill(self, channel: str, shape: int) -> "Skill | None":
        from recollect.learn import consolidating as of  # noqa: PLC0415 - only who learns pays for it
        from recollect.learn.skills import told  # noqa: PLC0415

        learner = self._learner()
        skill = of.skill_of(learner, channel, shape)
        if skill is None or not self.settings.memory.records:
            return None
        key = of.key_of(channel, shape)
        known = self.store.record(self.user, of.SKILL, key)
        memory = None if known is None else self.find(known.value["memory"])
        if known is not None and memory is not None:
            awake: tuple[RecordChange, ...] = ()
            if known.value.get("asleep"):
                self._writer.restore(self._place(channel), memory.id)
                awake = (RecordChange(of.SKILL, key, {"memory": memory.id}),)
            self.edit(memory.id, told(skill), metadata=of.skill_metadata(skill))
            edges = tuple(Edge(memory.id, source, "derived_from") for source in skill.sources)
            self.store.write(self.user, Changes("skill", self._clock.now(), edges=edges, records=awake))
            return replace(skill, id=memory.id)
        change = self._prepared(of.skill_draft(skill, channel, learner))
        made = change.memory.id
        changes = Changes(
            "skill",
            self._clock.now(),
            (change,),
            edges=tuple(Edge(made, source, "derived_from") for source in skill.sources),
            records=(RecordChange(of.SKILL, key, {"memory": made}, 0 if known is None else known.revision),),
            model=self._embedder.name,
        )
        try:
            self.store.write(self.user, changes)
        except Conflict:
            # Another process has just made the same skill of the same successes.
            return None
        self._wrote(1)
        return replace(skill, id=made)

    def _parts(self, ids: Collection[str], /) -> set[str]:
        """The steps and the critiques of the episodes among them."""
        asleep_too = Filter(states=(State.ACTIVE, State.DORMANT), any_session=True)
        episodes = self.store.find(self.user, replace(asleep_too, ids=tuple(ids), kinds=("episode",)))
        parts = (replace(asleep_too, run=one.id, event_type_prefix="episode.") for one in episodes)
        return {one.id for where in parts for one in self.store.find(self.user, where)}

    def _warnings(self, goal: str, channel: str, /) -> tuple[str, ...]:
        if not self.settings.learning.warnings:
            return ()
        return tuple(memory.text for memory in self.critiques(goal, channel=channel))


def _is_named(node: str) -> bool:
    """Whether it is the id of an entity or a tag, not of a memory."""
    return isinstance(node, str) and node.startswith(("entity://", "tag:"))
