"""Which texts have every term of a name; that they agree with looking at every text is checked with every search."""

import numpy as np
from index_stub import DIMENSION, MODEL, StubStore

from recollect.index import Partition, naming
from recollect.model import Filter

COMMON, RARE, OTHER = 1, 2, 3


def named(store, *names):
    partition = Partition(store, "ada", MODEL, DIMENSION, None)
    partition.refresh()
    found = partition.naming([np.array(name, np.uint32) for name in names], Filter())
    numbers = sorted(store.texts)
    return [[1 + numbers.index(content) for content in contents.tolist()] for contents in found]


def filled():
    store = StubStore()
    for words in ([COMMON], [COMMON, RARE], [COMMON, RARE, OTHER], [RARE], [COMMON]):
        store.remember(words)
    return store


def test_a_text_that_has_a_part_of_a_name_does_not_name_it():
    assert named(filled(), [COMMON, RARE], [RARE, RARE], [COMMON, OTHER], [RARE, 9]) == [
        [2, 3],
        [2, 3, 4],
        [3],
        [],
    ]


def test_no_names_and_a_name_of_no_words_are_nowhere():
    assert named(filled()) == []
    assert named(filled(), [], [RARE]) == [[], [2, 3, 4]]


def test_a_common_word_is_not_looked_up_and_a_name_of_nothing_else_is_nowhere(monkeypatch):
    monkeypatch.setattr(naming, "COMMON", 3)
    assert named(filled(), [COMMON, RARE], [COMMON]) == [[2, 3, 4], []]
