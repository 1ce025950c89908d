"""How every store keeps the vectors of words beside those of their texts."""

from dataclasses import replace

import numpy as np
import pytest
from store_values import (
    AT,
    DIMENSION,
    MODEL,
    change,
    everything,
    keep,
    memory,
    new_text,
    next_version,
    vector,
    words,
)

from recollect.errors import InvalidInput, ModelMismatch
from recollect.ports import WORD_BYTES, Change, Changes, NewText, Store


def worded(
    store: Store, memory_id: str, data: bytes | None, *, user: str = "ada", model: str | None = MODEL
) -> int:
    """Keeps a text with these words; gives its number."""
    new = replace(new_text(memory_id), words=data)
    store.write(user, Changes("remember", AT, (Change(memory(memory_id), new),), model=model))
    return store.high_water(user)[0]


def of(store: Store, user: str = "ada") -> dict[int, bytes]:
    """The words of each of a user's texts that has any, each cut out by its end."""
    contents = np.array([d.content for d in store.documents(user, 0, 100)], np.int64)
    numbers, ends, codes = store.words(user, contents)
    starts = [0, *ends.tolist()]
    assert len(codes) == starts[-1]
    return {
        n: codes[start:end].tobytes() for n, start, end in zip(numbers.tolist(), starts, ends, strict=False)
    }


def test_words_come_ascending_and_once_and_end_where_the_next_begin(store: Store) -> None:
    given = [words(n, count) for n, count in enumerate((3, 1, 0, 5))]
    contents = [worded(store, f"0{n}", data) for n, data in enumerate(given)]
    contents.append(worded(store, "04", None))
    asked = np.array([*contents[::-1], *contents, contents[-1] + 1000, -1, 0], np.int64)
    numbers, ends, codes = store.words("ada", asked)
    assert numbers.tolist() == [contents[0], contents[1], contents[3]], "those that have words"
    assert ends.tolist() == [3, 4, 9]
    assert codes.shape == (9, WORD_BYTES)
    assert codes.tobytes() == b"".join(given)
    assert (numbers.dtype, ends.dtype, codes.dtype) == (np.int64, np.int64, np.uint8)
    some = store.words("ada", np.array([contents[3], contents[1]]))
    assert [some[0].tolist(), some[1].tolist()] == [[contents[1], contents[3]], [1, 6]]
    assert some[2].tobytes() == given[1] + given[3]


@pytest.mark.parametrize("user", ["ada", "nobody"])
def test_nothing_has_the_shapes_of_something(store: Store, user: str) -> None:
    empty = worded(store, "01", b"")
    for asked in (np.empty(0, np.int64), np.array([empty])):
        numbers, ends, codes = store.words(user, asked)
        assert (numbers.shape, ends.shape, codes.shape) == ((0,), (0,), (0, WORD_BYTES))
        assert (numbers.dtype, ends.dtype, codes.dtype) == (np.int64, np.int64, np.uint8)


def test_an_edit_keeps_the_words_of_both_texts(store: Store) -> None:
    first = worded(store, "01", words(1, 2))
    old = store.get("ada", "01")
    assert old is not None
    told = Change(next_version(old, text="new", content=0), replace(new_text("new"), words=words(2, 3)))
    store.write("ada", Changes("edit", AT, (told,), model=MODEL))
    assert of(store) == {first: words(1, 2), first + 1: words(2, 3)}


def test_words_are_each_users_own(store: Store) -> None:
    ada, eve = worded(store, "01", words(1, 2)), worded(store, "01", words(2, 2), user="eve")
    both = np.array([ada, eve])
    assert [store.words(user, both)[0].tolist() for user in ("ada", "eve", "bob")] == [[ada], [eve], []]
    assert (of(store), of(store, "eve")) == ({ada: words(1, 2)}, {eve: words(2, 2)})


