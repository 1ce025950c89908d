"""What was learnt, as arrays in memory that follow the store: every outcome of every process is seen by the next decision."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.nearest import nearest, signs
from recollect.formulas.posterior import usage_success
from recollect.formulas.weighing import DECAY_PER_DAY, WeighingParams, learned, unlearnt
from recollect.learn.counts import Counts, Tried
from recollect.learn.regions import LEVELS, Leaders, Vector, vector_of
from recollect.learn.repeats import Try
from recollect.learn.tools import Toolbox
from recollect.learn.trajectories import EPISODES
from recollect.learn.values import OUTCOME, REGION, STEP
from recollect.model import Filter, Lane, Record, State, microseconds
from recollect.ports import Store

STEPS = Filter(lanes=(Lane.LOG,), kinds=(STEP,), states=(State.ACTIVE, State.DORMANT), any_session=True)
STALE = frozenset({"undo", "purge", "import", "merge", "regions"})
"""After these everything is read again: they are rare, and take away what was known."""


ROW_COLUMNS = (
    *("_vectors", "_bits", "contents", "actions", "tasks", "value"),
    *("reward", "wins", "uses", "channel", "region", "since"),
)


class Told(NamedTuple):
    """What a step says."""

    id: str
    episode: str
    state: str
    action: str
    action_type: str


class Experience:
    """The advice, the regions and the counts of one user."""

    def __init__(self, store: Store, user: str, model: str, dimension: int) -> None:
        self._store, self._user, self._model, self._dimension = store, user, model, dimension
        self._sequence = -1
        self._clear()

    def follow(self) -> None:
        """Takes in what was written since the last time, by whichever process."""
        with self._store.reading():
            if self._sequence < 0:
                self._load()
            entries = self._store.witness(self._user, after=self._sequence)
            if not entries:
                return
            if any(entry.operation in STALE for entry in entries):
                self._load()
            else:
                for entry in entries:
                    if entry.operation == OUTCOME:
                        self._learn(entry.detail)
            self._sequence = entries[-1].sequence

    def near(
        self,
        vector: Vector,
        count: int,
        channels: Sequence[str],
        bonus: NDArray[np.float32] | None = None,
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The rows of the steps whose situations are nearest, a bonus for each included, and how similar they are."""
        if not self.size:
            return np.empty(0, np.intp), np.empty(0, np.float32)
        rows = slice(self.size)
        allowed = None
        if set(self._codes) - set(channels):
            codes = [code for code, name in enumerate(self._codes) if name in channels]
            allowed = np.isin(self.channel[rows], codes)
        return nearest(vector, self._vectors[rows], self._bits[rows], count, allowed, bonus)

    def shared_levels(self, regions: Sequence[str | None]) -> NDArray[np.int64]:
        """Of each row, at how many levels its situation lies in the same region."""
        shared = np.zeros(self.size, np.int64)
        for level, name in enumerate(regions):
            if name in self._region_codes:
                shared += self.region[: self.size, level] == self._region_codes[name]
        return shared

    def region_of(self, row: int) -> str:
        """The coarsest region of a row's situation."""
        return self._region_names[int(self.region[row, -1])]

    def rows_in(self, region: str) -> NDArray[np.intp]:
        """The rows whose situations lie in a region, at any level."""
        if region not in self._region_codes:
            return np.empty(0, np.intp)
        return np.flatnonzero((self.region[: self.size] == self._region_codes[region]).any(axis=1))

    def assignments(self, level: int) -> dict[str, list[str]]:
        """By region of a level, the steps whose situations lie in it, in the order in which they came."""
        contents = self.contents[: self.size].tolist()
        told = self.told(contents)
        found: dict[str, list[str]] = defaultdict(list)
        for content, code in zip(contents, self.region[: self.size, level].tolist(), strict=True):
            if content in told:
                found[self._region_names[code]].append(told[content].id)
        return dict(found)

    def example(self, action: int, region: str) -> int:
        """The content of a step that took an action in a region."""
        rows = self.rows_in(region)
        return int(self.contents[rows[self.actions[rows] == action][-1]])

    def doing(self, action: int) -> list[int]:
        """The contents of the steps that took an action, the newest first."""
        rows = np.flatnonzero(self.actions[: self.size] == action)
        return [int(content) for content in self.contents[rows[::-1]]]

    def trails(self, channels: Sequence[str]) -> dict[str, list[int]]:
        """By episode, the rows of what its success needed."""
        return {
            episode: rows
            for episode, rows in self._trails.items()
            if self._codes[self.channel[rows[0]]] in channels
        }

    def states(self, rows: Sequence[int]) -> Vector:
        """The vectors of some rows' situations."""
        return self._vectors[list(rows)]

    def usual_success(self, channels: Sequence[str] | None) -> float:
        """The share of the episodes that succeeded, as a posterior; of some channels, or of all."""
        names = self._ended if channels is None else dict.fromkeys(channels)
        ended = [self._ended[name] for name in names if name in self._ended]
        return float(usage_success(sum(one[1] for one in ended), sum(one[0] for one in ended)))

    def standing(self, channel: str, shape: int) -> tuple[int, int]:
        """How many episodes succeeded so, and how many failed at such tasks although each of its types was tried."""
        if (channel, shape) not in self.shapes:
            return 0, 0
        tasks, types = self._made_of[channel, shape]
        lost = sum(types <= tried for task in tasks for tried in self._lost.get(task, ()))
        return len(self.shapes[channel, shape]), lost

    def had(self, task: int, action_type: int) -> float | None:
        """The share of the successes at a kind of task that needed an action of this type; None without any."""
        needs = self._needs.get(task)
        return None if needs is None else needs[1].get(action_type, 0) / needs[0]

    def served(self, memory: str, task: int) -> bool:
        """Whether a memory that is no step was gone by into a success at a kind of task."""
        return task in self._served.get(memory, ())

    def told(self, contents: Sequence[int]) -> dict[int, Told]:
        """The texts of steps; one that was purged meanwhile is left out."""
        unknown = [content for content in contents if content not in self._told]
        if unknown:
            for memory in self._store.shown(self._user, unknown, STEPS):
                said = memory.metadata
                told = Told(
                    memory.id, memory.origin.run or "", memory.text, said["action"], said["action_type"]
                )
                self._told[memory.content] = told
        return {content: self._told[content] for content in contents if content in self._told}

    def signals(
        self, rows: NDArray[np.intp], similarity: NDArray[Any], shared: NDArray[Any], task: int, at: datetime
    ) -> NDArray[np.float64]:
        """What there is to weigh of some rows as advice, a column each, as `formulas.weighing` names them."""
        age_days = np.maximum(microseconds(at) - self.since[rows], 0) / 86_400e6
        return np.column_stack(
            [
                np.clip(similarity, 0.0, 1.0),
                np.exp(-DECAY_PER_DAY * age_days),
                self.reward[rows],
                shared / LEVELS,
                self.tasks[rows] == task,
                usage_success(self.wins[rows], self.uses[rows]),
            ]
        )

    def row_of(self, content: int) -> int | None:
        """Where a step lies, if it is advice."""
        return self._rows.get(content)

    def regions_of(self, vectors: Sequence[Vector], likeness: float) -> tuple[str | None, ...]:
        """The region of a situation at each level, the finest first."""
        return tuple(
            level.nearest(vector, likeness) for level, vector in zip(self.leaders, vectors, strict=True)
        )

    def counts_of(self, channels: Sequence[str]) -> list[Counts]:
        """The MDPs of some channels."""
        return [self._counts[name] for name in channels if name in self._counts]

    def toolboxes_of(self, channels: Sequence[str]) -> list[Toolbox]:
        """The calls of some channels."""
        return [self._toolboxes[name] for name in channels if name in self._toolboxes]

    def _clear(self) -> None:
        self.size = 0
        self._vectors = np.zeros((0, self._dimension), np.float32)
        self._bits = signs(self._vectors)
        self.contents = np.zeros(0, np.int64)
        self.actions = np.zeros(0, np.int64)
        self.tasks = np.zeros(0, np.int64)
        self.value = np.zeros(0)
        self.reward = np.zeros(0)
        self.wins, self.uses = np.zeros(0), np.zeros(0)
        self.channel = np.zeros(0, np.int32)
        self.region = np.zeros((0, LEVELS), np.int32)
        self.since = np.zeros(0, np.int64)
        self._region_codes: dict[str, int] = {}
        self._region_names: list[str] = []
        self._rows: dict[int, int] = {}
        self._codes: list[str] = []
        self._counts: dict[str, Counts] = defaultdict(Counts)
        self._needs: dict[int, tuple[int, Counter[int]]] = {}
        self.shapes: dict[tuple[str, int], list[str]] = defaultdict(list)
        """By channel and shape, the episodes that succeeded so."""
        self._made_of: dict[tuple[str, int], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
        """The same with the kinds of task that they were, and the types of actions that they needed."""
        self._ended: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._lost: dict[int, list[frozenset[int]]] = defaultdict(list)
        self._served: dict[str, set[int]] = defaultdict(set)
        self.weighing = unlearnt()
        self._trails: dict[str, list[int]] = {}
        self._toolboxes: dict[str, Toolbox] = defaultdict(Toolbox)
        self._told: dict[int, Told] = {}
        self.leaders = tuple(Leaders(self._dimension) for _ in range(LEVELS))

    def _load(self) -> None:
        self._clear()
        regions = self._store.records(self._user, REGION)
        for record in regions:
            self._lead(record)
        outcomes = sorted(self._store.records(self._user, OUTCOME), key=lambda record: record.revision)
        there = self._there([record.key for record in outcomes])
        self._take([one.value if one.key in there else _unsaid(one.value) for one in outcomes])
        self._sequence = max((record.revision for record in (*outcomes, *regions)), default=0)

    def _there(self, episodes: Sequence[str]) -> set[str]:
        """Those of the episodes that were not purged."""
        found = self._store.find(self._user, replace(EPISODES, ids=tuple(episodes))) if episodes else ()
        return {memory.id for memory in found}

    def _learn(self, detail: Mapping[str, Any]) -> None:
        """One new outcome, with the regions that it founded."""
        for name in detail.get("regions", ()):
            record = self._store.record(self._user, REGION, name)
            if record is not None:
                self._lead(record)
        record = self._store.record(self._user, OUTCOME, detail["episode"])
        if record is not None:
            self._take([record.value])

    def _lead(self, record: Record) -> None:
        level = int(record.key.partition(".")[0])
        if level < LEVELS and record.value["model"] == self._model:
            self.leaders[level].add(record.key, vector_of(record.value))

    def _take(self, outcomes: Sequence[Mapping[str, Any]]) -> None:
        """Adds what the outcomes teach, in their order."""
        kept = [(value, row) for value in outcomes for row in value["kept"]]
        self._append(kept)
        for value in outcomes:
            for content, factor in value["decayed"]:
                row = self._rows.get(content)
                if row is not None:
                    self.reward[row] *= factor
            used = [row for row in map(self._rows.get, value["used"]) if row is not None]
            self.uses[used] += 1
            self.wins[used] += value["success"]
            tried = [Tried(tuple(regions), *rest) for regions, *rest in value["tried"]]
            counts = self._counts[value["channel"]]
            counts.count(tried, value["moves"])
            counts.see(value.get("seen", ()))
            counts.reward(value.get("rewards", ()))
            self._toolboxes[value["channel"]].count(value)
            counts.repeats.count(Try(*one) for one in value.get("repeats", ()))
            ended = self._ended[value["channel"]]
            ended[0] += 1.0
            ended[1] += value["success"]
            if not value["success"]:
                self._lost[value["task"]].append(frozenset(one.action_type for one in tried))
            if value.get("signals") is not None:
                self.weighing = learned(self.weighing, value["signals"], value["success"], WeighingParams())
            if value.get("shape") is not None:
                key = value["channel"], value["shape"]
                self.shapes[key].append(value["episode"])
                tasks, types = self._made_of[key]
                tasks.add(value["task"])
                types.update(one.action_type for one in tried if one.wins)
            if value["success"]:
                for memory in value.get("recalled", ()):
                    self._served[memory].add(value["task"])
                needs = self._needs.setdefault(value["task"], (0, Counter()))
                needs[1].update({one.action_type for one in tried if one.wins})
                self._needs[value["task"]] = (needs[0] + 1, needs[1])

    def _append(self, kept: Sequence[tuple[Mapping[str, Any], Sequence[Any]]]) -> None:
        if not kept:
            return
        wanted = np.array([row[0] for _, row in kept], np.int64)
        found, data = self._store.vectors(self._user, wanted)
        places = {int(content): place for place, content in enumerate(found)}
        # A step that was purged has no vector any more, and advises nothing.
        kept = [(value, row) for value, row in kept if row[0] in places]
        if not kept:
            return
        vectors = data[[places[row[0]] for _, row in kept]].astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        first, last = self.size, self.size + len(kept)
        self._reserve(last)
        self._vectors[first:last], self._bits[first:last] = vectors, signs(vectors)
        for row, (value, (content, action, worth, regions)) in enumerate(kept, start=first):
            self.contents[row], self.actions[row], self.value[row] = content, action, worth
            self.tasks[row], self.channel[row] = value["task"], self._code(value["channel"])
            self.since[row] = value.get("at", 0)
            self._rows[content] = row
            if value["success"] and "episode" in value:
                self._trails.setdefault(value["episode"], []).append(row)
            self.region[row] = [self._region_code(name) for name in regions]
        self.reward[first:last] = 1.0
        self.size = last

    def _region_code(self, name: str) -> int:
        if name not in self._region_codes:
            self._region_codes[name] = len(self._region_names)
            self._region_names.append(name)
        return self._region_codes[name]

    def _code(self, channel: str) -> int:
        if channel not in self._codes:
            self._codes.append(channel)
        return self._codes.index(channel)

    def _reserve(self, size: int) -> None:
        if size <= len(self.contents):
            return
        room = max(size, 2 * len(self.contents), 1024)
        for name in ROW_COLUMNS:
            old = getattr(self, name)
            grown = np.zeros((room, *old.shape[1:]), old.dtype)
            grown[: self.size] = old[: self.size]
            setattr(self, name, grown)


def _unsaid(outcome: Mapping[str, Any]) -> Mapping[str, Any]:
    """An outcome of which only the numbers count: its episode was purged, and what it did advises nobody."""
    return {**outcome, "kept": [], "shape": None}
