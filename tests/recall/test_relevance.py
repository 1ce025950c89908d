"""What is likely about something else is left out of a context; what may be about the question is told in short."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.model import Calibration, Memory
from recollect.providers.minilm import MiniLM
from recollect.recall.hits import Hit
from recollect.recall.present import BRIEF_CHARACTERS, gated
from recollect.testing import HashEmbedder


class Calibrated(HashEmbedder):
    """One whose numbers are known to mean something."""

    calibration = Calibration(similarity=10.0, covered=10.0, bias=-6.0)


@pytest.fixture
def known(clock):
    with Recollect(":memory:", embedder=Calibrated(), clock=clock) as memory:
        memory.remember("Deploys go through staging first")
        memory.remember("Bees sleep at night")
        yield memory


def texts(found):
    return [hit.text for hit in found]


def test_a_hit_about_the_question_is_relevant_and_another_is_not(known):
    first, second = known.recall("deploys go through staging")
    assert first.relevance > 0.9
    assert second.relevance < 0.1


def test_a_context_leaves_out_what_is_about_something_else(known):
    assert "Bees" in texts(known.recall("how do deploys go through staging?"))[1]
    told = known.context("how do deploys go through staging?")
    assert "staging" in told
    assert "Bees" not in told
    assert known.context("quantum chromodynamics lecture notes") == ""


def test_the_gate_can_be_switched_off(known):
    known.configure({"recall.brief_from": 0.0})
    assert "Bees" in known.context("how do deploys go through staging?")


def test_only_what_is_so_relevant_is_recalled_if_asked(known):
    found = known.recall("how do deploys go through staging?", min_relevance=0.5)
    assert texts(found) == ["Deploys go through staging first"]
    step = next(one for one in found.trace.steps if one.stage == "relevant")
    assert step.detail == {"left_out": 1}


@pytest.mark.parametrize("least", [-0.1, 1.1])
def test_a_relevance_lies_between_0_and_1(known, least):
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        known.recall("deploys", min_relevance=least)


def test_without_a_calibration_nothing_is_left_out(memory):
    memory.remember("Bees sleep at night")
    [hit] = memory.recall("quantum chromodynamics", min_relevance=0.9)
    assert hit.relevance is None
    assert "Bees" in memory.context("quantum chromodynamics")


def test_a_compound_question_keeps_what_each_part_is_about(known):
    question = "how do deploys go through staging and when do bees sleep at night?"
    found = known.recall(question, ablate=["parts"], min_relevance=0.5)
    assert len(found) == 2


@pytest.fixture
def hit(clock):
    def made(relevance, text="word " * 100):
        memory = Memory("01", text, clock.now(), clock.now())
        return Hit(memory, 1.0, {}, {}, 0.5, relevance)

    return made


def test_what_may_be_relevant_is_told_in_short(hit):
    full, short = gated([hit(0.7), hit(0.4)], 0.7, 0.4)
    assert full.text == "word " * 100
    assert short.text.endswith("word […]")
    assert len(short.text) <= BRIEF_CHARACTERS + len(" […]")


def test_the_gates_are_where_the_settings_say(hit):
    assert gated([hit(0.39)], 0.7, 0.4) == []
    short = hit(0.5, "a short text")
    assert gated([short], 0.7, 0.4) == [short]
    assert gated([hit(None)], 0.7, 0.4) == [hit(None)]


def test_the_ending_of_a_short_form_is_no_rare_word():
    with Recollect(":memory:", embedder=MiniLM()) as memory:
        memory.remember("The office is in Porto")
        [short], [long] = (
            memory.recall(f"{asked} the city of the office?") for asked in ("What's", "What is")
        )
        assert short.relevance == pytest.approx(long.relevance, abs=0.01)