@pytest.mark.parametrize(
    ("new", "model"),
    {
        "half a word": (NewText(b"", vector(1), words(1, 1)[:-1]), MODEL),
        "one byte too many": (NewText(b"", vector(1), words(1, 2) + b"x"), MODEL),
        "no vector": (NewText(b"", None, words(1, 1)), MODEL),
        "no model": (NewText(b"", vector(1), words(1, 1)), None),
    }.values(),
)
@pytest.mark.parametrize("first", [True, False])
def test_words_that_cannot_be_are_refused_and_leave_nothing(
    store: Store, new: NewText, model: str | None, first: bool
) -> None:
    if not first:
        keep(store, memory("01"))
    before = everything(store)
    bad = (change(memory("02")), Change(memory("03"), new))
    with pytest.raises(InvalidInput):
        store.write("ada", Changes("w", AT, bad, model=model))
    assert everything(store) == before


def test_a_refused_text_leaves_no_words(store: Store) -> None:
    known = worded(store, "01", words(1, 1))
    again = Change(memory("02", "text of 01"), NewText(b"", vector(1), words(2, 2)), once=True)
    assert store.write("ada", Changes("w", AT, (again,), model=MODEL))[0].refusal == "duplicate"
    assert of(store) == {known: words(1, 1)}
    assert worded(store, "03", words(3, 3)) == known + 1
    assert of(store) == {known: words(1, 1), known + 1: words(3, 3)}


def test_a_purge_takes_the_words_and_leaves_those_of_others(store: Store) -> None:
    gone, stays = worded(store, "01", words(1, 2)), worded(store, "02", words(2, 2))
    store.purge("ada", ["01"], AT)
    assert of(store) == {stays: words(2, 2)}
    assert store.words("ada", np.array([gone]))[0].tolist() == []
    assert store.verify("ada") == []


# models


def test_a_text_without_words_counts_as_lacking_only_where_words_are_asked_for(store: Store) -> None:
    bare = worded(store, "01", None)
    worded(store, "02", words(2, 2))
    worded(store, "03", b"")
    store.write("ada", Changes("w", AT, (Change(memory("04"), NewText(b"", None)),)))
    none = store.high_water("ada")[0]
    assert [n for n, *_ in store.unembedded(MODEL, 0, 10)] == [none]
    assert [n for n, *_ in store.unembedded(MODEL, 0, 10, words=True)] == [bare, none]
    assert store.unembedded(MODEL, 0, 1, words=True) == [(bare, "text of 01", None)]
    assert [n for n, *_ in store.unembedded(MODEL, bare, 10, words=True)] == [none]
    assert (store.unembedded_count(MODEL), store.unembedded_count(MODEL, words=True)) == (1, 2)
    assert store.unembedded_count("other") == store.unembedded_count("other", words=True) == 4


def test_missing_words_of_the_present_model_are_filled_in(store: Store) -> None:
    numbers = [worded(store, "01", None), worded(store, "02", None), worded(store, "03", words(3, 3))]
    store.embed(MODEL, DIMENSION, [(numbers[0], vector(1), words(1, 1)), (numbers[1], vector(2), b"")])
    assert store.unembedded(MODEL, 0, 10, words=True) == []
    assert of(store) == {numbers[0]: words(1, 1), numbers[2]: words(3, 3)}
    assert store.documents("ada", 0, 1)[0].vector == vector(1)
    assert store.model() == (MODEL, DIMENSION)


def test_a_vector_without_words_leaves_the_words_of_its_model(store: Store) -> None:
    number = worded(store, "01", words(1, 1))
    store.embed(MODEL, DIMENSION, [(number, vector(9), None)])
    assert (of(store), store.documents("ada", 0, 1)[0].vector) == ({number: words(1, 1)}, vector(9))
    store.embed("new", 4, [(number, vector(2, 4), words(2, 2))])
    store.embed("new", 4, [(number, vector(3, 4), None)])
    assert store.adopt("new")
    assert (of(store), store.documents("ada", 0, 1)[0].vector) == ({number: words(2, 2)}, vector(3, 4))


