"""How every store changes its embedding model without losing a vector."""

from collections.abc import Callable

import numpy as np
import pytest
from store_values import AT, DIMENSION, LATER, MODEL, change, keep, memory, new_text, revise, vector

from recollect.errors import ModelMismatch
from recollect.ports import Change, Changes, Store


def embed_all(store: Store, model: str, dimension: int, *, limit: int = 1000) -> list[int]:
    numbers = [number for number, *_ in store.unembedded(model, 0, limit)]
    store.embed(model, dimension, [(number, vector(number % 1000, dimension), None) for number in numbers])
    return numbers


def vectors(store: Store, user: str = "ada") -> dict[int, bytes]:
    contents = np.array([d.content for d in store.documents(user, 0, 100)], np.int64)
    numbers, found = store.vectors(user, contents)
    return {int(n): row.tobytes() for n, row in zip(numbers, found, strict=True)}


def test_the_first_vectors_name_the_model(store: Store) -> None:
    assert store.model() is None
    store.write("ada", Changes("w", AT, (Change(memory("01"), new_text("x", dimension=None)),), model=MODEL))
    assert store.model() is None
    keep(store, memory("02"))
    assert store.model() == (MODEL, DIMENSION)


def test_unembedded_names_the_texts_without_a_vector_of_a_model(store: Store) -> None:
    bare = memory("01", "bare", speaker="Ada")
    store.write("ada", Changes("w", AT, (Change(bare, new_text("x", dimension=None)),)))
    keep(store, memory("02", "two"), memory("03", "three"))
    keep(store, memory("01", "eve's"), user="eve")
    assert [rest for _, *rest in store.unembedded(MODEL, 0, 10)] == [["bare", "Ada"]]
    every = store.unembedded("other", 0, 10)
    assert [(text, speaker) for _, text, speaker in every] == [
        *(("bare", "Ada"), ("two", None), ("three", None), ("eve's", None)),
    ]
    assert store.unembedded("other", every[1][0], 1) == every[2:3]
    assert (store.unembedded_count(MODEL), store.unembedded_count("other")) == (1, 4)


def test_a_missing_vector_of_the_present_model_is_filled_in(store: Store) -> None:
    store.write("ada", Changes("w", AT, (Change(memory("01"), new_text("x", dimension=None)),)))
    keep(store, memory("02"))
    number = embed_all(store, MODEL, DIMENSION)[0]
    assert store.unembedded(MODEL, 0, 10) == []
    assert vectors(store)[number] == vector(number % 1000)
    assert store.adopt(MODEL)


def test_a_new_model_replaces_the_old_when_every_text_has_its_vector(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    keep(store, memory("01"), user="eve")
    old = vectors(store)
    assert not store.adopt("new")
    done = embed_all(store, "new", 4, limit=2)
    assert not store.adopt("new"), "one is missing"
    assert vectors(store) == old, "until then the old ones answer"
    assert store.model() == (MODEL, DIMENSION)
    done += embed_all(store, "new", 4)
    assert len(done) == len(set(done)) == 3, "it goes on where it stopped"
    assert store.adopt("new")
    assert store.model() == ("new", 4)
    assert vectors(store) | vectors(store, "eve") == {n: vector(n % 1000, 4) for n in done}
    assert store.unembedded("new", 0, 10) == []
    assert store.adopt("new")
    assert len(store.unembedded(MODEL, 0, 10)) == 3, "the old ones are gone"
    assert store.verify("ada") == []


def test_what_is_written_meanwhile_must_be_embedded_too(store: Store) -> None:
    keep(store, memory("01"))
    embed_all(store, "new", 4)
    keep(store, memory("02"))
    revise(store, "01", text="edited", at=LATER)
    assert not store.adopt("new")
    assert len(embed_all(store, "new", 4)) == 2
    assert store.adopt("new")
    with pytest.raises(ModelMismatch, match="reembed"):
        keep(store, memory("03"))


def test_what_is_purged_meanwhile_gets_no_vector(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    numbers = [number for number, *_ in store.unembedded("new", 0, 10)]
    store.embed("new", 4, [(numbers[0], vector(0, 4), None)])
    store.purge("ada", ["01"], AT)
    store.embed("new", 4, [(n, vector(n % 1000, 4), None) for n in numbers])
    assert store.adopt("new")
    assert vectors(store).keys() == {numbers[1]}
    assert store.vectors("ada", np.array(numbers))[0].tolist() == numbers[1:]
    assert store.verify("ada") == []


def test_a_third_model_begins_from_nothing(store: Store) -> None:
    keep(store, memory("01"), memory("02"))
    embed_all(store, "second", 4)
    assert len(store.unembedded("third", 0, 10)) == 2
    embed_all(store, "third", 6, limit=1)
    assert len(store.unembedded("third", 0, 10)) == 1
    assert not store.adopt("third"), "a vector of the second does not stand for one of the third"
    assert len(store.unembedded("second", 0, 10)) == 2, "only one is on its way at a time"
    assert not store.adopt("second")
    embed_all(store, "third", 6)
    assert store.adopt("third")
    assert store.model() == ("third", 6)


def test_a_whole_other_model_does_not_stand_for_a_third(store: Store) -> None:
    keep(store, memory("01"))
    embed_all(store, "second", 4)
    assert not store.adopt("third")
    assert len(store.unembedded("third", 0, 10)) == 1
    assert store.adopt("second")


def test_an_empty_store_takes_a_model_too(store: Store) -> None:
    assert not store.adopt("new")
    store.embed("new", 4, [])
    assert store.adopt("new")
    assert store.model() == ("new", 4)


@pytest.mark.parametrize("case", ["present", "incoming", "in the call"])
def test_a_vector_of_the_wrong_size_is_refused(store: Store, case: str) -> None:
    keep(store, memory("01"))
    number = store.documents("ada", 0, 1)[0].content
    store.embed("new", 4, [])
    before = vectors(store)
    calls: dict[str, Callable[[], None]] = {
        "present": lambda: store.embed(MODEL, 5, [(number, vector(0, 5), None)]),
        "incoming": lambda: store.embed("new", 5, [(number, vector(0, 5), None)]),
        "in the call": lambda: store.embed("new", 4, [(number, vector(0, 5), None)]),
    }
    with pytest.raises(ModelMismatch):
        calls[case]()
    assert vectors(store) == before
    assert not store.adopt("new")


def test_edits_without_a_new_text_need_no_model(store: Store) -> None:
    keep(store, memory("01"))
    revise(store, "01", pinned=True)
    with pytest.raises(ModelMismatch):
        store.write("ada", Changes("e", AT, (change(memory("02")),), model="other"))


def test_a_model_whose_vectors_get_another_size_is_no_longer_that_model(store: Store) -> None:
    keep(store, memory("01"))
    grown = Change(memory("02"), new_text("x", dimension=2 * DIMENSION))
    with pytest.raises(ModelMismatch, match="another model answers to its name"):
        store.write("ada", Changes("w", AT, (grown,), model=MODEL))
    with pytest.raises(ModelMismatch, match="another model answers to its name"):
        store.embed(MODEL, 2 * DIMENSION, [])
    embed_all(store, "new", 4, limit=0)
    with pytest.raises(ModelMismatch, match="another model answers to its name"):
        store.embed("new", 5, [])
