"""Writing imported histories into a store: the same ones twice change nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from recollect.errors import Conflict
from recollect.exchange.jsonl import Bundle
from recollect.exchange.learnt import advised_apart, advisers, inside, of_memory
from recollect.exchange.values import memory_value
from recollect.guarding import guarded
from recollect.model import LEARNT, Counters, Memory
from recollect.ports import Change, Changes, NewText, Progress, Store

BATCH = 256
ATTEMPTS = 16


@dataclass
class Report:
    """What an import or a merge did, by id."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    edges: int = 0
    outcomes: int = 0
    """How many endings of episodes were learnt, or taken back."""


@dataclass(frozen=True)
class Importer:
    """Where imported histories go and how their texts become searchable."""

    store: Store
    user: str
    model: str
    searchable: Callable[[Sequence[Memory]], list[NewText]]
    redacted: Callable[[str], str]
    now: Callable[[], datetime]

    def take(self, bundle: Bundle, operation: str, progress: Progress | None = None) -> Report:
        """Adds unknown memories, appends newer versions, leaves equal ones, reports those that differ."""
        report = Report()
        pending: list[Memory] = []
        for memory_id, told in bundle.histories.items():
            history = [replace(m, text=self.redacted(m.text)) for m in told]
            known = self.store.versions(self.user, memory_id)
            if not known and self.store.resolve(self.user, memory_id) == [memory_id]:
                report.refused.append(memory_id)
            elif [_told(m) for m in known] != [_told(m) for m in history[: len(known)]]:
                report.conflicts.append(memory_id)
            elif len(history) <= len(known):
                report.unchanged.append(memory_id)
            else:
                (report.updated if known else report.created).append(memory_id)
                pending += history[len(known) :]
        self._write(pending, operation, report, progress)
        self._relate(bundle, operation, report)
        self._count(bundle.counters, operation, report)
        self._note(bundle, operation)
        return report

    def _write(
        self, memories: Sequence[Memory], operation: str, report: Report, progress: Progress | None
    ) -> None:
        done = 0
        for taken in _batches(memories, BATCH):
            batch = [inside(self.store, self.user, one) for one in taken]
            fresh = [i for i, m in enumerate(batch) if i == 0 or not _same_text(batch[i - 1], m)]
            texts = dict(zip(fresh, self.searchable([batch[i] for i in fresh]), strict=True))
            changes = tuple(
                Change(replace(m, retired_at=None, content=0), texts.get(i)) for i, m in enumerate(batch)
            )
            written = self.store.write(self.user, Changes(operation, self.now(), changes, model=self.model))
            refused = {w.id for w in written if w.refusal is not None}
            report.refused += sorted(refused)
            report.created = [i for i in report.created if i not in refused]
            done += len(batch)
            if progress is not None:
                progress(done, len(memories))

    def _relate(self, bundle: Bundle, operation: str, report: Report) -> None:
        present = {*report.created, *report.updated, *report.unchanged}
        edges = tuple(e for e in bundle.edges if e.source in present and e.target in present)
        before = sum(1 for _ in self.store.all_edges(self.user))
        if edges:
            self.store.write(self.user, Changes(operation, self.now(), edges=edges))
        report.edges = sum(1 for _ in self.store.all_edges(self.user)) - before

    def _count(self, told: Mapping[str, Counters], operation: str, report: Report) -> None:
        """What use has taught of memories about which it has taught nothing here."""
        present = [one for one in (*report.created, *report.updated, *report.unchanged) if one in told]
        for start in range(0, len(present), BATCH):
            ids = present[start : start + BATCH]
            for _ in range(ATTEMPTS):
                if self._counted({one: told[one] for one in ids}, operation):
                    break
            else:
                raise Conflict("others keep learning about what is taken in; import again")

    def _counted(self, told: Mapping[str, Counters], operation: str) -> bool:
        guard = guarded(self.store, self.user)
        known = self.store.counters(self.user, list(told))
        new = {one: given for one, given in told.items() if known.get(one, Counters()) == Counters()}
        if not new:
            return True
        counters = {one: {name: getattr(given, name) for name in LEARNT} for one, given in new.items()}
        accesses = {
            one: (given.access_count, given.last_accessed_at)
            for one, given in new.items()
            if given.last_accessed_at is not None
        }
        changes = Changes(operation, self.now(), records=(guard,), counters=counters, accesses=accesses)
        try:
            self.store.write(self.user, changes)
        except Conflict:
            return False
        return True

    def _note(self, bundle: Bundle, operation: str) -> None:
        """Keeps what is noted of memories that are here, unless something is noted of them already."""
        new = tuple(
            one
            for one in bundle.notes
            if self.store.record(self.user, one.kind, one.key) is None
            and self.store.get(self.user, of_memory(one.kind, one.key, one.value)) is not None
        )
        if new:
            self.store.write(self.user, Changes(operation, self.now(), records=new))


def _told(memory: Memory) -> dict[str, object]:
    """What makes two versions the same, wherever they are stored; when one was retired follows from the next."""
    return memory_value(advised_apart(replace(memory, retired_at=None)))


def _same_text(earlier: Memory, later: Memory) -> bool:
    same = (earlier.text, earlier.origin, dict(earlier.metadata)) == (
        later.text,
        later.origin,
        dict(later.metadata),
    )
    return earlier.id == later.id and same


def _batches(memories: Iterable[Memory], size: int) -> Iterable[Sequence[Memory]]:
    """Batches that never part the versions of one memory, and have a step after those that advised it."""
    batch: list[Memory] = []
    here: set[str] = set()
    for memory in memories:
        is_full = len(batch) >= size or not here.isdisjoint(advisers(memory))
        if is_full and memory.id != batch[-1].id:
            yield batch
            batch, here = [], set()
        batch.append(memory)
        here.add(memory.id)
    if batch:
        yield batch