def test_words_of_a_new_model_wait_until_it_is_adopted(store: Store) -> None:
    ada, eve = worded(store, "01", words(1, 2)), worded(store, "01", words(2, 2), user="eve")
    store.embed("new", 4, [(ada, vector(1, 4), words(3, 4))])
    assert [n for n, *_ in store.unembedded("new", 0, 10, words=True)] == [eve]
    assert not store.adopt("new")
    assert (of(store), of(store, "eve")) == ({ada: words(1, 2)}, {eve: words(2, 2)})
    store.embed("new", 4, [(eve, vector(2, 4), words(4, 1))])
    assert of(store, "eve") == {eve: words(2, 2)}
    assert store.adopt("new")
    assert (of(store), of(store, "eve")) == ({ada: words(3, 4)}, {eve: words(4, 1)})
    assert store.unembedded("new", 0, 10, words=True) == []
    assert store.verify("ada") == store.verify("eve") == []


def test_the_words_of_a_replaced_model_go_with_its_vectors(store: Store) -> None:
    numbers = [worded(store, f"0{n}", words(n, 2)) for n in range(2)]
    store.embed("new", 4, [(numbers[0], vector(1, 4), None), (numbers[1], vector(2, 4), words(5, 1))])
    assert [n for n, *_ in store.unembedded("new", 0, 10, words=True)] == numbers[:1]
    assert store.unembedded("new", 0, 10) == []
    assert store.adopt("new"), "every text has its vector; words may be filled in later"
    assert of(store) == {numbers[1]: words(5, 1)}
    assert [n for n, *_ in store.unembedded("new", 0, 10, words=True)] == numbers[:1]
    store.embed(MODEL, DIMENSION, [(number, vector(3), None) for number in numbers])
    assert store.adopt(MODEL)
    assert of(store) == {}, "and nothing comes back with a model that comes back"


def test_words_of_a_model_that_was_given_up_do_not_arrive_with_a_third(store: Store) -> None:
    number = worded(store, "01", None)
    store.embed("second", 4, [(number, vector(1, 4), words(1, 1))])
    store.embed("third", 4, [])
    assert store.unembedded_count("third", words=True) == store.unembedded_count("second", words=True) == 1
    store.embed("third", 4, [(number, vector(2, 4), None)])
    assert store.adopt("third")
    assert of(store) == {}


def test_what_is_purged_meanwhile_gets_no_words(store: Store) -> None:
    numbers = [worded(store, f"0{n}", None) for n in range(2)]
    store.embed("new", 4, [(numbers[0], vector(1, 4), words(1, 1))])
    store.purge("ada", ["00"], AT)
    store.embed("new", 4, [(n, vector(n % 1000, 4), words(n % 1000, 2)) for n in numbers])
    store.embed(MODEL, DIMENSION, [(n, vector(1), words(1, 1)) for n in numbers])
    assert of(store).keys() == {numbers[1]}
    assert store.adopt("new")
    assert of(store) == {numbers[1]: words(numbers[1] % 1000, 2)}
    assert store.words("ada", np.array(numbers))[0].tolist() == numbers[1:]
    assert store.verify("ada") == []


@pytest.mark.parametrize("model", [MODEL, "new"])
def test_half_a_word_of_a_model_is_refused_with_the_whole_call(store: Store, model: str) -> None:
    numbers = [worded(store, f"0{n}", words(n, 1)) for n in range(2)]
    before = everything(store)
    good, bad = (numbers[0], vector(1), words(7, 1)), (numbers[1], vector(2), words(7, 1)[:-1])
    with pytest.raises(ModelMismatch, match="multiple"):
        store.embed(model, DIMENSION, [good, bad])
    assert everything(store) == before
    assert store.unembedded_count("new") == 2


# whose turn a text is


def test_documents_tell_the_session_of_turns_and_what_somebody_else_said(store: Store) -> None:
    keep(
        store,
        memory("01", session="s", role="user"),
        memory("02", session="s", role="assistant"),
        memory("03", session="s"),
        memory("04", role="user"),
        memory("05"),
        memory("06", session="t", role="USER", speaker="user"),
    )
    documents = store.documents("ada", 0, 10)
    told = [(d.session, d.is_own) for d in documents]
    assert told == [("s", True), ("s", False), (None, True), (None, True), (None, True), ("t", False)]
    assert all(isinstance(d.is_own, bool) for d in documents)
