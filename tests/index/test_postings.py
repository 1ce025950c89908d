"""An inverted index says of each term which documents have it, and how often."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.index.postings import Postings

documents = st.lists(st.lists(st.integers(0, 12) | st.integers(0, 2**32 - 1), max_size=15), max_size=20)


def built(texts):
    terms = np.array([term for text in texts for term in text], np.uint32)
    return Postings.build(terms, np.array([len(text) for text in texts], np.int64))


def as_dict(postings):
    assert postings.terms.tolist() == sorted(set(postings.terms.tolist()))
    spans = zip(postings.terms.tolist(), postings.offsets[:-1], postings.offsets[1:], strict=True)
    return {
        term: list(zip(postings.documents[a:b].tolist(), postings.times[a:b].tolist(), strict=True))
        for term, a, b in spans
    }


def counted(texts):
    every = sorted({term for text in texts for term in text})
    return {
        term: [(i, Counter(text)[term]) for i, text in enumerate(texts) if term in text] for term in every
    }


@given(documents)
def test_building_counts_every_term_of_every_document(texts):
    assert as_dict(built(texts)) == counted(texts)


@settings(max_examples=50)
@given(st.lists(documents, min_size=1, max_size=4))
def test_merging_parts_is_the_same_as_building_all_at_once(parts):
    bases = np.cumsum([0, *map(len, parts)])[:-1].tolist()
    merged = Postings.merge([built(part) for part in parts], bases)
    assert as_dict(merged) == counted([text for part in parts for text in part])


@settings(max_examples=50)
@given(documents, st.data())
def test_keeping_some_leaves_nothing_of_the_others(texts, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    smaller = built(texts).keeping(np.array(kept, np.bool_))
    assert as_dict(smaller) == counted([text for text, keep in zip(texts, kept, strict=True) if keep])


def test_a_count_that_does_not_fit_stays_at_the_largest():
    assert as_dict(built([[5] * 300])) == {5: [(0, 255)]}
