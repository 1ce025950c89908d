"""Stores filled with what a set holds: one each, in a folder, used again when they are there already.

They are filled as a user's would be, by the settings that hold: memories are formed from what is observed, unless
`formation.enabled` is off in the environment. The plain methods are measured on what was said alone.
"""

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from recollect import config
from recollect.engine import Recollect
from recollect.evals.model import Corpus, Session
from recollect.language.terms import term_hashes
from recollect.model import NO_MAPPING
from recollect.ports import Embedder, Progress

INGEST_VERSION = 3
"""To be raised when the same data would be written differently: kept stores are then filled anew."""
PROBED = 200
RULES: tuple[str, ...] = ("language", "write", "formulas")
"""The packages whose code and data decide what is formed."""
LOG_ALONE: Mapping[str, Any] = MappingProxyType({"formation.enabled": False})
"""The settings of a store that holds what was said and nothing else."""
START = datetime(2020, 1, 1, tzinfo=UTC)
STEP = timedelta(seconds=1)
FILE, RECORD = "memory.db", "filled.json"
USER, CHANNEL = "eval", "_global"


class Moving:
    """A clock that the story moves, so that everything is recorded when it was said."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def set(self, moment: datetime) -> None:
        self._now = moment

    def follow(self, moment: datetime | None) -> datetime:
        """Goes on to that moment, and a step on where it is not ahead: time never stands still or goes back."""
        self._now = max(self._now + STEP, moment or START)
        return self._now


@dataclass(frozen=True, slots=True)
class Filled:
    """A store that holds a corpus, and how its memories are named in the evidence."""

    folder: Path
    keys: Mapping[str, tuple[str, ...]]
    """From a memory's id to the keys that it stands for."""
    recorded_at: Mapping[str, datetime]
    """From a session's id to when it was recorded."""
    ended_at: datetime
    items: int
    seconds: float
    bytes: int

    def opened(
        self, embedder: Embedder, clock: Moving, settings: Mapping[str, Any] = NO_MAPPING
    ) -> Recollect:
        path = self.folder / FILE
        return Recollect(path, user=USER, channel=CHANNEL, embedder=embedder, clock=clock, settings=settings)


def filled(
    corpus: Corpus,
    folder: Path,
    embedder: Embedder,
    heard: Progress | None = None,
    *,
    settings: Mapping[str, Any] = NO_MAPPING,
) -> Filled:
    """The store of a corpus below that folder: the one that is complete there, or a new one."""
    where = folder / f"{corpus.name}-{digest(corpus, embedder.name, settings)}"
    kept = _read(where)
    if kept is not None:
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(where, ignore_errors=True)
    # Filled aside and moved when it is whole, so that what has the right name is complete.
    aside = Path(tempfile.mkdtemp(prefix=".filling-", dir=folder))
    try:
        done = _fill(corpus, aside, embedder, heard, settings)
        (aside / RECORD).write_text(json.dumps(_value(done)), encoding="utf-8")
        try:
            aside.rename(where)
        except OSError:
            # Another evaluation filled the same store meanwhile: whichever was first is as good.
            kept = _read(where)
            if kept is None:
                raise
            shutil.rmtree(aside, ignore_errors=True)
            return kept
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return replace(done, folder=where)


def digest(corpus: Corpus, model: str, settings: Mapping[str, Any] = NO_MAPPING) -> str:
    """What a kept store's name says of its content: the data, the model and the way of writing, not the questions."""
    told = [INGEST_VERSION, model, [asdict(s) for s in corpus.sessions], [asdict(p) for p in corpus.passages]]
    formation = config.assembled({}, settings).formation
    if formation.enabled and corpus.sessions:
        told += [asdict(formation), rules()]
    data = json.dumps(told, default=str).encode()
    return hashlib.sha256(data + _terms(corpus)).hexdigest()[:16]


@cache
def rules() -> str:
    """Of all that forms memories: a store that was formed by other rules must not be used."""
    return content(*(Path(str(files("recollect") / package)) for package in RULES))


def content(*folders: Path) -> str:
    """A digest of the code and the data in some folders."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _terms(corpus: Corpus) -> bytes:
    """How some of its texts are split into terms: a store that was split otherwise must not be used."""
    items = [*(item for session in corpus.sessions for item in session.items), *corpus.passages]
    return b"".join(term_hashes(item.text).tobytes() for item in items[:: len(items) // PROBED + 1])


def _fill(
    corpus: Corpus,
    folder: Path,
    embedder: Embedder,
    heard: Progress | None,
    settings: Mapping[str, Any],
) -> Filled:
    clock, keys = Moving(), dict[str, tuple[str, ...]]()
    recorded: dict[str, datetime] = {}
    total = sum(len(session.items) for session in corpus.sessions) + len(corpus.passages)
    done = 0
    with Recollect(
        folder / FILE, user=USER, channel=CHANNEL, embedder=embedder, clock=clock, settings=settings
    ) as memory:
        began = time.perf_counter()
        for session in corpus.sessions:
            recorded[session.id] = clock.follow(session.at)
            _name(keys, _observed(memory, session), [item.key for item in session.items])
            done += len(session.items)
            _tell(heard, done, total)
        clock.follow(None)
        if corpus.passages:
            texts = [{"text": p.text, "metadata": {"title": p.title}} for p in corpus.passages]
            ids = [one.id for one in memory.remember_many(texts, progress=heard)]
            _name(keys, ids, [passage.key for passage in corpus.passages])
        seconds = time.perf_counter() - began
        memory.compact()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Filled(folder, keys, recorded, clock.follow(None), total, seconds, size)


def _observed(memory: Recollect, session: Session) -> list[str | None]:
    messages: list[dict[str, Any]] = []
    for item in session.items:
        told = {"role": item.role, "content": item.text, "name": item.speaker, "timestamp": session.at}
        messages.append({name: value for name, value in told.items() if value is not None})
    return [one.id for one in memory.observe(messages, session=session.id)]


def _name(keys: dict[str, tuple[str, ...]], ids: list[str | None], named: list[str]) -> None:
    # The same passage twice is one memory, which stands for both.
    for memory_id, key in zip(ids, named, strict=True):
        if memory_id is not None:
            keys[memory_id] = (*keys.get(memory_id, ()), key)


def _tell(heard: Progress | None, done: int, total: int) -> None:
    if heard is not None:
        heard(done, total)


def _value(done: Filled) -> dict[str, Any]:
    return {
        "keys": done.keys,
        "recorded_at": {name: at.isoformat() for name, at in done.recorded_at.items()},
        "ended_at": done.ended_at.isoformat(),
        "items": done.items,
        "seconds": done.seconds,
        "bytes": done.bytes,
    }


def _read(where: Path) -> Filled | None:
    """A complete store; None where there is none or its record cannot be read."""
    try:
        told = json.loads((where / RECORD).read_text(encoding="utf-8"))
        return Filled(
            where,
            {name: tuple(keys) for name, keys in told["keys"].items()},
            {name: datetime.fromisoformat(at) for name, at in told["recorded_at"].items()},
            datetime.fromisoformat(told["ended_at"]),
            told["items"],
            told["seconds"],
            told["bytes"],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
