"""Writing imported histories into a store: the same ones twice change nothing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from recollect.exchange.jsonl import Bundle
from recollect.exchange.values import memory_value
from recollect.model import Memory
from recollect.ports import Change, Changes, NewText, Progress, Store

BATCH = 256


@dataclass
class Report:
    """What an import or a merge did, by id."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    edges: int = 0


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
        return report

    def _write(
        self, memories: Sequence[Memory], operation: str, report: Report, progress: Progress | None
    ) -> None:
        done = 0
        for batch in _batches(memories, BATCH):
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


def _told(memory: Memory) -> dict[str, object]:
    """What makes two versions the same, wherever they are stored; when one was retired follows from the next."""
    return memory_value(replace(memory, retired_at=None))


def _same_text(earlier: Memory, later: Memory) -> bool:
    same = (earlier.text, earlier.origin, dict(earlier.metadata)) == (
        later.text,
        later.origin,
        dict(later.metadata),
    )
    return earlier.id == later.id and same


def _batches(memories: Iterable[Memory], size: int) -> Iterable[Sequence[Memory]]:
    """Batches that never part the versions of one memory."""
    batch: list[Memory] = []
    for memory in memories:
        if len(batch) >= size and memory.id != batch[-1].id:
            yield batch
            batch = []
        batch.append(memory)
    if batch:
        yield batch
