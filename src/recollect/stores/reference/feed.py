"""What the derived index and the ranker read."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.model import EPOCH, Counters, Filter, Memory, Origin, State, microseconds
from recollect.ports import (
    NO_END,
    WORD_BYTES,
    Accesses,
    Columns,
    ContentEdge,
    Document,
    Stated,
    Survey,
    Visibility,
)
from recollect.stores.feeding import MOST_REPLACED
from recollect.stores.reference.reading import Reading
from recollect.stores.reference.shelf import only_session
from recollect.stores.surveys import felt, named, surveyed


class Feed(Reading):
    """Store's part that is read by everything derived."""

    def documents(self, user: str, after: int, limit: int) -> list[Document]:
        texts = self._shelf(user).texts
        found = [(number, texts[number]) for number in sorted(texts) if number > after]
        return [
            Document(
                number,
                text.new.terms,
                text.new.vector,
                None if text.origin.role is None else text.origin.session,
                _is_own(text.origin),
            )
            for number, text in found[:limit]
        ]

    def visibility(self, user: str, after: int, limit: int) -> list[Visibility]:
        shelf = self._shelf(user)
        shown: list[Visibility] = []
        for number, m in enumerate(shelf.versions, shelf.first + 1):
            if number <= after or m.content == 0:
                continue
            earlier = [
                v.content
                for v in shelf.versions[: number - shelf.first - 1]
                if v.id == m.id and v.content > 0
            ]
            past = earlier[-1] if earlier and earlier[-1] != m.content else None
            shown.append(
                Visibility(
                    number,
                    max(m.content, 0),
                    -m.content if m.content < 0 else past,
                    m.lane,
                    m.state,
                    m.channel,
                    only_session(m),
                    m.valid_from,
                    m.valid_until,
                    m.confidence,
                    m.importance,
                )
            )
        return shown[:limit]

    def high_water(self, user: str) -> tuple[int, int]:
        shelf = self._shelf(user)
        return shelf.first + shelf.last_content, shelf.first + len(shelf.versions)

    def vectors(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        texts = self._shelf(user).texts
        found = [n for n in sorted(set(contents.tolist())) if n in texts and texts[n].new.vector is not None]
        data = b"".join(texts[n].new.vector or b"" for n in found)
        vectors = (
            np.frombuffer(data, np.float16).reshape(len(found), -1) if found else np.empty((0, 0), np.float16)
        )
        return np.array(found, np.int64), vectors

    def words(
        self, user: str, contents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        texts = self._shelf(user).texts
        found = {n: texts[n].new.words for n in sorted(set(contents.tolist())) if n in texts}
        having = {n: words for n, words in found.items() if words}
        counts = [len(words) // WORD_BYTES for words in having.values()]
        codes = np.frombuffer(b"".join(having.values()), np.uint8)
        return (
            np.array(list(having), np.int64),
            np.cumsum(counts, dtype=np.int64),
            codes.reshape(-1, WORD_BYTES),
        )

    def matching(self, user: str, where: Filter) -> NDArray[np.int64]:
        return np.array(sorted({m.content for m in self.find(user, where)}), np.int64)

    def columns(self, user: str, contents: NDArray[np.int64], where: Filter) -> Columns:
        found = self._confirmed(user, contents, where)
        return Columns(
            np.array([m.content for m in found], np.int64),
            np.array([m.confidence for m in found], np.float64),
            np.array([m.importance for m in found], np.float64),
            np.array([microseconds(m.valid_from) for m in found], np.int64),
        )

    def accesses(self, user: str, contents: NDArray[np.int64], where: Filter) -> Accesses:
        found = self._confirmed(user, contents, where)
        known = self._shelf(user).counters
        counters = [known.get(m.id, Counters()) for m in found]
        return Accesses(
            np.array([m.content for m in found], np.int64),
            np.array([c.access_count for c in counters], np.int64),
            np.array(
                [
                    microseconds(c.last_accessed_at or m.recorded_at)
                    for c, m in zip(counters, found, strict=True)
                ],
                np.int64,
            ),
        )

    def _confirmed(self, user: str, contents: NDArray[np.int64], where: Filter) -> list[Memory]:
        return sorted(self.shown(user, contents.tolist(), where), key=lambda m: m.content)

    def survey(self, user: str, where: Filter, *, min_utility: float | None = None) -> Survey:
        shelf = self._shelf(user)
        found = []
        for m in sorted(self.find(user, where), key=lambda m: (m.id, m.version)):
            began, known = (
                microseconds(shelf.history(m.id)[0].recorded_at),
                shelf.counters.get(m.id, Counters()),
            )
            if min_utility is not None and (m.id not in shelf.counters or known.utility < min_utility):
                continue
            accessed = began if known.last_accessed_at is None else microseconds(known.last_accessed_at)
            found.append(
                (
                    *(m.id, m.content, m.kind, m.channel, only_session(m)),
                    *(m.pinned, m.immutable, m.superseded_by is not None),
                    *(felt(m.metadata.get("emotion")), named(m.metadata.get("entities"))),
                    *(m.confidence, m.importance, began),
                    NO_END if m.valid_until is None else microseconds(m.valid_until),
                    *(known.access_count, accessed),
                    *(known.stability, known.strength, known.utility, known.tier),
                )
            )
        return surveyed(found)

    def shown(self, user: str, contents: Sequence[int], where: Filter) -> list[Memory]:
        chosen = set(contents)
        return [m for m in self.find(user, where) if m.content in chosen]

    def stated(self, user: str, contents: NDArray[np.int64], as_of: datetime | None = None) -> list[Stated]:
        shelf, found = self._shelf(user), []
        turns = {n: shelf.texts[n].memory_id for n in sorted(set(contents.tolist())) if n in shelf.texts}
        for turn, turn_id in turns.items():
            ids = [e.source for e in shelf.edges.values() if (e.target, e.type) == (turn_id, "derived_from")]
            believed = [m for one in ids if (m := self.get(user, one, as_of)) is not None]
            if not any(m.superseded_by for m in believed):
                continue
            formed = [m for m in believed if m.content > 0 and m.origin.write_source == "observer"]
            for one in sorted(formed, key=lambda m: m.content):
                newer = self._in_place_of(user, one, as_of)
                found.append(
                    Stated(turn, one.content)
                    if newer is None
                    else Stated(turn, one.content, newer.content, newer.id)
                )
        return found

    def _in_place_of(self, user: str, memory: Memory, as_of: datetime | None) -> Memory | None:
        """What stands at the end of what replaced it; None where nothing did, or that is not there any more."""
        now: Memory | None = memory
        for _ in range(MOST_REPLACED):
            if now is None or now.superseded_by is None:
                break
            now = self.get(user, now.superseded_by, as_of)
        ended = now is None or now.superseded_by is not None or now.state != State.ACTIVE
        return None if ended or now is memory else now

    def edges_between(
        self, user: str, contents: NDArray[np.int64], others: NDArray[np.int64]
    ) -> list[ContentEdge]:
        shelf = self._shelf(user)
        here, there = (
            {n: shelf.texts[n].memory_id for n in some.tolist() if n in shelf.texts}
            for some in (contents, others)
        )
        found = {
            ContentEdge(source, target, e.type, e.weight, microseconds(e.recorded_at or EPOCH))
            for e in shelf.edges.values()
            for sources, targets in ((here, there), (there, here))
            for source in sources
            for target in targets
            if (sources[source], targets[target]) == (e.source, e.target)
        }
        return sorted(found)


def _is_own(origin: Origin) -> bool:
    """Whether the user said it, or it was kept or formed of what they said."""
    return origin.data_source == "user_message" if origin.role is None else origin.role == "user"
