"""Living a year in one store: telling, asking, saying what helped, and dreaming each night, or never."""

import hashlib
import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from recollect.engine import Recollect
from recollect.evals.asking import DEPTH, GROUPED_DEPTH, standing
from recollect.evals.lifetime_stream import Asked, Day, Told, Year
from recollect.evals.metrics import Rank, by_group, gold_ranks
from recollect.evals.stores import FILE, INGEST_VERSION, RECORD, START, USER, Moving
from recollect.model import Action, Filter, Lane
from recollect.ports import Embedder, Progress
from recollect.recall.hits import Recall

KEPT_VERSION: Final = 2
"""To be raised when the same year would be lived differently: a kept one is then lived anew."""
STALE_DEPTH: Final = 5
FIRST: Final = 10
"""What is used of an answer."""
MADE: Final = frozenset({Action.CREATE, Action.SUPERSEDE})
NIGHT, MINUTE = timedelta(hours=20), timedelta(minutes=1)
SETTINGS: Final = {"formation.enabled": True}


@dataclass(frozen=True, slots=True)
class Slept:
    """One night: how many memories were awake before it, and what it took."""

    awake: int
    seconds: float
    cpu_seconds: float
    changed: int


@dataclass(frozen=True, slots=True)
class Answered:
    """Where the gold of a question stands, and how much of the best is stale."""

    ranks: tuple[Rank, ...]
    changed: bool
    stale: int
    """Of the first five hits of both lanes, those that stand for the older side alone."""
    stale_facts: int
    """The same of the first five of the memory lane."""
    fresh_facts: int = 0
    """Of the first five of the memory lane, those that stand for the newer side."""


@dataclass(slots=True)
class Life:
    """What a year left behind."""

    folder: Path
    days: int = 0
    over: bool = False
    formed: int = 0
    current: int = 0
    nights: list[Slept] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """From a turn's id to the keys that it stands for."""


def opened(folder: Path, embedder: Embedder, clock: Moving) -> Recollect:
    """The store of a life."""
    return Recollect(
        folder / FILE, user=USER, channel="_global", embedder=embedder, clock=clock, settings=SETTINGS
    )


def lived(
    year: Year, folder: Path, embedder: Embedder, *, dreams: bool, heard: Progress | None = None
) -> Life:
    """A year in the store of that folder: from its beginning, or from the day on which it was stopped."""
    life = _known(folder)
    clock = Moving(START)
    with opened(folder, embedder, clock) as memory:
        for number in range(life.days, len(year.days)):
            clock.set(START + timedelta(days=number))
            _spent(memory, clock, year.days[number], life)
            if dreams:
                clock.set(START + timedelta(days=number) + NIGHT)
                life.nights.append(_slept(memory))
            life.days = number + 1
            if heard is not None:
                with _noted(life):
                    heard(life.days, len(year.days))
        clock.set(START + timedelta(days=len(year.days)))
        if not life.over:
            life.answers += [_answered(memory, one, life) for one in year.exam]
            life.current, life.over = _current(memory), True
    (folder / RECORD).write_text(json.dumps(_value(life)), encoding="utf-8")
    return life


def place_of(year: Year, folder: Path, embedder: Embedder, *, dreams: bool) -> Path:
    """Where below a folder such a year is lived."""
    told = [KEPT_VERSION, INGEST_VERSION, embedder.name, repr(year)]
    digest = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
    return folder / f"{'slept' if dreams else 'awake'}-{digest}"


@contextmanager
def _noted(life: Life) -> Iterator[None]:
    """Who stops it while the end of a day is told can go on from there."""
    try:
        yield
    except BaseException:
        (life.folder / RECORD).write_text(json.dumps(_value(life)), encoding="utf-8")
        raise


