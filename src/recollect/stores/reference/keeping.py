"""The chain of what was written, and what a store without a file has no use for."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.errors import StoreError
from recollect.formulas import chain
from recollect.model import Fault, WitnessEntry, microseconds
from recollect.ports import Progress
from recollect.stores.reference.shelf import Shelves


class Keeping(Shelves):
    """Store's part that checks itself."""

    def witness(self, user: str, after: int = 0, limit: int | None = None) -> list[WitnessEntry]:
        return [e for e in self._shelf(user).witness if e.sequence > after][:limit]

    def verify(self, user: str, progress: Progress | None = None) -> list[Fault]:
        entries = self._shelf(user).witness
        previous = chain.GENESIS
        for entry in entries:
            covers = (*entry.versions, *entry.edges)
            linked = chain.link(
                previous,
                entry.sequence,
                microseconds(entry.at),
                entry.operation,
                entry.detail,
                covers,
                entry.digest,
            )
            if linked != entry.hash:
                return [
                    Fault(
                        f"witness {entry.sequence}", "it was changed, or does not follow the entry before it"
                    )
                ]
            previous = entry.hash
            if progress is not None:
                progress(entry.sequence, len(entries))
        return []

    def snapshot(self, path: Path, *, branch: bool, at: datetime) -> None:  # noqa: ARG002
        raise StoreError(
            "a store in memory has no file to copy; give Recollect a path to use snapshots and branches"
        )

    def copies(self) -> list[Path]:
        return []

    def lineage(self) -> list[Mapping[str, Any]]:
        return []

    def changed(self, user: str, after: int) -> list[str]:
        shelf = self._shelf(user)
        return sorted({m.id for m in shelf.versions[max(after - shelf.first, 0) :] if m.content != 0})

    def compact(self) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """Nothing to close: what is in memory goes with the object."""
