"""How the answer is to be told is not searched for, and a summary is of what everybody said."""

import pytest

QUESTION = "Can you give me a short summary of my sourdough bread, in order, throughout our conversations?"


@pytest.fixture
def told(memory):
    memory.observe([{"role": "user", "content": "I started a sourdough bread on Monday"}], session="s1")
    memory.observe([{"role": "assistant", "content": "Sourdough bread wants a warm kitchen"}], session="s1")
    for word in ("summary", "order", "conversations"):
        memory.observe(
            [{"role": "user", "content": f"The short {word} of our meeting is late"}], session="s2"
        )
    return memory


def step(found):
    return next(one.detail for one in found.trace.steps if one.stage == "focus")


def test_what_it_is_about_is_searched_and_told_in_the_trace(told):
    found = told.recall(QUESTION, k=2)
    assert all("ourdough" in hit.text for hit in found)
    assert step(found) == {"topic": "my sourdough bread", "sums_up": True}
    assert found.query == QUESTION
    terms = next(one.detail["terms"] for one in found.trace.steps if one.stage == "read")
    assert not [term for term in terms if term.startswith("summar")]


def test_a_summary_prefers_nobodys_words(told):
    def own(question):
        return {hit.values["own_words"] for hit in told.recall(question, k=2)}

    assert own(QUESTION) == {0.0}
    assert 1.0 in own("In what order did I mention my sourdough bread?")


def test_the_layer_can_be_left_out(told):
    steps = {one.stage: one.detail for one in told.recall(QUESTION, k=2, ablate="focus").trace.steps}
    assert "focus" not in steps
    assert any(term.startswith("summar") for term in steps["read"]["terms"])