def _known(folder: Path) -> Life:
    """The life in a folder as it was left at the end of a day, or a new one."""
    try:
        return _from_value(folder, json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return Life(folder)


def _value(life: Life) -> dict[str, Any]:
    told = asdict(life)
    del told["folder"]
    return told


def _from_value(folder: Path, told: dict[str, Any]) -> Life:
    answers = [Answered(**{**one, "ranks": tuple(one["ranks"])}) for one in told.pop("answers")]
    nights = [Slept(**one) for one in told.pop("nights")]
    keys = {one: tuple(keys) for one, keys in told.pop("keys").items()}
    return Life(folder, answers=answers, nights=nights, keys=keys, **told)


def _spent(memory: Recollect, clock: Moving, day: Day, life: Life) -> None:
    for one in day.asked:
        clock.set(clock.now() + MINUTE)
        if one.practice:
            _practised(memory, one, life)
        else:
            life.answers.append(_answered(memory, one, life))
    for part in day.told:
        clock.set(clock.now() + MINUTE)
        _told(memory, clock, part, life)


def _told(memory: Recollect, clock: Moving, told: Told, life: Life) -> None:
    messages: list[dict[str, Any]] = []
    for item in told.part.items:
        message = {"role": item.role, "content": item.text, "name": item.speaker, "timestamp": clock.now()}
        messages.append({name: value for name, value in message.items() if value is not None})
    kept = memory.observe(messages, session=told.part.id, channel=told.channel)
    for item, turn in zip(told.part.items, kept, strict=True):
        if turn.id is not None:
            life.keys[turn.id] = (*life.keys.get(turn.id, ()), item.key)
        life.formed += sum(one.action in MADE for one in turn.formed)


def _practised(memory: Recollect, asked: Asked, life: Life) -> None:
    """Asks, and says of the answer what helped and whether the first hit did not."""
    found = memory.recall(asked.question.text, FIRST, channel=asked.channel)
    stands = standing(found, life.keys)
    gold = set(asked.question.gold)
    helped = [hit.id for hit, keys in zip(found, stands, strict=True) if gold & set(keys)]
    memory.feedback(helped, helpful=True)
    if len(found) and not gold & set(stands[0]):
        memory.feedback(found[0].id, helpful=False)


def _answered(memory: Recollect, asked: Asked, life: Life) -> Answered:
    question = asked.question
    found = _asked(memory, asked, GROUPED_DEPTH if asked.grouped else DEPTH)
    stands = standing(found, life.keys)
    ranking: Sequence[tuple[str, ...]] = by_group(stands) if asked.grouped else stands
    changed = bool(question.newer and question.older)
    facts = standing(_asked(memory, asked, STALE_DEPTH, Lane.MEMORY), life.keys) if changed else []
    return Answered(
        gold_ranks(ranking, question.gold),
        changed,
        stale(stands[:STALE_DEPTH], question.older, question.newer),
        stale(facts, question.older, question.newer),
        sum(bool(set(keys) & set(question.newer)) for keys in facts),
    )


def _asked(memory: Recollect, asked: Asked, k: int, lanes: Lane | None = None) -> Recall:
    chosen: dict[str, Any] = {} if lanes is None else {"lanes": lanes}
    return memory.recall(asked.question.text, k, channel=asked.channel, learn=False, **chosen)


def stale(stands: Sequence[tuple[str, ...]], older: Sequence[str], newer: Sequence[str]) -> int:
    """How many hits stand for what was said before the change, and not for the change as well.

    >>> stale([("old",), ("old", "new"), ("other",)], ["old"], ["new"])
    1
    """
    return sum(bool(set(keys) & set(older)) and not set(keys) & set(newer) for keys in stands)


def _slept(memory: Recollect) -> Slept:
    awake = _current(memory)
    began, cpu = time.perf_counter(), time.process_time()
    run = memory.dream()
    return Slept(awake, time.perf_counter() - began, time.process_time() - cpu, run.changed)


def _current(memory: Recollect) -> int:
    """How many memories are awake, and neither replaced nor past their time."""
    where = Filter(lanes=(Lane.MEMORY,), any_session=True, unexpired_at=memory.now())
    return len(memory.store.survey(memory.user, where))
