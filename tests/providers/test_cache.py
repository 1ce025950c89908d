import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from recollect import Recollect
from recollect.assembly import cached as cached_as
from recollect.errors import InvalidInput
from recollect.ports import WordEmbedder
from recollect.providers.cache import CachedEmbedder, CachedWordEmbedder
from recollect.settings import EmbedderSettings
from recollect.testing import FakeClock, HashEmbedder


class Recorder(HashEmbedder):
    def __init__(self):
        super().__init__()
        self.asked = []

    def embed(self, texts, progress=None):
        self.asked.append(list(texts))
        return super().embed(texts, progress)


class Plain:
    """An embedder that knows nothing of words."""

    name, dimension = "plain", 384

    def embed(self, texts, progress=None):
        return HashEmbedder().embed(texts, progress)


class Ticks:
    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def source():
    return Recorder()


@pytest.fixture
def ticks():
    return Ticks()


@pytest.fixture
def cached(source, ticks):
    return CachedEmbedder(source, capacity=3, ttl_seconds=60, clock=ticks)


def test_it_gives_what_the_embedder_gives(cached, source):
    texts = ["a cat", "a dog", "a cat", "\ud800", ""]
    expected = HashEmbedder().embed(texts)
    np.testing.assert_array_equal(cached.embed(texts), expected)
    np.testing.assert_array_equal(cached.embed(texts[::-1]), expected[::-1])
    assert (cached.name, cached.dimension) == (source.name, source.dimension)


def test_only_misses_are_passed_on(cached, source):
    cached.embed(["a", "b"])
    cached.embed(["b", "c", "a"])
    assert source.asked == [["a", "b"], ["c"]]
    assert (cached.hits, cached.misses) == (2, 3)


def test_a_text_twice_in_one_call_is_embedded_once(cached, source):
    first, second = cached.embed(["a", "a"])
    np.testing.assert_array_equal(first, second)
    assert source.asked == [["a"]]
    assert (cached.hits, cached.misses) == (1, 1)


def test_the_least_recently_used_goes_first(cached, source):
    cached.embed(["a", "b", "c"])
    cached.embed(["a"])
    cached.embed(["d"])
    source.asked.clear()
    cached.embed(["a", "c", "d"])
    assert source.asked == []
    cached.embed(["b"])
    assert source.asked == [["b"]]
    assert len(cached) == 3


def test_one_call_may_ask_for_more_than_the_capacity(cached):
    assert cached.embed(list("abcdefgh")).shape == (8, 384)
    assert len(cached) == 3


def test_an_entry_expires_after_its_time_however_often_it_is_used(cached, source, ticks):
    cached.embed(["a"])
    ticks.seconds = 59.9
    cached.embed(["a"])
    assert len(source.asked) == 1
    ticks.seconds = 60.0
    cached.embed(["a"])
    assert len(source.asked) == 2


def test_a_forgotten_text_is_embedded_again_and_the_others_are_not(cached, source):
    cached.embed(["a", "b"])
    cached.forget("a")
    cached.forget("never seen")
    source.asked.clear()
    cached.embed(["a", "b"])
    assert source.asked == [["a"]]


def test_clearing_forgets_everything(cached):
    cached.embed(["a", "b"])
    cached.clear()
    assert len(cached) == 0


@pytest.mark.parametrize("forget", [lambda cached: cached.forget("a"), lambda cached: cached.clear()])
def test_what_is_forgotten_while_it_is_embedded_does_not_come_back(cached, source, monkeypatch, forget):
    started, go_on = threading.Event(), threading.Event()
    embed = source.embed

    def slowly(texts, progress=None):
        started.set()
        assert go_on.wait(10)
        return embed(texts, progress)

    monkeypatch.setattr(source, "embed", slowly)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(cached.embed, ["a"])
        assert started.wait(10)
        forget(cached)
        go_on.set()
        assert answer.result().shape == (1, 384)
    assert len(cached) == 0


class Quick(Recorder):
    """An embedder with a quicker form of itself for questions."""

    def __init__(self):
        super().__init__()
        self.for_questions = Recorder()
        self.for_questions.name = f"{self.name}~"


