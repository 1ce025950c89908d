"""What people preferred for a question → a lens of question vectors, in versions, each checked on past questions.

A contrast is one record: the question's vector, what was better for it and what was worse. The lens is the last
version with the contrasts since then folded in. After `BATCH` of them they become the next version, unless past
questions are answered worse by it: then they are left out, and the version before stays.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.micro_lora import (
    Lens,
    LoraParams,
    Vectors,
    blank,
    consolidated,
    gradient,
    seen,
    trained,
)
from recollect.model import Record
from recollect.ports import Changes, RecordChange, Store

LENS, CONTRAST = "lens", "contrast"
"""The kinds of record: the version, of which there is one, and the contrasts."""
KEY = "questions"
BATCH = 50
CANARY = 100
"""How many past contrasts a new version is checked on."""
TOLERANCE = 0.02
SEED = 7


@dataclass(frozen=True, slots=True)
class LensState:
    """How the lens stands."""

    version: int
    contrasts: int
    """How many it has learnt from."""
    pending: int
    """How many were told since the last version."""
    rolled_back: int
    """How many versions were refused because past questions got worse."""
    canary: float | None
    """How well the last version ranks what was better in past contrasts, as a mean reciprocal rank."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """What was better for a question, and what was worse, as vectors."""

    question: Vectors
    better: Vectors
    worse: Vectors


class Contrasts:
    """The lens of one user, which follows the store."""

    def __init__(
        self, store: Store, user: str, model: str, dimension: int, params: LoraParams, *, checked: bool = True
    ) -> None:
        self.checked = checked
        self._store, self._user, self._model, self._dimension = store, user, model, dimension
        self.params = params
        self._known: tuple[int, Lens] | None = None

    def lens(self) -> Lens | None:
        """The lens with every contrast; None where there is none yet."""
        newest = self._newest()
        if newest == 0:
            return None
        if self._known is None or self._known[0] != newest:
            version, contrasts = self._version(), self._told()
            lens, _ = self._folded(self._restored(version), self._pending(version, contrasts))
            self._known = (newest, lens)
        return self._known[1]

    def state(self) -> LensState:
        """How it stands."""
        version = self._version()
        told = {} if version is None else version.value
        pending = len(self._pending(version, self._told()))
        return LensState(
            told.get("version", 0),
            told.get("contrasts", 0),
            pending,
            told.get("rolled_back", 0),
            told.get("canary"),
        )

    def tell(
        self, key: str, question: Vectors, better: Sequence[int], worse: Sequence[int], at: datetime
    ) -> None:
        """Keeps one contrast, by the contents' numbers; the last of a batch makes the next version."""
        value = {
            "model": self._model,
            "question": _packed(question),
            "better": list(better),
            "worse": list(worse),
        }
        self._store.write(
            self._user, Changes("contrast", at, records=(RecordChange(CONTRAST, key, value, 0),))
        )
        version, contrasts = self._version(), self._told()
        pending = self._pending(version, contrasts)
        if len(pending) >= BATCH:
            self._advance(version, contrasts, pending, at)

    def reset(self, at: datetime) -> None:
        """Forgets all of it: questions are asked as they are."""
        gone = [RecordChange(record.kind, record.key, None) for record in self._told()]
        version = self._version()
        if version is not None:
            gone.append(RecordChange(LENS, KEY, None))
        if gone:
            self._store.write(self._user, Changes("lens", at, records=tuple(gone)))
        self._known = None

    def _advance(
        self, version: Record | None, contrasts: Sequence[Record], pending: Sequence[Record], at: datetime
    ) -> None:
        """Makes the next version of the pending contrasts, or leaves them out if past questions get worse."""
        before = self._restored(version)
        after, slopes = self._folded(before, pending)
        past = [one for one in map(self._vectors, self._past(version, contrasts)) if one is not None]
        worse = self.checked and bool(past) and canary(after, past) < canary(before, past) - TOLERANCE
        told = {} if version is None else dict(version.value)
        kept = before if worse else consolidated(after, slopes, self.params)
        checked = past if worse else [*past, *(c for c in map(self._vectors, pending) if c is not None)]
        told |= {
            "version": told.get("version", 0) + (0 if worse else 1),
            "contrasts": (told.get("contrasts", 0) if version and self._fits(version) else 0)
            + (0 if worse else len(pending)),
            "rolled_back": told.get("rolled_back", 0) + (1 if worse else 0),
            "canary": round(canary(kept, checked), 4) if checked else None,
            "through": max(record.revision for record in pending),
            "model": self._model,
            **_stored(kept),
        }
        refused = {record.key for record in pending} if worse else set()
        left = [record for record in contrasts if record.key not in refused]
        gone = refused | {record.key for record in left[:-CANARY]}
        self._store.write(
            self._user,
            Changes(
                "lens",
                at,
                records=(
                    RecordChange(LENS, KEY, told, 0 if version is None else version.revision),
                    *(RecordChange(CONTRAST, key, None) for key in sorted(gone)),
                ),
                detail={"version": told["version"], "rolled_back": worse},
            ),
        )

    def _folded(self, lens: Lens, records: Sequence[Record]) -> tuple[Lens, list[NDArray[np.float64]]]:
        slopes = []
        for one in map(self._vectors, records):
            if one is not None:
                slopes.append(gradient(lens, one.question, one.better, one.worse, self.params.temperature))
                lens = trained(lens, slopes[-1], self.params)
        return lens, slopes

    def _vectors(self, record: Record) -> Contrast | None:
        """A contrast with its vectors; None where what it speaks of was purged, or is of another model."""
        value = record.value
        if value["model"] != self._model:
            return None
        wanted = np.array(sorted({*value["better"], *value["worse"]}), np.int64)
        found, data = self._store.vectors(self._user, wanted)
        places = {int(content): place for place, content in enumerate(found)}
        better, worse = (
            [places[content] for content in value[side] if content in places] for side in ("better", "worse")
        )
        if not better or not worse:
            return None
        unit = data.astype(np.float32)
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        return Contrast(
            _unpacked(value["question"], np.float16).astype(np.float32), unit[better], unit[worse]
        )

    def _restored(self, version: Record | None) -> Lens:
        if version is None or not self._fits(version):
            return blank(self._dimension, np.random.default_rng(SEED), self.params)
        value, rows = version.value, 2 * self.params.rank
        weights, anchor = (
            _unpacked(value[name], np.float32).astype(np.float64).reshape(rows, -1)
            for name in ("weights", "anchor")
        )
        fisher = _unpacked(value["fisher"], np.float32).astype(np.float64).reshape(-1, weights.size)
        return Lens(weights, fisher, anchor)

    def _fits(self, version: Record) -> bool:
        """Whether it is of this model and rank; of another, what is left of its contrasts is learnt anew."""
        size = 2 * self.params.rank * self._dimension * np.dtype(np.float32).itemsize
        return version.value["model"] == self._model and len(b64decode(version.value["weights"])) == size

    def _through(self, version: Record | None) -> int:
        """The last contrast that a version has learnt from."""
        return 0 if version is None or not self._fits(version) else int(version.value["through"])

    def _newest(self) -> int:
        """The last revision of all that the lens is made of; 0 where there is nothing."""
        version = self._version()
        last = self._told()
        return max((record.revision for record in (*last, *((version,) if version else ()))), default=0)

    def _version(self) -> Record | None:
        return self._store.record(self._user, LENS, KEY)

    def _told(self) -> list[Record]:
        return sorted(self._store.records(self._user, CONTRAST), key=lambda record: record.revision)

    def _pending(self, version: Record | None, contrasts: Sequence[Record]) -> list[Record]:
        through = self._through(version)
        return [record for record in contrasts if record.revision > through]

    def _past(self, version: Record | None, contrasts: Sequence[Record]) -> list[Record]:
        through = self._through(version)
        return [record for record in contrasts if record.revision <= through]


def canary(lens: Lens, contrasts: Sequence[Contrast]) -> float:
    """How well a lens ranks what was better above what was worse: the mean reciprocal rank of the first better."""
    ranks = []
    for one in contrasts:
        question = seen(one.question, lens)
        best = float((one.better @ question).max())
        ranks.append(1.0 / (1 + int((one.worse @ question >= best).sum())))
    return float(np.mean(ranks))


def _stored(lens: Lens) -> Mapping[str, Any]:
    return {
        "weights": _packed(lens.weights, np.float32),
        "anchor": _packed(lens.anchor, np.float32),
        "fisher": _packed(lens.fisher, np.float32),
    }


def _packed(values: NDArray[Any], kind: type[np.floating[Any]] = np.float16) -> str:
    return b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def _unpacked(text: str, kind: type[np.floating[Any]]) -> NDArray[Any]:
    return np.frombuffer(b64decode(text), kind)
