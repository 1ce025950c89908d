"""Which rows a filter lets through is asked once, until something is written."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
from index_stub import START, asked_for, fill

from recollect.index.masks import REMEMBERED, Masks
from recollect.model import Filter

OPS = Filter(tags=("ops",), unexpired_at=START)


def counting(store, monkeypatch):
    """The filters that the store was asked about."""
    asked, matching = [], store.matching
    monkeypatch.setattr(store, "matching", lambda user, where: asked.append(where) or matching(user, where))
    return asked


def test_the_store_is_asked_once_for_the_same_filter_a_moment_later(store, opened, monkeypatch):
    fill(store, 20)
    partition, asked = opened(), counting(store, monkeypatch)
    for second in range(3):
        partition.search(
            asked_for(terms=[1]), replace(OPS, unexpired_at=START + timedelta(seconds=second)), 5
        )
    assert len(asked) == 1


def test_a_write_is_seen_by_the_next_search_with_the_same_filter(store, opened, monkeypatch):
    fill(store, 20)
    partition, asked = opened(), counting(store, monkeypatch)
    partition.search(asked_for(terms=[1]), OPS, 5)
    new = store.memories[store.remember([1], tags=("ops",))].content
    assert new in partition.search(asked_for(terms=[1]), OPS, 50).contents
    assert len(asked) == 2


def test_what_expires_is_left_out_although_the_filter_is_remembered(store, opened):
    kept = store.remember([1], tags=("ops",), valid_until=START + timedelta(days=1))
    new = store.memories[kept].content
    partition = opened()
    assert new in partition.search(asked_for(terms=[1]), OPS, 5).contents
    later = replace(OPS, unexpired_at=START + timedelta(days=2))
    assert new not in partition.search(asked_for(terms=[1]), later, 5).contents


def test_only_the_last_few_are_remembered():
    masks, made = Masks(), []

    def of(key):
        return masks.of(key, lambda: made.append(key) or np.ones(1, np.bool_))

    for key in [*range(REMEMBERED + 1), REMEMBERED, 1, 0]:
        of(key)
    assert made == [*range(REMEMBERED + 1), 0]


def test_forgetting_makes_every_mask_anew():
    masks, made = Masks(), []
    for _ in range(2):
        masks.of("key", lambda: made.append(1) or np.ones(1, np.bool_))
        masks.forget()
    assert len(made) == 2
