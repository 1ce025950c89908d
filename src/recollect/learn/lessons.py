"""What people preferred for a question → what neighbours are worth, in versions, each checked on past lessons.

A lesson is one record: the candidates of a question as numbers (signals and links, no text), which of them were better
and which were worse. `BATCH` of them make the next version, unless past lessons are answered worse by it: then they are
left out. The last versions are kept, so that one can go back.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.errors import NotFound
from recollect.formulas.message_passing import (
    Gnn,
    GnnShape,
    Graph,
    Lesson,
    gradient,
    reciprocal_rank,
    weighted,
)
from recollect.formulas.micro_lora import Lens, LoraParams, consolidated, trained
from recollect.model import Record
from recollect.ports import Changes, RecordChange, Store

GNN, LESSON = "gnn", "gnn_lesson"
"""The kinds of record: the versions, and the lessons."""
BATCH = 20
EPOCHS = 10
"""How often the lessons of a version are gone through."""
CANARY = 100
"""How many past lessons a new version is checked on."""
TOLERANCE = 0.02
KEPT = 5
"""So many versions one can go back."""
NODES = 60
"""So many of the candidates a lesson keeps."""
TEMPERATURE = 0.1
RATE = 0.05


@dataclass(frozen=True, slots=True)
class GnnState:
    """How it stands with what neighbours are worth."""

    version: int
    """0: as it comes with the package."""
    lessons: int
    """How many this version has learnt from."""
    pending: int
    """How many were told since."""
    rolled_back: int
    """How many versions were refused because past lessons got worse."""
    canary: float | None
    """How well past lessons are answered, as a mean reciprocal rank."""
    versions: tuple[int, ...]
    """Those that one can go back to."""


class Lessons:
    """What one user's contrasts have taught, which follows the store."""

    def __init__(
        self,
        store: Store,
        user: str,
        shipped: Lens,
        shape: GnnShape,
        consolidation: float,
        *,
        checked: bool = True,
    ) -> None:
        self._store, self._user = store, user
        self._shipped, self._shape = shipped, shape
        self.params = LoraParams(rate=RATE, consolidation=consolidation)
        self.checked = checked
        self._known: tuple[int, Gnn] | None = None

    def gnn(self) -> Gnn | None:
        """The newest version; None while there is only what comes with the package."""
        newest = self._newest()
        if newest is None:
            return None
        if self._known is None or self._known[0] != newest.revision:
            self._known = (newest.revision, weighted(self._shape, self._restored(newest).weights[0]))
        return self._known[1]

    def state(self) -> GnnState:
        """How it stands."""
        versions = self._versions()
        told: Mapping[str, Any] = versions[-1].value if versions else {}
        return GnnState(
            told.get("version", 0),
            told.get("lessons", 0),
            len(self._told(told.get("through", 0))),
            told.get("rolled_back", 0),
            told.get("canary"),
            (0, *(record.value["version"] for record in versions)),
        )

    def tell(self, key: str, lesson: Lesson, at: datetime) -> None:
        """Keeps one lesson; the last of a batch makes the next version."""
        change = RecordChange(LESSON, key, _packed_lesson(lesson), 0)
        self._store.write(self._user, Changes("gnn_lesson", at, records=(change,)))
        newest = self._newest()
        pending = self._told(0 if newest is None else newest.value["through"])
        if len(pending) >= BATCH:
            self._advance(newest, pending, at)

    def go_back(self, version: int, at: datetime) -> None:
        """As it stood with a version: the later ones, and the lessons that they were made of, are gone."""
        versions = self._versions()
        kept = [record for record in versions if version and record.value["version"] == version]
        if version and not kept:
            there = ", ".join(str(one) for one in self.state().versions)
            raise NotFound(f"no version {version} of what neighbours are worth; there are: {there}")
        through = kept[-1].value["through"] if kept else 0
        gone = [record for record in versions if record.value["version"] > version]
        lost = [*gone, *self._told(through)]
        if lost:
            records = tuple(RecordChange(record.kind, record.key, None) for record in lost)
            self._store.write(self._user, Changes("gnn", at, records=records, detail={"version": version}))
        self._known = None

    def _advance(self, newest: Record | None, pending: Sequence[Record], at: datetime) -> None:
        """Makes the next version of the pending lessons, or leaves them out if past ones get worse."""
        told: Mapping[str, Any] = {} if newest is None else newest.value
        before = self._restored(newest)
        learnt = [one for one in map(self._unpacked, pending) if one is not None]
        after, slopes = self._folded(before, learnt)
        past = [one for one in map(self._unpacked, self._past(told.get("through", 0))) if one is not None]
        worse = (
            self.checked and bool(past) and self._canary(after, past) < self._canary(before, past) - TOLERANCE
        )
        kept = before if worse else consolidated(after, slopes, self.params)
        checked = past if worse else [*past, *learnt]
        version = told.get("version", 0) + (0 if worse else 1)
        value = {
            "version": version,
            "lessons": told.get("lessons", 0) + (0 if worse else len(pending)),
            "rolled_back": told.get("rolled_back", 0) + (1 if worse else 0),
            "canary": round(self._canary(kept, checked), 4) if checked else None,
            "through": max(record.revision for record in pending),
            "shape": list(astuple(self._shape)),
            "weights": _packed(kept.weights, np.float32),
            "anchor": _packed(kept.anchor, np.float32),
            "fisher": _packed(kept.fisher, np.float16),
        }
        expected = newest.revision if newest is not None and newest.key == _key(version) else 0
        old = [record.key for record in self._versions()[: 1 - KEPT]]
        refused = {record.key for record in pending} if worse else set()
        left = [record for record in self._told(0) if record.key not in refused]
        gone = refused | {record.key for record in left[:-CANARY]}
        self._store.write(
            self._user,
            Changes(
                "gnn",
                at,
                records=(
                    RecordChange(GNN, _key(version), value, expected),
                    *(RecordChange(GNN, key, None) for key in old),
                    *(RecordChange(LESSON, key, None) for key in sorted(gone)),
                ),
                detail={"version": version, "rolled_back": worse},
            ),
        )

    def _folded(self, lens: Lens, learnt: Sequence[Lesson]) -> tuple[Lens, list[NDArray[np.float64]]]:
        slopes: list[NDArray[np.float64]] = []
        for _ in range(EPOCHS):
            for lesson in learnt:
                slope = gradient(lesson, weighted(self._shape, lens.weights[0]), TEMPERATURE)[None, :]
                slope = slope / max(1.0, float(np.linalg.norm(slope)))
                slopes.append(slope)
                lens = trained(lens, slope, self.params)
        return lens, slopes

    def _canary(self, lens: Lens, lessons: Sequence[Lesson]) -> float:
        gnn = weighted(self._shape, lens.weights[0])
        return float(np.mean([reciprocal_rank(lesson, gnn) for lesson in lessons]))

    def _restored(self, version: Record | None) -> Lens:
        if version is None or tuple(version.value["shape"]) != astuple(self._shape):
            return self._shipped
        value = version.value
        weights, anchor = (
            _unpacked(value[name], np.float32).astype(np.float64)[None, :] for name in ("weights", "anchor")
        )
        fisher = _unpacked(value["fisher"], np.float16).astype(np.float64).reshape(-1, weights.size)
        return Lens(weights, fisher, anchor)

    def _unpacked(self, record: Record) -> Lesson | None:
        """None where it is of another shape: of an earlier release."""
        lesson = _unpacked_lesson(record.value)
        shape = (lesson.graph.features.shape[1], lesson.graph.links.shape[2])
        return lesson if shape == (self._shape.features, self._shape.kinds) else None

    def _newest(self) -> Record | None:
        versions = self._versions()
        return versions[-1] if versions else None

    def _versions(self) -> list[Record]:
        return self._store.records(self._user, GNN)

    def _told(self, after: int) -> list[Record]:
        every = sorted(self._store.records(self._user, LESSON), key=lambda record: record.revision)
        return [record for record in every if record.revision > after]

    def _past(self, through: int) -> list[Record]:
        return [record for record in self._told(0) if record.revision <= through]


