"""What is brought back that should not be: PrecisionMemBench through the engine.

A part of life is a channel, the user-wide part is `_global`. Of an answer, the pinned facts and the open questions
are what the store lists as such, the relevant beliefs are what recall brings besides those.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from recollect.engine import Recollect
from recollect.evals.asking import Method, checked
from recollect.evals.measuring import DIGITS, stores_folder
from recollect.evals.sets.precision import EVERYWHERE, Belief, Case
from recollect.evals.stores import Moving
from recollect.model import GLOBAL_CHANNEL, Filter, Memory
from recollect.ports import Embedder

FILE = "precision.db"
QUESTION = "open_question"
PINNED, QUESTIONS, RELEVANT = "pinnedFacts", "openQuestions", "relevantBeliefs"
MOST = 10
"""How many hits are asked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The keys that each section brought, and the text of the prelude."""

    sections: Mapping[str, frozenset[str]]
    prelude: str


@dataclass(slots=True)
class Beliefs:
    """The beliefs of all users in one store."""

    path: Path
    embedder: Embedder
    clock: Moving = field(default_factory=Moving)
    keys: dict[str, str] = field(default_factory=dict)
    """From a memory's id to its belief."""

    def opened(self, user: str) -> Recollect:
        return Recollect(
            self.path, user=user, channel=GLOBAL_CHANNEL, embedder=self.embedder, clock=self.clock
        )

    def keep(self, beliefs: Sequence[Belief]) -> None:
        """Remembers all of them, each after what it replaced."""
        for user in sorted({one.user for one in beliefs}):
            with self.opened(user) as memory:
                ids: dict[str, str] = {}
                for belief in in_order([one for one in beliefs if one.user == user]):
                    replaced = [ids[one.key] for one in beliefs if one.superseded_by == belief.key]
                    ids[belief.key] = self._remember(memory, belief, replaced)
                self.keys |= {memory_id: key for key, memory_id in ids.items()}

    def _remember(self, memory: Recollect, belief: Belief, replaced: Sequence[str]) -> str:
        self.clock.follow(belief.since)
        ended = belief.resolved_at
        # Some were resolved before they were written down.
        since = belief.since if ended is None else min(belief.since, ended - timedelta(seconds=1))
        kept = memory.remember(
            belief.text,
            kind=belief.kind,
            channel=channel(belief.scope),
            pinned=belief.pinned,
            confidence=belief.confidence,
            valid_from=since,
            valid_until=ended,
            supersedes=next(iter(replaced), None),
        )
        for other in replaced[1:]:
            memory.forget(other)
        return str(kept.id)

    def answer(self, case: Case, method: Method) -> Answer:
        """What the engine brings for a case."""
        with self.opened(case.user) as memory:
            shown = {scope: self._listed(memory, channel(scope)) for scope in case.scopes}
            prelude = [] if EVERYWHERE in shown else self._listed(memory, GLOBAL_CHANNEL)
            here = [one for listed in shown.values() for one in listed]
            questions = [one for one in here if one.kind == QUESTION]
            pinned = [one for one in here if one.pinned and one.kind != QUESTION]
            apart = {one.id for one in (*pinned, *questions, *prelude)}
            recalled = self._recalled(memory, case, method)
        relevant = [one for one in recalled if one.id not in apart]
        if case.most is not None:
            place = {one.id: rank for rank, one in enumerate(recalled)}
            pinned = sorted(pinned, key=lambda one: place.get(one.id, len(place)))[: case.most]
            relevant = relevant[: case.most - len(pinned)]
        told = {PINNED: pinned, QUESTIONS: questions, RELEVANT: relevant}
        sections = {
            name: frozenset(self.keys.get(one.id, one.id) for one in ones) for name, ones in told.items()
        }
        texts = [one.text for one in (*prelude, *shown.get(EVERYWHERE, ()))]
        return Answer(sections, "\n".join(texts))

    def _listed(self, memory: Recollect, where: str) -> list[Memory]:
        """All that holds now in a channel."""
        return memory.list(Filter(channels=(where,), unexpired_at=self.clock.now()), limit=None)

    def _recalled(self, memory: Recollect, case: Case, method: Method) -> list[Memory]:
        """What recall brings, of every part of life that the case is about; an empty question brings nothing."""
        if not case.query.strip():
            return []
        options = {**method.options(), "k": MOST, "learn": False}
        found = [
            hit
            for scope in case.scopes
            for hit in memory.recall(case.query, channel=channel(scope), **options)
        ]
        best = sorted(found, key=lambda hit: -hit.score)
        return list({hit.id: hit.memory for hit in best}.values())[:MOST]


