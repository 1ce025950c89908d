"""The vectors of words come from memory, and are those of the store whatever was written since."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_stub import DIMENSION, MODEL, SMALL, StubStore, unit_vector

from recollect.index import Partition, held_words

steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 4)),
        st.tuples(st.just("purge"), st.integers(0, 30)),
        st.tuples(st.just("words come later"), st.integers(0, 30)),
        st.tuples(st.just("read"), st.sets(st.integers(0, 40), max_size=12)),
    ),
    max_size=40,
)


def agree(partition, store, contents) -> None:
    """The partition's words of some contents are the store's."""
    asked = np.array(sorted(contents), np.int64)
    for ours, theirs in zip(partition.words(asked), store.words("ada", asked), strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()


def opened_over(store, **params) -> Partition:
    return Partition(store, "ada", MODEL, DIMENSION, None, replace(SMALL, **params))


@given(steps, st.sampled_from([0, 3, 100]), st.sampled_from([1, 2, 50]))
@settings(max_examples=150)
def test_words_are_those_of_the_store_whatever_happened(steps, held_up_to, load_step):
    store, alive = StubStore(), []
    partition = opened_over(store, held_up_to=held_up_to, load_step=load_step)
    for what, value in steps:
        if what == "write":
            alive.append(store.remember([1], unit_vector(len(alive))))
            store.speak(alive[-1], value)
        elif what == "read":
            numbers = sorted(store.texts)
            agree(partition, store, {numbers[at % len(numbers)] for at in value} if numbers else ())
        elif alive and what == "purge":
            partition.drop(store.purge(alive.pop(value % len(alive))))
        elif alive and not store.spoken.get(store.memories[alive[value % len(alive)]].content):
            store.speak(alive[value % len(alive)], 2)
    agree(partition, store, store.texts)


@pytest.fixture
def spoken():
    store = StubStore()
    for number in range(30):
        store.speak(store.remember([1], unit_vector(number)), 1 + number % 3)
    return store


def test_what_is_held_is_not_read_again_and_what_comes_is_read_once(spoken, monkeypatch):
    partition, read, every = opened_over(spoken, load_step=20), [], sorted(spoken.texts)
    words = StubStore.words
    monkeypatch.setattr(StubStore, "words", lambda *asked: read.append(asked[2].tolist()) or words(*asked))
    partition.words(np.array(every[:5]))
    partition.words(np.array(every[:5]))
    read.clear()
    found = partition.words(np.array(every[3:9]))
    assert found[0].tolist() == every[3:9]
    assert read == []
    spoken.speak(spoken.remember([1], unit_vector(99)), 2)
    assert partition.words(np.array([every[0], *sorted(spoken.texts)[-1:]]))[1].tolist() == [1, 3]
    assert read == [sorted(spoken.texts)[-1:]]


@pytest.mark.parametrize("limit", ["documents", "bytes"])
def test_of_too_many_none_are_held(spoken, monkeypatch, limit):
    params = {"held_up_to": 29} if limit == "documents" else {"load_step": 10}
    if limit == "bytes":
        monkeypatch.setattr(held_words, "MOST_BYTES", 64)
    partition = opened_over(spoken, **params)
    for _ in range(5):
        agree(partition, spoken, spoken.texts)
    read = []
    words = StubStore.words
    monkeypatch.setattr(StubStore, "words", lambda *asked: read.append(1) or words(*asked))
    agree(partition, spoken, list(spoken.texts)[:3])
    assert len(read) == 2, "once by the partition, once by this test"
