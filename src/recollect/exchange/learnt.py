"""What was learnt, as another store can learn it: how episodes ended, what use has taught, whose advice was taken.

Regions and chances stay: whoever hears how the episodes ended counts them anew.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.exchange.values import iso, moment_of
from recollect.model import LEARNT, AuditFilter, Counters, Filter, Lane, Memory, Record, State, moment
from recollect.ports import RecordChange, Store

OUTCOME, UNDO, STEP = "outcome", "undo", "step"
"""As learning names the record of an outcome, the operation that takes one back, and the kind of a step."""
STEPS: Final = Filter(
    lanes=(Lane.LOG,), kinds=(STEP,), states=(State.ACTIVE, State.DORMANT), any_session=True
)
ADVICE: Final = {"followed": "followed_steps", "ignored": "ignored_steps"}
"""Which steps advised a step: within a store by the numbers of their contents, elsewhere by their ids."""
NOTED: Final = {"critique": ("episode", str), "intention": ("next", int), "skill": ("memory", str)}
"""The kinds of records that tell of a memory what its versions do not, and what each holds."""
MOST_UNDONE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Ended:
    """How an episode ended, as somebody told it."""

    episode: str
    success: bool | None
    """None where it is open, since its outcome was taken back."""
    at: datetime | None = None
    used: tuple[str, ...] = ()
    """The memories that it went by and that are no steps."""
    undone_at: datetime | None = None
    """When an outcome of it was last taken back."""

    def takes_back(self, ours: "Ended") -> bool:
        """Whether the ending that is known here was taken back there since."""
        if self.undone_at is None or ours.at is None or (self.success, self.at) == (ours.success, ours.at):
            return False
        return self.undone_at >= ours.at


def ending(store: Store, user: str, episode_id: str) -> Ended | None:
    """How an episode ended here."""
    known = store.record(user, OUTCOME, episode_id)
    return None if known is None else _ended(known, None)


def endings(store: Store, user: str) -> list[Ended]:
    """The outcomes in the order in which they were learnt, then the episodes that are open again."""
    undone = undoings(store, user)
    outcomes = sorted(store.records(user, OUTCOME), key=lambda one: one.revision)
    told = [_ended(one, undone.pop(one.key, None)) for one in outcomes]
    return told + [Ended(episode, None, undone_at=at) for episode, at in undone.items()]


def endings_since(store: Store, user: str, sequence: int) -> list[Ended]:
    """The same of the episodes that ended, or were opened again, after a link of the chain."""
    if not sequence:
        return [one for one in endings(store, user) if one.success is not None]
    links = store.witness(user, after=sequence)
    touched = {one.detail.get("episode") for one in links if one.operation in (OUTCOME, UNDO)}
    return [one for one in endings(store, user) if one.episode in touched] if touched else []


def undoings(store: Store, user: str) -> dict[str, datetime]:
    """By episode, when its outcome was last taken back."""
    found: dict[str, datetime] = {}
    for one in store.writes(user, AuditFilter(operation=UNDO), limit=MOST_UNDONE):
        if "episode" in one.detail:
            found.setdefault(one.detail["episode"], one.at)
    return found


def ended_value(one: Ended) -> dict[str, Any]:
    """An ending with its moments as text."""
    return {
        "episode": one.episode,
        "success": one.success,
        "at": iso(one.at),
        "used": list(one.used),
        "undone_at": iso(one.undone_at),
    }


def ended_from_value(value: Mapping[str, Any]) -> Ended:
    """The inverse; what is wrong is named."""
    try:
        ended = Ended(
            value["episode"],
            value["success"],
            moment_of(value.get("at")),
            tuple(value.get("used", ())),
            moment_of(value.get("undone_at")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"not an outcome: {error}") from None
    names = (ended.episode, *ended.used)
    if not isinstance(ended.success, bool | None) or not all(isinstance(one, str) for one in names):
        raise InvalidInput("not an outcome: its episode, its success or what it used cannot be so")
    if (ended.at if ended.success is not None else ended.undone_at) is None:
        raise InvalidInput("not an outcome: it has no moment")
    return ended


def counted(store: Store, user: str, ids: Sequence[str]) -> dict[str, Counters]:
    """What use has taught about those memories that were used."""
    return {one: known for one, known in store.counters(user, ids).items() if known != Counters()}


def counters_value(memory_id: str, known: Counters) -> dict[str, Any]:
    """What use has taught about a memory."""
    learnt = {name: getattr(known, name) for name in LEARNT}
    return {
        "id": memory_id,
        "access_count": known.access_count,
        "last_accessed_at": iso(known.last_accessed_at),
        **learnt,
    }


def counters_from_value(value: Mapping[str, Any]) -> tuple[str, Counters]:
    """The inverse; what is wrong is named."""
    try:
        given = {name: value[name] for name in LEARNT if name in value}
        known = Counters(int(value.get("access_count", 0)), moment_of(value.get("last_accessed_at")), **given)
        numbers = [getattr(known, name) for name in LEARNT if name != "tier"]
        fine = (
            all(isfinite(one) and one >= 0.0 for one in (known.access_count, *numbers))
            and known.utility <= 1.0
            and known.reward <= 1.0
            and known.stability > 0.0
            and known.tier in ("episodic", "semantic")
        )
        memory_id = value["id"]
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"not counters: {error}") from None
    if not fine or not isinstance(memory_id, str):
        raise InvalidInput("not counters: one of them cannot be so")
    return memory_id, known


def noted(store: Store, user: str) -> list[Record]:
    """The records that tell of memories what their versions do not."""
    return [record for kind in NOTED for record in store.records(user, kind)]


def of_memory(kind: str, key: str, value: Mapping[str, Any]) -> str:
    """The id of the memory that a record tells of."""
    return str(value["memory"]) if kind == "skill" else key


def noted_value(record: Record) -> dict[str, Any]:
    return {"kind": record.kind, "key": record.key, "value": record.value}


def noted_from_value(value: Mapping[str, Any]) -> RecordChange:
    """What is kept of a record that was told, where there is none yet; what is wrong is named."""
    kind, key, told = value.get("kind"), value.get("key"), value.get("value")
    if kind not in NOTED or not isinstance(key, str) or not isinstance(told, Mapping):
        raise InvalidInput(f"not a note of a memory: the kinds are {', '.join(NOTED)}")
    name, of = NOTED[kind]
    if not isinstance(told.get(name), of):
        raise InvalidInput(f"not a note of a memory: {kind} has no {name}")
    return RecordChange(kind, key, {name: told[name]}, 0)


def outside(store: Store, user: str, memories: Sequence[Memory]) -> list[Memory]:
    """Memories as another store can read them: steps name those that advised them by their ids."""
    numbers = {one for memory in memories for name in ADVICE for one in _advised(memory, name)}
    found = store.shown(user, sorted(numbers), STEPS) if numbers else []
    ids = {one.content: one.id for one in found}
    return [_renamed(one, ADVICE, ids.get) for one in memories]


def inside(store: Store, user: str, memory: Memory) -> Memory:
    """The inverse; what is not here has advised nobody here, and numbers of another store's contents mean nothing."""
    names = {there: here for here, there in ADVICE.items()}
    plain = advised_apart(memory, kept=names)
    return _renamed(plain, names, lambda one: _content(store, user, one))


