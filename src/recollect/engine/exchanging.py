"""The verbs that take memories out and in, and copy the store."""

from collections.abc import Iterable
from pathlib import Path

from recollect.assembly import existing
from recollect.engine.relearning import Relearning
from recollect.engine.writing import OFF, Writing
from recollect.errors import InvalidInput, Refused
from recollect.exchange import branches, jsonl, markdown
from recollect.exchange.importing import Importer, Report
from recollect.language.secrets import redact
from recollect.model import Filter, Lane
from recollect.ports import Progress


class Exchanging(Relearning, Writing):
    """Export and import, snapshots and branches."""

    def export(self, *, format: str = "jsonl", where: Filter | None = None) -> Iterable[str]:
        """The lines of an export: `jsonl` holds all memories and what was learnt, `markdown` what a person reads and edits."""
        if format in ("jsonl", "markdown"):
            self._note("export", ())
        if format == "jsonl":
            self._accesses.flush()
            return jsonl.exported(self.store, self.user, self._clock.now(), where or jsonl.EVERYTHING)
        if format == "markdown":
            chosen = where or Filter(lanes=(Lane.MEMORY,), any_session=True, unexpired_at=self._clock.now())
            return markdown.rendered(self.store.find(self.user, chosen), self.user)
        raise InvalidInput(f"no format {format!r}; there are: jsonl, markdown")

    def import_(
        self, lines: Iterable[str], *, format: str = "jsonl", progress: Progress | None = None
    ) -> Report:
        """Takes an export in; the same one twice changes nothing."""
        self._check_recording()
        self._check_model()
        if format == "jsonl":
            bundle = jsonl.parsed(lines)
            report: Report = self._importer().take(bundle, "import", progress)
            self._relearn(bundle, report)
        elif format == "markdown":
            report = markdown.take(markdown.parsed(lines), self)
        else:
            raise InvalidInput(f"no format {format!r}; there are: jsonl, markdown")
        self._wrote(len(report.created) + len(report.updated))
        return report

    def snapshot(self, path: str | Path) -> Path:
        """Copies the whole store, as it is at this moment, into one file."""
        self._accesses.flush()
        self._reads.flush()
        self.store.snapshot(Path(path), branch=False, at=self._clock.now())
        return Path(path)

    def branch(self, path: str | Path) -> Path:
        """A copy that goes its own way and can be compared and merged back."""
        self._accesses.flush()
        self._reads.flush()
        self.store.snapshot(Path(path), branch=True, at=self._clock.now())
        return Path(path)

    def diff(self, other: str | Path) -> branches.Difference:
        """What this store and a branch of it have each changed since they parted."""
        with existing(other) as theirs:
            return branches.difference(self.store, theirs, self.user)

    def merge(self, other: str | Path) -> Report:
        """Takes over what only the branch changed; what both changed is reported as a conflict and left."""
        self._check_recording()
        self._check_model()
        with existing(other) as theirs:
            change = branches.difference(self.store, theirs, self.user)
            bundle = branches.merging(theirs, self.user, change)
        report = self._importer().take(bundle, "merge")
        self._relearn(bundle, report)
        report.conflicts += change.both
        self._wrote(len(report.created) + len(report.updated))
        return report

    def _check_recording(self) -> None:
        if not self.refreshed().memory.records:
            raise Refused(f"{OFF.reason}: nothing was taken in")

    def _importer(self) -> Importer:
        return Importer(
            self.store,
            self.user,
            self._embedder.name,
            self._writer.searchable,
            lambda text: redact(text).text,
            self._clock.now,
        )
