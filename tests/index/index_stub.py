"""A store of Python lists with the part that the index follows, and a search that looks at everything."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np

from recollect.index import IndexParams, Partition
from recollect.model import Filter, Lane, State
from recollect.ports import Document, Visibility

DIMENSION = 128
MODEL = "hash-128"
START = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = 7 << 40


@dataclass
class Shown:
    """The current version of one memory."""

    content: int
    lane: Lane = Lane.MEMORY
    state: State = State.ACTIVE
    channel: str = "_global"
    only_session: str | None = None
    valid_until: datetime | None = None
    tags: tuple[str, ...] = ()


@dataclass
class StubStore:
    """Obviously right; it is also handy to write to."""

    identity: str = "stub"
    texts: dict[int, Document] = field(default_factory=dict)
    rows: list[Visibility] = field(default_factory=list)
    memories: list[Shown] = field(default_factory=list)
    last_content: int = FIRST
    last_version: int = 0

    def remember(self, terms=(), vector=None, **shown) -> int:
        """A new memory; its number."""
        self.memories.append(Shown(self._text(terms, vector), **shown))
        self._version(len(self.memories) - 1, None)
        return len(self.memories) - 1

    def edit(self, memory: int, terms=(), vector=None) -> int:
        past = self.memories[memory].content
        self.memories[memory].content = self._text(terms, vector)
        self._version(memory, past)
        return self.memories[memory].content

    def change(self, memory: int, **shown) -> None:
        self.memories[memory] = replace(self.memories[memory], **shown)
        self._version(memory, None)

    def purge(self, memory: int) -> list[int]:
        """The numbers of the erased texts."""
        last = self.memories[memory].content
        mine = {last}
        for row in reversed(self.rows):
            if row.content in mine and row.past_content is not None:
                mine.add(row.past_content)
        self.rows = [row for row in self.rows if row.content not in mine]
        for content in mine:
            del self.texts[content]
        self.memories[memory] = Shown(0, state=State.PURGED)
        self._version(memory, last)
        return sorted(mine)

    def documents(self, user, after, limit):
        return [self.texts[n] for n in sorted(self.texts) if n > after][:limit]

    def visibility(self, user, after, limit):
        return [row for row in self.rows if row.version > after][:limit]

    def high_water(self, user):
        return self.last_content, self.last_version

    def vectors(self, user, contents):
        found = [n for n in contents.tolist() if n in self.texts and self.texts[n].vector is not None]
        data = b"".join(self.texts[n].vector for n in found)
        return np.array(found, np.int64), np.frombuffer(data, np.float16).reshape(
            len(found), -1 if found else 0
        )

    def matching(self, user, where):
        return np.array(sorted(m.content for m in self.memories if _matches(where, m)), np.int64)

    def _text(self, terms, vector) -> int:
        # Gaps, as other users' writes and purges leave them.
        self.last_content += 1 + self.last_content % 3
        data = None if vector is None else np.asarray(vector, np.float16).tobytes()
        self.texts[self.last_content] = Document(
            self.last_content, np.array(terms, np.uint32).tobytes(), data
        )
        return self.last_content

    def _version(self, memory: int, past: int | None) -> None:
        m = self.memories[memory]
        self.last_version += 1
        row = Visibility(
            self.last_version,
            m.content,
            past,
            m.lane,
            m.state,
            m.channel,
            m.only_session,
            START,
            m.valid_until,
        )
        self.rows.append(row)


def _matches(where: Filter, m: Shown) -> bool:
    return (
        m.state in where.states
        and m.content > 0
        and (where.lanes is None or m.lane in where.lanes)
        and (where.channels is None or m.channel in where.channels)
        and (where.any_session or m.only_session in (None, where.visible_session))
        and (where.unexpired_at is None or m.valid_until is None or m.valid_until > where.unexpired_at)
        and set(where.tags) <= set(m.tags)
    )


def brute_force(
    store: StubStore, vector, terms, where: Filter, limit: int, params: IndexParams
) -> dict[int, tuple]:
    """What a search must answer: content -> (similarity or None, text), by looking at every document."""
    eligible = set(store.matching("", where).tolist())
    words = {n: Counter(np.frombuffer(d.terms, np.uint32).tolist()) for n, d in store.texts.items()}
    mean_length = max(sum(c.total() for c in words.values()) / max(len(words), 1), 1.0)
    text = dict.fromkeys(words, 0.0)
    for term in set(map(int, terms)):
        having = [n for n, c in words.items() if c[term]]
        if len(words) >= params.common_from and 2 * len(having) > len(words):
            continue
        for n in having:
            tf, length = words[n][term], words[n].total()
            saturation = params.bm25.k1 * (1 - params.bm25.b + params.bm25.b * length / mean_length)
            idf = math.log(1 + (len(words) - len(having) + 0.5) / (len(having) + 0.5))
            text[n] += idf * tf / (tf + saturation)
    text = {n: float(np.float32(score)) for n, score in text.items()}
    near = {}
    if vector is not None:
        query = vector / np.linalg.norm(vector)
        for n, document in store.texts.items():
            if document.vector is not None:
                near[n] = min(
                    float(np.frombuffer(document.vector, np.float16).astype(np.float64) @ query), 1.0
                )
    best = sorted((n for n in text if n in eligible and text[n] > 0), key=lambda n: (-text[n], -n))[:limit]
    best += sorted((n for n in near if n in eligible), key=lambda n: (-round(near[n], 6), -n))[:limit]
    return {n: (near.get(n), text[n]) for n in best}


def assert_agrees(partition: Partition, store: StubStore, vector, terms, where: Filter, limit: int) -> None:
    """The partition's answer is the brute one: the same rows with the same numbers, newest first."""
    found = partition.search(vector, np.array(terms, np.uint32), where, limit)
    wanted = brute_force(store, vector, terms, where, limit, partition.params)
    assert found.contents.tolist() == sorted(wanted, reverse=True)
    for content, similarity, text in zip(found.contents.tolist(), found.similarity, found.text, strict=True):
        near, score = wanted[content]
        assert np.isnan(similarity) if near is None else abs(similarity - near) < 1e-5
        assert abs(text - score) < 1e-4


def unit_vector(seed: int, dimension: int = DIMENSION) -> np.ndarray:
    """Made by a hash of the seed, far from every other; exactly what float16 keeps of it."""
    raw = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32) + np.float32(0.3)
    return (raw / np.linalg.norm(raw)).astype(np.float16).astype(np.float32)


def fill(store: StubStore, count: int, seed: int = 0) -> None:
    """Memories with vectors and a few words of a small vocabulary each."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        words = random.integers(1, 40, random.integers(0, 12))
        channel = ("_global", "work")[random.integers(2)]
        store.remember(words, unit_vector(int(random.integers(1 << 40))), channel=channel)


SMALL = IndexParams(exact_up_to=0, seal_at=8, merge_factor=3, merge_limit=100, bulk=16, save_at=5)
"""Thresholds that a handful of documents crosses."""