class TestQuestions:
    def test_they_go_to_the_quicker_form_and_what_is_stored_does_not(self):
        source = Quick()
        cached = CachedEmbedder(source)
        cached.for_questions.embed(["a"])
        cached.for_questions.embed(["a"])
        cached.embed(["b"])
        assert (source.for_questions.asked, source.asked) == ([["a"]], [["b"]])
        assert cached.counts == (1, 2)

    def test_an_embedder_without_one_embeds_them_itself(self, cached):
        assert cached.for_questions is cached
        cached.embed(["a"])
        assert cached.counts == (0, 1)

    def test_forgetting_and_clearing_reach_them(self):
        cached = CachedEmbedder(Quick())
        cached.for_questions.embed(["a", "b"])
        cached.forget("a")
        assert len(cached.for_questions) == 1
        cached.clear()
        assert len(cached.for_questions) == 0

    @pytest.mark.parametrize(("quick", "asked"), [(True, ["what is it"]), (False, [])])
    def test_the_setting_decides_which_embeds_what_is_recalled(self, tmp_path, quick, asked):
        source = Quick()
        source.for_questions.encode = lambda texts, progress=None: (
            source.for_questions.embed(texts),
            source.encode(texts)[1],
        )
        settings = {"embedder.quick_questions": quick}
        with Recollect(tmp_path / "agent.db", embedder=source, settings=settings) as memory:
            memory.remember("it is a cat")
            assert [hit.text for hit in memory.recall("what is it")] == ["it is a cat"]
        assert [text for texts in source.for_questions.asked for text in texts] == asked
        assert ["it is a cat"] in source.asked


def test_another_model_behind_it_does_not_get_the_old_vectors(cached, source):
    cached.embed(["a"])
    source.name = "other"
    cached.embed(["a"])
    assert len(source.asked) == 2


def test_changing_what_was_returned_does_not_change_the_cache(cached):
    before = cached.embed(["a"])
    kept = before.copy()
    before[:] = 0
    again = cached.embed(["a"])
    np.testing.assert_array_equal(again, kept)
    again[:] = 0
    np.testing.assert_array_equal(cached.embed(["a"]), kept)


def test_a_row_does_not_keep_its_batch_in_memory(cached):
    cached.embed(["a", "b"])
    assert all(vector.base is None for _, (vector, _) in cached._entries.values())


def test_no_texts_give_no_rows(cached, source):
    assert cached.embed([]).shape == (0, 384)
    assert source.asked == []


@pytest.mark.parametrize("texts", [["a", "b"], ["a", "known", "a"], ["known"]])
def test_progress_ends_at_the_total(cached, texts):
    cached.embed(["known"])
    heard = []
    cached.embed(texts, lambda done, total: heard.append((done, total)))
    assert heard[-1] == (len(texts), len(texts))


def test_many_threads_get_right_rows_and_right_counts(source):
    cached = CachedEmbedder(source, capacity=20)
    texts = [f"text {number}" for number in range(40)]
    expected = HashEmbedder().embed(texts)

    def ask(seed):
        rows = np.random.default_rng(seed).integers(0, 40, 10)
        np.testing.assert_array_equal(cached.embed([texts[row] for row in rows]), expected[rows])
        if seed % 7 == 0:
            cached.forget(texts[rows[0]])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(200)))
    assert cached.hits + cached.misses == 2000
    assert len(cached) <= 20


@pytest.mark.parametrize("options", [{"capacity": 0}, {"ttl_seconds": 0}])
def test_a_cache_that_could_hold_nothing_is_refused(source, options):
    with pytest.raises(InvalidInput, match="above 0"):
        CachedEmbedder(source, **options)


