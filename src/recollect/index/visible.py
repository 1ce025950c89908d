"""Who may see which document now, and what it is worth: columns that follow the versions of the store."""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.ordered import places
from recollect.index.arrays import Arrays, Damaged
from recollect.index.column import Column
from recollect.index.masks import Masks
from recollect.model import Filter, Lane, State, microseconds
from recollect.ports import Visibility

FOREVER: Final = np.iinfo(np.int64).max
NO_SESSION: Final = 0
BEFORE_ALL: Final = -1
_LANES: Final = {lane: code for code, lane in enumerate(Lane)}
_DTYPES: Final[dict[str, type[np.generic]]] = {
    "live": np.bool_,
    "lane": np.uint8,
    "channel": np.uint32,
    "session": np.uint32,
    "until": np.int64,
    "since": np.int64,
    "confidence": np.float64,
    "importance": np.float64,
}


class _Row(NamedTuple):
    """What the newest version of a document says, in the order of the columns."""

    live: bool = False
    lane: int = 0
    channel: int = 0
    session: int = NO_SESSION
    until: int = FOREVER
    since: int = 0
    confidence: float = 0.0
    importance: float = 0.0


_HIDDEN: Final = _Row()


class Standing(NamedTuple):
    """What the newest versions say of some rows, one array a column."""

    said: NDArray[np.bool_]
    valid_from: NDArray[np.int64]
    """In microseconds."""
    confidence: NDArray[np.float64]
    importance: NDArray[np.float64]


