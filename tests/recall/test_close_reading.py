"""Candidates are read word by word, each with what was said around it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.candidates import Candidates
from recollect.formulas.late_interaction import NearbyParams, unpack
from recollect.ports import WORD_BYTES, Words
from recollect.recall.close_reading import read_closely
from recollect.testing import HashEmbedder

SAID = [
    "deploys go through staging",
    "the office cat Pixel",
    "",
    "who deploys tonight",
    "staging is slow",
    "🧠",
]
QUESTION = HashEmbedder().encode(["deploy staging cat"])[1][0]


class Shelf:
    """The one call of an index that is needed, over texts by their number; None has no words kept."""

    def __init__(self, texts):
        self.codes = {
            n: HashEmbedder().encode([text])[1][0].codes for n, text in texts.items() if text is not None
        }

    def words(self, contents):
        found = [n for n in sorted(set(contents.tolist())) if len(self.codes.get(n, ()))]
        counts = [len(self.codes[n]) for n in found]
        codes = np.concatenate([np.empty((0, WORD_BYTES), np.uint8), *(self.codes[n] for n in found)])
        return np.array(found, np.int64), np.cumsum(counts, dtype=np.int64), codes


def candidates(around, rarity):
    around = np.array(around, np.int64)
    contents = around[:, around.shape[1] // 2]
    nothing = np.zeros(len(contents), np.float32)
    return Candidates(
        *(contents, nothing, nothing, nothing, nothing, nothing, *(nothing.astype(np.bool_),) * 2),
        *(contents, nothing, nothing),
        around=around,
        rarity=np.array(rarity, np.float64),
        arms=(),
    )


def match(shelf, content, word):
    """How like the question's word the text's likest word is; 0 where it has none."""
    codes = shelf.codes.get(content, np.empty((0, WORD_BYTES), np.uint8))
    return max((float(other @ word) for other in unpack(codes)), default=0.0)


@given(
    st.lists(st.sampled_from([*SAID, None]), min_size=1, max_size=6),
    st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True),
    st.integers(0, 2),
    st.data(),
)
def test_what_is_covered_is_what_a_plain_loop_says(texts, chosen, reach, data):
    shelf = Shelf({10 + n: text for n, text in enumerate(texts)})
    numbers = st.integers(9, 16) | st.just(-1)
    side = st.lists(numbers, min_size=reach, max_size=reach)
    around = [[*data.draw(side), 10 + n, *data.draw(side)] for n in chosen]
    rarity = data.draw(st.lists(st.floats(0.1, 9), min_size=3, max_size=3))
    read = read_closely(shelf, QUESTION, candidates(around, rarity), with_context=True)
    if read is None:
        assert not any(len(shelf.codes.get(n, ())) for row in around for n in row)
        return
    params, words = NearbyParams(), unpack(QUESTION.codes)
    weights = np.array(rarity) / sum(rarity)
    for place, row in enumerate(around):
        own = [min(max(match(shelf, row[reach], word), 0), 1) for word in words]
        near = [
            max(
                params.decay ** abs(at - reach) * max(match(shelf, n, word) - params.floor, 0)
                for at, n in enumerate(row)
            )
            for word in words
        ]
        assert read.alone[place] == pytest.approx(float(weights @ own), abs=1e-5)
        assert read.nearby[place] == pytest.approx(float(weights @ near), abs=1e-5)
    assert read.texts == len({n for row in around for n in row if len(shelf.codes.get(n, ()))})


def test_without_context_only_the_text_itself_is_read():
    shelf = Shelf({1: "the office cat", 2: "deploys go through staging", 3: "cat"})
    found = candidates([[1, 2, 3]], [1, 1, 1])
    with_it = read_closely(shelf, QUESTION, found, with_context=True)
    without = read_closely(shelf, QUESTION, found, with_context=False)
    assert with_it.texts == 3
    assert without.texts == 1
    assert without.alone == with_it.alone
    assert without.nearby < with_it.nearby


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({1: None, 2: None}, QUESTION),
        ({1: "", 2: "🧠"}, QUESTION),
        ({1: "deploy", 2: "cat"}, Words(np.empty(0, np.uint32), np.empty((0, WORD_BYTES), np.uint8))),
    ],
)
def test_where_no_text_or_no_question_has_words_nothing_is_read(texts, words):
    found = candidates([[1, 2, -1]], [1.0] * len(words.terms))
    assert read_closely(Shelf(texts), words, found, with_context=True) is None


def test_a_candidate_without_words_covers_nothing_itself_but_hears_its_neighbours():
    read = read_closely(
        Shelf({1: None, 2: "deploys go through staging"}),
        QUESTION,
        candidates([[-1, 1, 2]], [1, 1, 1]),
        with_context=True,
    )
    assert read.alone[0] == 0
    assert read.nearby[0] > 0.1