def advisers(memory: Memory) -> set[str]:
    """The ids of the steps that advised a step that comes from elsewhere."""
    return {one for name in ADVICE.values() for one in _advised(memory, name)}


def advised_apart(memory: Memory, kept: Iterable[str] = ()) -> Memory:
    """A step without what advised it, which no two stores say alike."""
    names = ({*ADVICE, *ADVICE.values()} - set(kept)) & memory.metadata.keys()
    if not _is_step(memory) or not names:
        return memory
    return replace(memory, metadata={name: one for name, one in memory.metadata.items() if name not in names})


def _ended(outcome: Record, undone_at: datetime | None) -> Ended:
    value = outcome.value
    at = moment(value["at"]) if "at" in value else outcome.updated_at
    return Ended(outcome.key, value["success"], at, tuple(value.get("recalled", ())), undone_at)


def _advised(memory: Memory, name: str) -> list[Any]:
    told = memory.metadata.get(name) if _is_step(memory) else None
    return [one for one in told if isinstance(one, int | str)] if isinstance(told, list | tuple) else []


def _renamed(memory: Memory, names: Mapping[str, str], found: Callable[[Any], Any]) -> Memory:
    if not _is_step(memory) or not names.keys() & memory.metadata.keys():
        return memory
    told = {name: one for name, one in memory.metadata.items() if name not in names}
    for name, other in names.items():
        there = [one for one in map(found, _advised(memory, name)) if one is not None]
        told |= {other: there} if there else {}
    return replace(memory, metadata=told)


def _content(store: Store, user: str, memory_id: Any) -> int | None:
    known = store.get(user, memory_id) if isinstance(memory_id, str) else None
    return known.content if known is not None and _is_step(known) else None


def _is_step(memory: Memory) -> bool:
    return memory.kind == STEP and memory.lane is Lane.LOG