class Visible:
    """One row a document, in the order of the index; `version` is the newest version that it has seen."""

    def __init__(self) -> None:
        self.version = BEFORE_ALL
        self.changes = 0
        self._contents = Column(np.int64)
        self._columns = {name: Column(dtype) for name, dtype in _DTYPES.items()}
        self._expires = False
        self._masks = Masks()
        self._mixed: tuple[NDArray[np.bool_] | None, bool] = (None, False)

    @classmethod
    def load(cls, path: Path, label: Mapping[str, Any]) -> Self:
        """As it was saved; as if nothing was seen yet where the file is missing, broken or not ours."""
        loaded = cls()
        try:
            arrays = Arrays.open(path)
            if any(arrays.head.get(name) != value for name, value in label.items()):
                return loaded
            columns = {name: arrays.whole(name) for name in _DTYPES}
            contents, version = arrays.whole("contents"), int(arrays.head["version"])
        except (Damaged, KeyError, TypeError):
            return loaded
        loaded.version = version
        loaded._contents.extend(contents)
        for name, column in columns.items():
            loaded._columns[name].extend(column)
        loaded._expires = bool((columns["until"] != FOREVER).any())
        return loaded

    def save(self, path: Path, label: Mapping[str, Any]) -> None:
        columns = {name: column.values for name, column in self._columns.items()}
        Arrays({**label, "version": self.version}, {"contents": self._contents.values, **columns}).save(path)
        self.changes = 0

    def extend(self, contents: NDArray[np.int64]) -> None:
        """Add rows for newer documents, hidden until a version shows them."""
        if len(contents):
            self._masks.forget()
            self._contents.extend(contents)
            for column, hidden in zip(self._columns.values(), _HIDDEN, strict=True):
                column.extend(np.full(len(contents), hidden))

    def align(self, contents: NDArray[np.int64]) -> None:
        """Have exactly these rows; those that were there before stay as they are."""
        before, columns = self._contents.values, self._columns
        if np.array_equal(before, contents):
            return
        self._masks.forget()
        self._contents = Column(np.int64)
        self._columns = {name: Column(dtype) for name, dtype in _DTYPES.items()}
        self.extend(contents)
        rows, there = places(before, contents)
        for name, column in columns.items():
            self._columns[name].values[there] = column.values[rows]

    def apply(self, versions: Iterable[Visibility]) -> list[int]:
        """Follow versions in their order; answers which contents were purged."""
        latest: dict[int, _Row] = {}
        purged: list[int] = []
        for version in versions:
            if version.past_content is not None:
                latest[version.past_content] = _HIDDEN
                if version.state == State.PURGED:
                    purged.append(version.past_content)
            latest[version.content] = _row(version)
            self.version = version.version
            self.changes += 1
        self._set(latest)
        return purged

    def eligible(self, where: Filter) -> NDArray[np.bool_]:
        """Rows that satisfy what these columns know of a filter on current, active versions."""
        key = (where.channels, where.lanes, where.visible_session, where.any_session)
        mask = self._masks.of(key, lambda: self._mask(where))
        if where.unexpired_at is not None and self._expires:
            mask = mask & (self._columns["until"].values > microseconds(where.unexpired_at))
        return mask

    def mixes_lanes(self, eligible: NDArray[np.bool_]) -> bool:
        """Whether rows of both lanes are among the eligible ones."""
        mask, mixed = self._mixed
        if mask is not eligible:
            said = self._columns["lane"].values[: len(eligible)] == _LANES[Lane.LOG]
            mixed = bool((said & eligible).any() and (eligible > said).any())
            # A mask that is remembered is the same object until what it is about changes.
            self._mixed = (eligible, mixed)
        return mixed

    def said(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows are of the log lane."""
        said: NDArray[np.bool_] = self._columns["lane"].values[rows] == _LANES[Lane.LOG]
        return said

    def standing(self, rows: NDArray[np.int64]) -> Standing:
        """What is known of rows beside who may see them."""
        since, confidence, importance = (
            self._columns[name].values[rows] for name in ("since", "confidence", "importance")
        )
        return Standing(self.said(rows), since, confidence, importance)

    def _mask(self, where: Filter) -> NDArray[np.bool_]:
        columns = {name: column.values for name, column in self._columns.items()}
        mask = columns["live"].copy()
        if where.lanes is not None:
            mask &= _one_of(columns["lane"], [_LANES[lane] for lane in where.lanes])
        if where.channels is not None:
            mask &= _one_of(columns["channel"], [_code(channel) for channel in where.channels])
        if not where.any_session:
            mine = [] if where.visible_session is None else [_code(where.visible_session)]
            mask &= _one_of(columns["session"], [NO_SESSION, *mine])
        return mask

    def _set(self, latest: Mapping[int, _Row]) -> None:
        rows, there = places(self._contents.values, np.fromiter(latest, np.int64, len(latest)))
        if not len(rows):
            return
        self._masks.forget()
        self._expires = self._expires or any(row.until != FOREVER for row in latest.values())
        for column, values in zip(self._columns.values(), zip(*latest.values(), strict=True), strict=True):
            column.values[rows] = np.array(values, column.values.dtype)[there]


def is_current(where: Filter) -> bool:
    """Whether it asks for active memories as they are now, so that the columns' part of it must hold."""
    return where.as_of is None and where.states == (State.ACTIVE,)


def is_decided(where: Filter) -> bool:
    """Whether the columns know all that it asks for."""
    return Filter() == replace(
        where, channels=None, lanes=None, visible_session=None, any_session=False, unexpired_at=None
    )


def _row(version: Visibility) -> _Row:
    return _Row(
        version.state == State.ACTIVE,
        _LANES[version.lane],
        _code(version.channel),
        NO_SESSION if version.only_session is None else _code(version.only_session),
        FOREVER if version.valid_until is None else microseconds(version.valid_until),
        microseconds(version.valid_from),
        version.confidence,
        version.importance,
    )


def _code(name: str) -> int:
    # Two names with one code would only let a row through that the store then does not give.
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def _one_of(column: NDArray[Any], codes: list[int]) -> NDArray[np.bool_]:
    mask = np.zeros(len(column), np.bool_)
    for code in set(codes):
        mask |= column == code
    return mask
