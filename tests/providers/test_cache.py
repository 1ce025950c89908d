import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from recollect.errors import InvalidInput
from recollect.providers.cache import CachedEmbedder
from recollect.testing import HashEmbedder


class Recorder(HashEmbedder):
    def __init__(self):
        super().__init__()
        self.asked = []

    def embed(self, texts, progress=None):
        self.asked.append(list(texts))
        return super().embed(texts, progress)


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
