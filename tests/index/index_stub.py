"""A store of Python lists with the part that the index follows, and a search that looks at everything."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache

import numpy as np

from recollect.candidates import Asked
from recollect.index import IndexParams, Partition
from recollect.index.context import SPAN
from recollect.index.search import DECAY, MIXED, REACH, WIDENED
from recollect.model import Filter, Lane, State
from recollect.ports import WORD_BYTES, Document, Visibility

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
    valid_from: datetime = START
    confidence: float = 1.0
    importance: float = 0.5
    tags: tuple[str, ...] = ()


@dataclass
class StubStore:
    """Obviously right; it is also handy to write to."""

    identity: str = "stub"
    texts: dict[int, Document] = field(default_factory=dict)
    spoken: dict[int, bytes] = field(default_factory=dict)
    """By content, the vectors of its words, where it has some."""
    rows: list[Visibility] = field(default_factory=list)
    memories: list[Shown] = field(default_factory=list)
    last_content: int = FIRST
    last_version: int = 0

    def remember(self, terms=(), vector=None, *, session=None, own=False, **shown) -> int:
        """A new memory, or a turn of a session; its number."""
        self.memories.append(Shown(self._text(terms, vector, session, own), **shown))
        self._version(len(self.memories) - 1, None)
        return len(self.memories) - 1

    def edit(self, memory: int, terms=(), vector=None) -> int:
        past = self.memories[memory].content
        said = self.texts[past]
        self.memories[memory].content = self._text(terms, vector, said.session, said.is_own)
        self._version(memory, past)
        return self.memories[memory].content

    def embed(self, memory: int, vector) -> None:
        """A vector that comes after its text."""
        content = self.memories[memory].content
        self.texts[content] = replace(self.texts[content], vector=np.asarray(vector, np.float16).tobytes())

    def speak(self, memory: int, words: int) -> None:
        """So many vectors of words, unlike those of any other text."""
        content = self.memories[memory].content
        codes = np.random.default_rng(content).integers(256, size=(words, WORD_BYTES), dtype=np.uint8)
        self.spoken[content] = codes.tobytes()

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
            self.spoken.pop(content, None)
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

    def words(self, user, contents):
        found = [n for n in contents.tolist() if self.spoken.get(n)]
        counts = [len(self.spoken[n]) // WORD_BYTES for n in found]
        codes = np.frombuffer(b"".join(self.spoken[n] for n in found), np.uint8).reshape(-1, WORD_BYTES)
        return np.array(found, np.int64), np.cumsum(counts, dtype=np.int64), codes

    def matching(self, user, where):
        return np.array(sorted(m.content for m in self.memories if _matches(where, m)), np.int64)

    def _text(self, terms, vector, session, own) -> int:
        # Gaps, as other users' writes and purges leave them.
        self.last_content += 1 + self.last_content % 3
        data = None if vector is None else np.asarray(vector, np.float16).tobytes()
        self.texts[self.last_content] = Document(
            self.last_content, np.array(terms, np.uint32).tobytes(), data, session, own
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
            m.valid_from,
            m.valid_until,
            m.confidence,
            m.importance,
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


@dataclass(frozen=True)
class Wanted:
    """What a search must say of one candidate."""

    similarity: float | None
    text: float
    text_nearby: float
    session_text: float
    own: bool
    around: list[int]


def neighbours(store: StubStore, content: int, eligible: set[int], reach: int) -> list[int]:
    """The eligible turns of its session before it and after it, itself in the middle, -1 where there is none."""
    order = sorted(store.texts)
    at, session = order.index(content), store.texts[content].session
    sides = []
    for side in (order[max(at - SPAN, 0) : at][::-1], order[at + 1 : at + 1 + SPAN]):
        turns = [
            n for n in side if n in eligible and session is not None and store.texts[n].session == session
        ]
        sides.append([*turns, *[-1] * reach][:reach])
    return [*sides[0][::-1], content, *sides[1]]


@cache
def counted(terms: bytes) -> Counter:
    """How often each word is in a text."""
    return Counter(np.frombuffer(terms, np.uint32).tolist())


def idf_of(store: StubStore, term: int) -> float:
    having = sum(term in counted(text.terms) for text in store.texts.values())
    return math.log(1 + (len(store.texts) - having + 0.5) / (having + 0.5))


def visible(store: StubStore, where: Filter) -> set[int]:
    """Which texts may be the context of an answer: all that may be seen now, whatever else is asked for."""
    if where.states == (State.ACTIVE,):
        where = replace(where, tags=())
    return set(store.matching("", where).tolist())


def brute_force(
    store: StubStore, asked: Asked, where: Filter, limit: int, params: IndexParams
) -> dict[int, Wanted]:
    """What a search must answer, by looking at every document."""
    eligible, context = set(store.matching("", where).tolist()), visible(store, where)
    words = {n: counted(d.terms) for n, d in store.texts.items()}
    mean_length = max(sum(c.total() for c in words.values()) / max(len(words), 1), 1.0)
    by_term, of_session = [], Counter()
    for term in sorted(set(asked.terms.tolist())):
        having = [n for n, c in words.items() if c[term]]
        if len(words) >= params.common_from and 2 * len(having) > len(words):
            continue
        idf = math.log(1 + (len(words) - len(having) + 0.5) / (len(having) + 0.5))
        by_term.append({n: idf * _part_of(words[n], term, mean_length, params) for n in having})
        times = Counter()
        for n in having:
            if n in context and store.texts[n].session is not None:
                times[store.texts[n].session] += words[n][term]
        for session, often in times.items():
            of_session[session] += idf * often / (often + params.bm25.k1)
    text = {n: float(np.float32(sum(weights.get(n, 0.0) for weights in by_term))) for n in words}
    near = {}
    if asked.vector is not None:
        query = asked.vector / np.linalg.norm(asked.vector)
        for n, document in store.texts.items():
            if document.vector is not None:
                near[n] = min(
                    float(np.frombuffer(document.vector, np.float16).astype(np.float64) @ query), 1.0
                )
    by_text = sorted((n for n in text if n in eligible and text[n] > 0), key=lambda n: (-text[n], -n))
    by_vector = sorted((n for n in near if n in eligible), key=lambda n: (-round(near[n], 6), -n))
    said = {m.content for m in store.memories if m.lane is Lane.LOG}
    best = _of_each_lane(by_text, eligible, said, limit) + _of_each_lane(by_vector, eligible, said, limit)
    best += [n for n in asked.also.tolist() if n in eligible]
    beside = {turn for n in best for turn in neighbours(store, n, eligible, WIDENED)}
    wanted = {}
    for n in beside - {-1}:
        around = neighbours(store, n, context, REACH)
        nearby = sum(
            max(DECAY ** abs(place - REACH) * weights.get(turn, 0.0) for place, turn in enumerate(around))
            for weights in by_term
        )
        session = of_session[store.texts[n].session]
        wanted[n] = Wanted(near.get(n), text[n], nearby, session, store.texts[n].is_own, around)
    return wanted


def _of_each_lane(best: list[int], eligible: set[int], said: set[int], limit: int) -> list[int]:
    """The first of all, or of each lane where both may answer, as far as there are some among the first of all."""
    if eligible <= said or not eligible & said:
        return best[:limit]
    first = best[: MIXED * limit]
    turns, memories = [n for n in first if n in said], [n for n in first if n not in said]
    return turns[:limit] + memories[:limit]


def _part_of(words: Counter, term: int, mean_length: float, params: IndexParams) -> float:
    saturation = params.bm25.k1 * (1 - params.bm25.b + params.bm25.b * words.total() / mean_length)
    return words[term] / (words[term] + saturation)


def asked_for(vector=None, terms=(), words=(), also=(), ahead=None) -> Asked:
    """A question from plain lists."""
    return Asked(
        vector, *(np.array(numbers, np.uint32) for numbers in (terms, words)), np.array(also, np.int64), ahead
    )


def assert_agrees(
    partition: Partition, store: StubStore, vector, terms, where: Filter, limit: int, also=(), ahead=None
) -> None:
    """The partition's answer is the brute one: the same rows with the same numbers, newest first."""
    asked = asked_for(vector, terms, [*terms, 4_000_000_000, *terms], also, ahead)
    found = partition.search(asked, where, limit)
    wanted = brute_force(store, asked, where, limit, partition.params)
    assert found.contents.tolist() == sorted(wanted, reverse=True)
    for place, content in enumerate(found.contents.tolist()):
        one, similarity = wanted[content], found.similarity[place]
        assert np.isnan(similarity) if one.similarity is None else abs(similarity - one.similarity) < 1e-5
        assert abs(found.text[place] - one.text) < 1e-4
        assert abs(found.text_nearby[place] - one.text_nearby) < 1e-4
        assert abs(found.session_text[place] - one.session_text) < 1e-4
        assert found.own[place] == one.own
        # Where nothing was said around any of them, there is no column for it.
        beside = (len(one.around) - found.around.shape[1]) // 2
        assert [-1] * beside + found.around[place].tolist() + [-1] * beside == one.around
    rarity = [idf_of(store, term) for term in asked.words.tolist()]
    np.testing.assert_allclose(found.rarity, rarity, atol=1e-6)
    eligible = store.matching("", where)
    for term, contents in zip(asked.words.tolist(), partition.having(asked.words, where), strict=True):
        assert contents.tolist() == [n for n in eligible.tolist() if term in counted(store.texts[n].terms)]
    names = [asked.words[at : at + 2] for at in range(len(asked.words))]
    for name, contents in zip(names, partition.naming(names, where), strict=True):
        assert contents.tolist() == [
            n for n in eligible.tolist() if set(name.tolist()) <= set(counted(store.texts[n].terms))
        ]


def unit_vector(seed: int, dimension: int = DIMENSION) -> np.ndarray:
    """Made by a hash of the seed, far from every other; exactly what float16 keeps of it."""
    raw = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32) + np.float32(0.3)
    return (raw / np.linalg.norm(raw)).astype(np.float16).astype(np.float32)


def fill(store: StubStore, count: int, seed: int = 0) -> None:
    """Memories, and turns of a few sessions, with vectors and a few words of a small vocabulary each."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        words = random.integers(1, 40, random.integers(0, 12))
        channel = ("_global", "work")[random.integers(2)]
        session = (None, "s1", "s2")[random.integers(3)]
        own = session is not None and bool(random.integers(2))
        vector = unit_vector(int(random.integers(1 << 40)))
        store.remember(words, vector, channel=channel, session=session, own=own)


SMALL = IndexParams(exact_up_to=0, seal_at=8, merge_factor=3, merge_limit=100, bulk=16, save_at=5)
"""Thresholds that a handful of documents crosses."""