class TestWords:
    """Before an embedder that gives the vectors of words, they are kept with the text's."""

    @pytest.fixture
    def cached(self, source, ticks):
        return CachedWordEmbedder(source, capacity=3, ttl_seconds=60, clock=ticks)

    def same(self, found, expected):
        assert len(found) == len(expected)
        for left, right in zip(found, expected, strict=True):
            np.testing.assert_array_equal(left.terms, right.terms)
            np.testing.assert_array_equal(left.codes, right.codes)

    def test_it_gives_what_the_embedder_gives(self, cached):
        texts = ["a cat sleeps", "the of", "a cat sleeps", "", "dogs bark"]
        vectors, words = HashEmbedder().encode(texts)
        for order in (1, -1):
            found, own = cached.encode(texts[::order])
            np.testing.assert_array_equal(found, vectors[::order])
            self.same(own, words[::order])

    @pytest.mark.parametrize("first", ["embed", "encode"])
    def test_a_text_that_one_way_made_is_known_to_the_other(self, cached, source, first):
        getattr(cached, first)(["a cat", "a dog"])
        vectors, words = cached.encode(["a dog", "a cat"])
        np.testing.assert_array_equal(vectors, cached.embed(["a dog", "a cat"]))
        self.same(words, HashEmbedder().encode(["a dog", "a cat"])[1])
        assert source.asked == [["a cat", "a dog"]]
        assert (cached.hits, cached.misses) == (4, 2)

    def test_forgetting_and_clearing_drop_the_words_too(self, cached, source):
        cached.encode(["a cat", "a dog"])
        cached.forget("a cat")
        source.asked.clear()
        cached.encode(["a cat", "a dog"])
        assert source.asked == [["a cat"]]
        cached.clear()
        assert len(cached) == 0
        cached.encode(["a dog"])
        assert source.asked == [["a cat"], ["a dog"]]

    def test_words_that_are_forgotten_while_they_are_made_do_not_come_back(self, cached, source, monkeypatch):
        encode = source.encode

        def forgetting(texts, progress=None):
            cached.forget("a cat")
            return encode(texts, progress)

        monkeypatch.setattr(source, "encode", forgetting)
        assert len(cached.encode(["a cat"])[1]) == 1
        assert len(cached) == 0

    def test_entries_expire_with_their_words(self, cached, source, ticks):
        cached.encode(["a cat"])
        ticks.seconds = 60.0
        cached.encode(["a cat"])
        assert source.asked == [["a cat"], ["a cat"]]

    def test_no_texts_have_no_words(self, cached, source):
        vectors, words = cached.encode([])
        assert vectors.shape == (0, 384)
        assert words == []
        assert source.asked == []

    def test_changing_what_was_returned_does_not_change_the_cache(self, cached):
        _, (words,) = cached.encode(["a cat"])
        kept = words.codes.copy()
        with pytest.raises(ValueError, match="read-only"):
            words.codes[:] = 0
        with pytest.raises(ValueError, match="read-only"):
            words.terms[:] = 0
        np.testing.assert_array_equal(cached.encode(["a cat"])[1][0].codes, kept)


def test_a_plain_embedder_does_not_give_words_behind_the_cache():
    made = cached_as(Plain(), EmbedderSettings())
    assert not isinstance(made, WordEmbedder)
    assert made.embed(["a cat"]).shape == (1, 384)


@pytest.mark.parametrize(("words", "gives"), [(True, True), (False, False)])
def test_the_setting_decides_whether_words_are_given(words, gives):
    assert isinstance(HashEmbedder(), WordEmbedder)
    assert isinstance(cached_as(HashEmbedder(), EmbedderSettings(words=words)), WordEmbedder) is gives


@pytest.mark.parametrize("path", [":memory:", "agent.db"])
def test_a_store_keeps_no_words_where_they_are_switched_off(tmp_path, path):
    place = path if path == ":memory:" else tmp_path / path
    for words in ("off", "on"):
        with Recollect(
            place, user=words, embedder=HashEmbedder(), clock=FakeClock(), settings={"embedder.words": words}
        ) as memory:
            memory.remember("Deploys go through staging")
            memory.observe([{"role": "user", "content": "Please deploy tonight"}], session="s")
            contents = np.array([d.content for d in memory.store.documents(words, 0, 9)])
            numbers, ends, codes = memory.store.words(words, contents)
            assert len(contents) == 2
            assert len(numbers) == len(ends) == (2 if words == "on" else 0)
            assert bool(len(codes)) is (words == "on")
