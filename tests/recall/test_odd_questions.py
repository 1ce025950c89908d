"""Whatever is asked, there is an answer or a clear error, with every layer on or off."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.recall.layers import LAYERS
from recollect.recall.query import MAX_CHARACTERS
from recollect.testing import FakeClock, HashEmbedder

OFF = tuple(name for name, layer in LAYERS.items() if not layer.on)
PIECES = st.sampled_from(
    [
        *("the", "of", "and", "ve", "bir", "?", "!", "…", "\n", "\t", "\x00", "\ud800", "\u202e"),
        *("🧠", "👍🏽", "é", "ﬁ", "ß", "İ", "ı", "I", "i", "İSTANBUL", "ISPARTA", "ısı"),
        *('"', "'", "--", ";", "*", "NEAR(", ")", "OR 1=1", "AND", "NOT", "^", "a:b", "{x} : y", "%", "_"),
        *("DROP TABLE memories", "' OR ''='", "\\", "$1", "{topic}", "{0}", "%s"),
        *("last week", "in March 2023", "geçen hafta", "31 June", "in 99999 years", "between", "since"),
        *("before", "eskiden", "why", "who", "what", "where", "neden", "kim", "Ada", "Omar", "/clear", "hi"),
    ]
)
QUESTIONS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=12).map(" ".join))


class Short(HashEmbedder):
    """Reads the beginning of a text, as models do."""

    def encode(self, texts, progress=None):
        return super().encode([text[:2_000] for text in texts], progress)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=Short(), clock=FakeClock()) as engine:
        old = engine.remember("Ada lived in İstanbul before, in March 2023")
        engine.remember("Ada lives in Isparta", supersedes=old.id)
        engine.observe(
            [
                {"role": "user", "name": "Omar", "content": "I drop the table last week"},
                {"role": "assistant", "content": "why? {topic} 🧠 100 %"},
            ],
            session="s",
        )
        yield engine


def answered(engine, question, **options):
    found = engine.recall(question, learn=False, **options)
    assert len(found) <= 10
    assert len({hit.id for hit in found}) == len(found)
    for hit in found:
        assert math.isfinite(hit.score)
        assert sum(hit.signals.values()) == pytest.approx(hit.score)
    return found


@given(question=QUESTIONS, switched=st.sets(st.sampled_from(sorted(LAYERS))))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_question_gets_an_answer_or_a_clear_error(filled, question, switched):
    if not question.strip():
        with pytest.raises(InvalidInput, match="empty"):
            filled.recall(question)
        return
    options = {"ablate": sorted(switched), "only_period": True, "per_session": 1}
    first, second = (answered(filled, question, **options) for _ in range(2))
    assert [(hit.id, hit.score) for hit in first] == [(hit.id, hit.score) for hit in second]


@pytest.mark.parametrize(
    "piece", ["x", "why ", "the ", "last week ", "🧠", "/", "ve ", "a? ", "İ", "before\n"]
)
def test_a_question_of_a_million_letters_gets_an_answer(filled, piece):
    question = (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]
    answered(filled, question, ablate=OFF)


def test_a_longer_question_is_refused_with_the_most_that_there_may_be(filled):
    with pytest.raises(InvalidInput, match="1,000,000"):
        filled.recall("x" * (MAX_CHARACTERS + 1))


@pytest.mark.parametrize("question", ["İSTANBUL", "istanbul", "İstanbul'da", "ISTANBUL"])
def test_turkish_letters_are_found_in_either_case(filled, question):
    found = answered(filled, question, include_superseded=True)
    assert "İstanbul" in found[0].text
