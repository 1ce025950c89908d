"""Whether rows are what was written: checks that every store in SQL makes alike."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from recollect.formulas import chain
from recollect.model import Fault, Memory, Scope, State, WitnessEntry, microseconds
from recollect.ports import WORD_BYTES
from recollect.stores.rows import Row

TOLD: Final = ("config", "purge")
"""The operations whose details say what is kept beside the rows that the chain covers."""


def version_faults(key: bytes, memory: Memory, row: Row, user: int, dimension: int | None) -> Iterator[Fault]:
    """Of one version: `row` has its owner, only session, digest, its text's digest and fingerprint, and the sizes."""
    owner, only_session, digest, content_digest, mark, vector_bytes, word_bytes = row
    m = memory
    if content_digest is None and m.state != State.PURGED:
        yield Fault(m.id, "its text is missing")
    if content_digest is not None and chain.content_digest(key, m) != content_digest:
        yield Fault(m.id, "its text, provenance or metadata was changed")
    elif content_digest is not None and chain.fingerprint(key, user, m.text) != mark:
        yield Fault(m.id, "the fingerprint of its text was changed")
    changed = chain.version_digest(key, m, content_digest or b"") != digest
    session = m.origin.session if m.scope == Scope.SESSION else None
    if changed or owner != user or (content_digest is not None and only_session != session):
        yield Fault(m.id, f"version {m.version} was changed")
    if vector_bytes is not None and vector_bytes != 2 * (dimension or 0):
        yield Fault(m.id, f"its vector has {vector_bytes} bytes, the model gives {2 * (dimension or 0)}")
    if word_bytes is not None and word_bytes % WORD_BYTES:
        yield Fault(m.id, f"its words have {word_bytes} bytes, which is no multiple of {WORD_BYTES}")


def continued(previous: Memory | None, memory: Memory | None) -> Iterator[Fault]:
    """Whether each version of a memory follows the one before it, and the last one is not ended."""
    if previous is not None and memory is not None and memory.id == previous.id:
        if memory.version != previous.version + 1:
            yield Fault(memory.id, f"version {previous.version + 1} is missing")
        if previous.retired_at != memory.recorded_at:
            yield Fault(
                memory.id, f"version {previous.version} does not end where version {memory.version} begins"
            )
        return
    if previous is not None and previous.retired_at is not None:
        yield Fault(previous.id, "its newest version is missing")
    if memory is not None and memory.version > 1 and memory.state != State.PURGED:
        yield Fault(memory.id, "version 1 is missing")


def with_text(columns: Row) -> Row:
    """An erased memory has versions, but no row of content to read the rest from."""
    if columns[1] is not None:
        return columns
    return (columns[0], "", *columns[2:26], "", "", *columns[28:])


def chain_faults(
    entries: Iterable[tuple[int, WitnessEntry | None]],
    covered: Callable[[WitnessEntry], bytes],
    first: int,
    head: Row,
    uncovered: Callable[[str, int], bool],
) -> Iterator[Fault]:
    """Walks the chain: each sequence with its entry, None where that cannot be read.

    `covered` digests the rows that an entry covers as they are now, `first` is the number that rows are counted
    from, `head` has the sequence, hash, last version and last edge that the user's ledger tells, and
    `uncovered` says whether there is a row of a kind after a number.
    """
    expected, version, edge = 1, first, first
    previous: bytes | None = chain.GENESIS
    for sequence, entry in entries:
        name = f"witness {sequence}"
        if sequence != expected:
            yield Fault(f"witness {expected}", f"it is missing: the next entry is {sequence}")
            previous = None
        expected = sequence + 1
        if entry is None:
            yield Fault(name, "it was changed: it cannot be read")
            previous = None
            continue
        if previous is not None and (entry.versions[0], entry.edges[0]) != (version + 1, edge + 1):
            yield Fault(name, "it does not continue where the entry before it ended")
        if covered(entry) != entry.digest:
            yield Fault(
                name,
                f"a row that it covers was removed or changed (versions {entry.versions}, edges {entry.edges})",
            )
        if previous is not None and entry.hash != _linked(previous, entry):
            yield Fault(name, "it was changed, or does not follow the entry before it")
        version, edge, previous = entry.versions[1], entry.edges[1], entry.hash
    if head != (expected - 1, previous, version, edge):
        yield Fault(
            f"witness {expected}", f"the chain ends at {expected - 1}, but {head[0]} entries were written"
        )
    for kind, last in (("version", version), ("edge", edge)):
        if uncovered(kind, last):
            yield Fault(f"{kind} row {last + 1}", "the chain does not cover it, nor what follows")


def told_faults(
    entries: Iterable[WitnessEntry], settings: Mapping[str, Any], buried: Collection[int]
) -> Iterator[Fault]:
    """Of what the chain tells in words, in its entries of TOLD: the settings, and when something was erased.

    `settings` are as they are kept now, and `buried` the moments of the tombstones.
    """
    last: dict[str, Any] = {}
    erasures: list[int] = []
    for entry in entries:
        if entry.operation == "config":
            last |= entry.detail
        elif entry.versions[0] <= entry.versions[1]:
            erasures.append(microseconds(entry.at))
    for name in sorted(last.keys() | settings.keys()):
        if settings.get(name) != last.get(name):
            yield Fault(f"setting {name}", "it is not what it was set to last")
    # What is erased later may have been the same text: that one has its tombstone already.
    if erasures and erasures[0] not in buried:
        yield Fault(
            "tombstones", "those of the first purge are missing: what it erased could be written again"
        )
    if not set(buried) <= set(erasures):
        yield Fault("tombstones", "there are some of no purge: what nobody erased could not be written")


def _linked(previous: bytes, entry: WitnessEntry) -> bytes:
    covers = (*entry.versions, *entry.edges)
    return chain.link(
        previous, entry.sequence, microseconds(entry.at), entry.operation, entry.detail, covers, entry.digest
    )
