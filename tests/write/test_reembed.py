"""A store's texts get the vectors of another model, and those of their words where the model gives them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.model import Memory, Origin
from recollect.ports import (
    WORD_BYTES,
    Change,
    Changes,
    Embedder,
    NewText,
    Progress,
    Store,
    WordEmbedder,
    Words,
)
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import FakeClock
from recollect.write import reembed as reembedding
from recollect.write.encoding import encoded
from recollect.write.reembed import reembed
from recollect.write.text import EMBEDDED_CHARACTERS
from recollect.write.writer import Place, Writer, draft


class Plain:
    """Each text's vector says how long it is, and how long a model's name."""

    dimension = 4

    def __init__(self, name: str = "plain") -> None:
        self.name = name
        self.read: list[str] = []

    def embed(self, texts: list[str], progress: Progress | None = None) -> NDArray[np.float32]:
        self.read += texts
        if progress is not None:
            progress(len(texts), len(texts))
        return np.array([[len(t), len(self.name), 1, 0] for t in texts], np.float32).reshape(len(texts), 4)


class Worded(Plain):
    """And one word a word, all of its bytes the word's length."""

    def encode(
        self, texts: list[str], progress: Progress | None = None
    ) -> tuple[NDArray[np.float32], list[Words]]:
        return self.embed(texts, progress), [words_of(text) for text in texts]


def words_of(text: str) -> Words:
    lengths = np.array([len(word) for word in text.split() if word.isalnum()], np.uint8)
    return Words(lengths.astype(np.uint32), np.repeat(lengths[:, None], WORD_BYTES, 1))


@pytest.fixture(params=["reference", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = ReferenceStore() if request.param == "reference" else SQLiteStore(tmp_path / "store.db")
    yield made
    made.close()


def remember(store: Store, embedder: Embedder, *texts: str, user: str = "ada") -> None:
    clock, place = FakeClock(), Place(user)
    drafts = [draft(text, place, clock.now()) for text in texts]
    Writer(store, embedder, clock).remember_many(place, drafts, None)


def kept(store: Store, user: str = "ada") -> list[tuple[bytes | None, list[int]]]:
    """Each text's vector and what its words say, in order of writing."""
    documents = store.documents(user, 0, 1000)
    numbers, ends, codes = store.words(user, np.array([d.content for d in documents], np.int64))
    pieces = (
        dict(zip(numbers.tolist(), np.split(codes[:, 0], ends[:-1]), strict=True)) if len(numbers) else {}
    )
    return [(d.vector, pieces[d.content].tolist() if d.content in pieces else []) for d in documents]


def vector(text: str, model: str) -> bytes:
    return np.array([len(text), len(model), 1, 0], np.float16).tobytes()


def test_who_gives_words_is_told_by_what_it_can() -> None:
    assert isinstance(Worded(), WordEmbedder)
    assert not isinstance(Plain(), WordEmbedder)


def test_a_text_is_encoded_once_with_its_words(store: Store) -> None:
    embedder = Worded("worded")
    remember(store, embedder, "one three", "!")
    assert kept(store) == [(vector("one three", "worded"), [3, 5]), (vector("!", "worded"), [])]
    assert embedder.read == ["one three", "!"], "one pass over each text"
    assert store.unembedded("worded", 0, 10, words=True) == [], "a text without a word lacks none"


def test_an_embedder_without_words_stores_none(store: Store) -> None:
    remember(store, Plain(), "one three")
    assert kept(store) == [(vector("one three", "plain"), [])]
    assert store.unembedded_count("plain", words=True) == 1


@pytest.mark.parametrize("embedder", [Plain(), Worded()])
def test_no_more_than_an_embedder_reads_is_given_to_it(embedder: Plain) -> None:
    seen: list[tuple[int, int]] = []
    made = encoded(embedder, ["x " * 50_000, "y"], lambda done, total: seen.append((done, total)))
    assert [len(text) for text in embedder.read] == [EMBEDDED_CHARACTERS, 1]
    assert len(made) == 2
    assert seen == [(2, 2)]
    assert encoded(embedder, []) == []


def test_reembedding_stores_vectors_and_words(store: Store) -> None:
    remember(store, Plain(), "one three", "seventh")
    remember(store, Plain(), "of eve", user="eve")
    seen: list[tuple[int, int]] = []
    assert reembed(store, Worded("worded"), lambda done, total: seen.append((done, total))) == 3
    assert seen == [(3, 3)]
    assert store.model() == ("worded", 4)
    assert kept(store) == [(vector("one three", "worded"), [3, 5]), (vector("seventh", "worded"), [7])]
    assert kept(store, "eve") == [(vector("of eve", "worded"), [2, 3])]


def test_a_speaker_is_a_part_of_what_is_embedded(store: Store) -> None:
    now = FakeClock().now()
    turn = Memory("01", "hello", now, now, origin=Origin(role="user", speaker="Ada"))
    new = NewText(b"", vector("hello", "plain"))
    store.write("ada", Changes("observe", now, (Change(turn, new),), model="plain"))
    embedder = Worded("worded")
    reembed(store, embedder)
    assert len(embedder.read) == 1
    assert "Ada" in embedder.read[0]


def test_reembedding_with_the_same_model_fills_in_the_missing_words_alone(store: Store) -> None:
    remember(store, Plain("same"), "one three", "seventh")
    remember(store, Worded("same"), "four")
    embedder = Worded("same")
    assert reembed(store, embedder) == 2
    assert embedder.read == ["one three", "seventh"]
    assert [words for _, words in kept(store)] == [[3, 5], [7], [4]]
    assert reembed(store, embedder) == 0


def test_a_model_without_words_takes_the_words_away(store: Store) -> None:
    remember(store, Worded("worded"), "one three")
    assert reembed(store, Plain()) == 1
    assert kept(store) == [(vector("one three", "plain"), [])]
    assert reembed(store, Plain()) == 0, "words that it does not give are not missing"


def test_a_killed_run_goes_on_where_it_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reembedding, "BATCH", 2)

    class Stops(Worded):
        def encode(
            self, texts: list[str], progress: Progress | None = None
        ) -> tuple[NDArray[np.float32], list[Words]]:
            if self.read:
                raise KeyboardInterrupt
            return super().encode(texts, progress)

    texts = ["a", "bb", "ccc", "dddd", "eeeee"]
    remember(store, Worded("old"), *texts)
    before = kept(store)
    with pytest.raises(KeyboardInterrupt):
        reembed(store, Stops("worded"))
    assert kept(store) == before, "the old model serves until the new one is complete"
    goes_on = Worded("worded")
    assert reembed(store, goes_on) == 3
    assert goes_on.read == texts[2:]
    assert kept(store) == [(vector(text, "worded"), [len(text)]) for text in texts]


def test_a_run_without_words_that_was_killed_is_redone_with_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors that a version without words left on their way do not stand for words."""
    monkeypatch.setattr(reembedding, "BATCH", 1)
    remember(store, Plain("old"), "a", "bb")
    first = store.unembedded("worded", 0, 1)[0][0]
    store.embed("worded", 4, [(first, vector("a", "worded"), None)])
    assert reembed(store, Worded("worded")) == 2
    assert [words for _, words in kept(store)] == [[1], [2]]
