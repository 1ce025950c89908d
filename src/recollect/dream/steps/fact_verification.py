"""Memories that name files or commands are held against the folder that they are about."""

from collections.abc import Iterator
from typing import Final

from recollect.dream.folder import Folder
from recollect.dream.night import FORMED, Night
from recollect.dream.proposal import Doubt, Proposal, Revision
from recollect.model import Memory
from recollect.ports import RecordChange

UNVERIFIED: Final = "dream.unverified"
"""The kind of record that has the confidence of a memory before nothing of what it names was found."""
PAGE: Final = 500
DOUBTED: Final = 0.5
GONE, BACK = "not in the folder", "in the folder again"


def fact_verification(night: Night) -> Iterator[Proposal]:
    """Halves the confidence where nothing of what is named is there any more, until it is back (G15)."""
    if night.folder is None:
        return
    folder = Folder(night.folder)
    after: str | None = None
    while page := night.store.find(night.user, FORMED, limit=PAGE, after=after):
        after = page[-1].id
        yield from _verified(night, folder, page)


def _verified(night: Night, folder: Folder, page: list[Memory]) -> Iterator[Proposal]:
    revised: dict[str, Revision] = {}
    records: list[RecordChange] = []
    doubts: list[Doubt] = []
    for memory in page:
        place = night.place(memory.id)
        missing = folder.missing(memory.text)
        if place is None or missing is None or night.protected[place] or not night.is_current(place):
            continue
        known = night.store.record(night.user, UNVERIFIED, memory.id)
        if missing and known is None:
            less = {"confidence": round(memory.confidence * DOUBTED, 6)}
            revised[memory.id] = Revision(GONE, less, memory.version)
            records.append(RecordChange(UNVERIFIED, memory.id, {"confidence": memory.confidence}, 0))
            doubts.append(Doubt(GONE, (memory.id,)))
        elif not missing and known is not None:
            before = {"confidence": max(memory.confidence, known.value["confidence"])}
            revised[memory.id] = Revision(BACK, before, memory.version)
            records.append(RecordChange(UNVERIFIED, memory.id, None, known.revision))
    for batch in _batches(revised, night.params.batch):
        mine = {one: revised[one] for one in batch}
        yield Proposal(
            revised=mine,
            records=tuple(one for one in records if one.key in mine),
            doubts=tuple(one for one in doubts if one.ids[0] in mine),
        )


def _batches(revised: dict[str, Revision], size: int) -> Iterator[list[str]]:
    ids = list(revised)
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