def _key(version: int) -> str:
    return f"v{version:08}"


def kept_part(lesson: Lesson) -> Lesson:
    """What a record holds of a lesson: the best candidates, and those that it is about."""
    places = np.arange(len(lesson.scores))
    chosen = (places < NODES) | lesson.better | (lesson.worse & (places < NODES))
    chosen[lesson.graph.speakers] = True
    at = np.cumsum(chosen) - 1
    graph = Graph(lesson.graph.features[chosen], at[lesson.graph.speakers], lesson.graph.links[chosen])
    return Lesson(graph, lesson.scores[chosen], lesson.better[chosen], lesson.worse[chosen])


def _packed_lesson(lesson: Lesson) -> Mapping[str, Any]:
    """Its numbers; of the links, of which there are few, each with its place."""
    part = kept_part(lesson)
    links = part.graph.links
    places = np.flatnonzero(links)
    return {
        "features": _packed(part.graph.features, np.float16),
        "speakers": part.graph.speakers.tolist(),
        "shape": list(links.shape),
        "links": _packed(places, np.int32),
        "weights": _packed(links.ravel()[places], np.float16),
        "scores": _packed(part.scores, np.float32),
        "better": np.flatnonzero(part.better).tolist(),
        "worse": np.flatnonzero(part.worse).tolist(),
    }


def _unpacked_lesson(value: Mapping[str, Any]) -> Lesson:
    nodes, speakers, kinds = value["shape"]
    links = np.zeros(nodes * speakers * kinds)
    links[_unpacked(value["links"], np.int32)] = _unpacked(value["weights"], np.float16)
    features = _unpacked(value["features"], np.float16).astype(np.float64).reshape(nodes, -1)
    graph = Graph(features, np.array(value["speakers"], np.intp), links.reshape(nodes, speakers, kinds))
    scores = _unpacked(value["scores"], np.float32).astype(np.float64)
    sides = []
    for name in ("better", "worse"):
        side = np.zeros(nodes, np.bool_)
        side[value[name]] = True
        sides.append(side)
    return Lesson(graph, scores, sides[0], sides[1])


def _packed(values: NDArray[Any], kind: type[np.generic]) -> str:
    return b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def _unpacked(text: str, kind: type[np.generic]) -> NDArray[Any]:
    return np.frombuffer(b64decode(text), kind)
