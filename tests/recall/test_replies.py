"""Among people, what replies to a question among the best hits counts more."""

import pytest

from recollect.recall import replies
from recollect.recall.replies import asks

QUESTION = "Where does Ben go climbing?"
ASKED = "Hey Ben, where do you go climbing?"
REPLY = "The old quarry, most weekends"


def say(memory, *turns, session="s1"):
    """Turns as (who, text)."""
    messages = [
        {"role": "assistant" if who == "assistant" else "user", "name": who, "content": text}
        for who, text in turns
    ]
    memory.observe(messages, session=session)


def replying(found):
    return {hit.text: hit.values["reply"] for hit in found if hit.values.get("reply")}


def step(found):
    return [dict(one.detail) for one in found.trace.steps if one.stage == "replies"]


def test_the_reply_to_a_question_that_is_found_gains_by_it(memory):
    say(memory, ("Ada", ASKED), ("Ben", REPLY), ("Ada", "Sounds fun"))
    found, without = memory.recall(QUESTION), memory.recall(QUESTION, ablate=["replies"])
    asked = next(hit for hit in without if hit.text == ASKED)
    assert replying(found) == {REPLY: pytest.approx(asked.score)}
    reply, before = (next(hit for hit in one if hit.text == REPLY) for one in (found, without))
    assert reply.score == pytest.approx(before.score + replies.SHARE * asked.score)
    assert sum(reply.signals.values()) == pytest.approx(reply.score)
    assert (step(found), step(without)) == ([{"replies": 1}], [])


def test_whoever_asks_and_goes_on_does_not_reply(memory):
    say(memory, ("Ada", ASKED), ("Ada", "I have new shoes"), ("Ben", REPLY))
    assert replying(memory.recall(QUESTION)).keys() == {REPLY}


def test_what_is_no_question_has_no_reply(memory):
    say(memory, ("Ada", "Ben goes climbing somewhere."), ("Ben", REPLY))
    found = memory.recall(QUESTION)
    assert (replying(found), step(found)) == ({}, [{"replies": 0}])


@pytest.mark.parametrize(
    "turns", [(("Ada", ASKED), ("assistant", REPLY)), (("assistant", ASKED), ("Ben", REPLY))]
)
def test_what_an_assistant_says_and_asks_has_its_place_by_itself(memory, turns):
    say(memory, *turns)
    assert replying(memory.recall(QUESTION)) == {}


def test_a_reply_is_of_the_same_session(memory):
    say(memory, ("Ada", ASKED))
    say(memory, ("Ben", REPLY), session="s2")
    assert replying(memory.recall(QUESTION)) == {}


def test_only_the_best_hits_are_replied_to(memory):
    for number in range(replies.ASKING):
        say(memory, ("Ada", f"Where does Ben go climbing, number {number}"), session=f"s{number}")
    say(memory, ("Ada", "Where to?"), ("Ben", "To the sea"), session="other")
    assert replying(memory.recall(QUESTION, k=30)) == {}


def test_what_may_not_be_seen_is_no_reply(memory):
    say(memory, ("Ada", ASKED), ("Ben", REPLY))
    memory.forget(next(hit.id for hit in memory.recall(QUESTION) if hit.text == REPLY))
    assert replying(memory.recall(QUESTION)) == {}


def test_a_compound_question_is_replied_to_as_well(memory):
    say(memory, ("Ada", ASKED), ("Ben", REPLY))
    say(memory, ("Ada", "What is the name of the cat?"), ("Ben", "Pixel"), session="s2")
    found = memory.recall("Where does Ben go climbing and what is the cat called?", ablate=["parts"])
    assert replying(found).keys() >= {REPLY}


def test_a_document_s_formula_ranks_as_the_document_says(memory):
    say(memory, ("Ada", ASKED), ("Ben", REPLY))
    assert "reply" not in memory.recall(QUESTION, profile="cognitive").trace.weights


@pytest.mark.parametrize("text", ["And you?", "And you?! [shares a photo: a dog]", "你呢？", "و أنت؟"])
def test_a_question_asks(text):
    assert asks(text)


@pytest.mark.parametrize("text", ["", "I went there.", "Why? " + "Because it was there. " * 5])
def test_a_statement_does_not(text):
    assert not asks(text)