def precision(
    beliefs: Sequence[Belief], cases: Sequence[Case], embedder: Embedder, method: Method | None = None
) -> dict[str, Any]:
    """In which share of the cases everything that must be there is, and nothing that must not be."""
    chosen = method or Method()
    profile = checked(chosen, embedder)
    with stores_folder(None) as folder:
        store = Beliefs(folder / FILE, embedder)
        store.keep(beliefs)
        store.clock.follow(None)
        answers = [store.answer(case, chosen) for case in cases]
    failed = [case.key for case, answer in zip(cases, answers, strict=True) if problems(case, answer)]
    return {
        "set": "precision",
        "n": len(cases),
        "held": _share(len(cases) - len(failed), len(cases)),
        "failed": failed,
        "should_only_include": _only(cases, answers),
        "profile": profile,
        "ablated": list(chosen.ablate),
        "baseline": chosen.baseline,
    }


def problems(case: Case, answer: Answer) -> list[str]:
    """What must be there and is not, and what must not be there and is."""
    told = []
    for name, expected in case.expected.items():
        brought = answer.sections.get(name, frozenset())
        told += [f"{name}: no {key}" for key in sorted(expected.include - brought)]
        told += [f"{name}: {key}" for key in sorted(expected.exclude & brought)]
    told += [f"prelude: no {word}" for word in sorted(case.words.include) if word not in answer.prelude]
    told += [f"prelude: {word}" for word in sorted(case.words.exclude) if word in answer.prelude]
    if case.prelude is not None and case.prelude != bool(answer.prelude):
        told.append("prelude: none" if case.prelude else "prelude: there is one")
    return told


def in_order(beliefs: Sequence[Belief]) -> list[Belief]:
    """The oldest first, and everything before what replaced it."""
    known = {one.key: one for one in beliefs}

    def replacements(one: Belief) -> int:
        after = known.get(one.superseded_by or "")
        return 0 if after is None else 1 + replacements(after)

    return sorted(beliefs, key=lambda one: (-replacements(one), one.since, one.key))


def channel(scope: str) -> str:
    """The channel of a part of life.

    >>> channel("domain:code"), channel("user:universal")
    ('code', '_global')
    """
    return GLOBAL_CHANNEL if scope == EVERYWHERE else scope.split(":", 1)[-1]


def _only(cases: Sequence[Case], answers: Sequence[Answer]) -> dict[str, Any]:
    """How much else came where only some beliefs should, and how many of those came."""
    pairs = [
        (expected.only, answer.sections.get(name, frozenset()))
        for case, answer in zip(cases, answers, strict=True)
        for name, expected in case.expected.items()
        if expected.only is not None
    ]
    right = sum(len(only & brought) for only, brought in pairs)
    return {
        "n": len(pairs),
        "held": _share(sum(brought <= only for only, brought in pairs), len(pairs)),
        "precision": _share(right, sum(len(brought) for _, brought in pairs)),
        "recall": _share(right, sum(len(only) for only, _ in pairs)),
    }


def _share(some: int, whole: int) -> float:
    return round(some / whole, DIGITS) if whole else 0.0
