"""What somebody said under their name answers what they ask about themself."""

import pytest

from recollect import Recollect
from recollect.providers.minilm import MiniLM

ABOUT_ONESELF = [
    ("My phone number is +46 70 555 0182.", "What is my phone number?"),
    ("My shoe size is 39.", "What's my shoe size?"),
    ("My blood type is A positive.", "What is my blood type?"),
    ("I have two kids.", "How many kids do I have?"),
]


@pytest.fixture(params=[True, False], ids=["formed", "verbatim"])
def memory(request, clock):
    formed = {"formation.enabled": request.param}
    with Recollect(":memory:", embedder=MiniLM(), clock=clock, settings=formed) as engine:
        yield engine


def observed(memory, text, **said):
    memory.observe([{"role": "user", "name": "Nora", "content": text, **said}])


@pytest.mark.parametrize(("text", "question"), ABOUT_ONESELF)
def test_a_context_tells_the_asker_what_they_said_under_their_name(memory, text, question):
    observed(memory, text)
    assert text.rstrip(".").split()[-1] in memory.context(question)


def test_what_is_about_something_else_stays_left_out(memory):
    for text, _ in ABOUT_ONESELF:
        observed(memory, text)
    for question in ("Which book am I reading?", "How many bicycles do I own?", "Where did I study law?"):
        assert memory.context(question) == ""


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ({}, "What is Nora's shoe size?"),
        ({}, "What is the shoe size?"),
        ({"role": "assistant"}, "What is my shoe size?"),
        ({"name": None}, "What is my shoe size?"),
    ],
    ids=["named", "nobody's", "another's", "without a name"],
)
def test_whatever_else_is_asked_is_as_likely_as_it_was(memory, said, question):
    observed(memory, "The shoe size is 39.", **said)
    asked = memory.recall(question)
    assert next(step.detail for step in asked.trace.steps if step.stage == "asker") in ({}, {"named": 0})


def test_only_what_is_so_relevant_has_it_counted(memory):
    observed(memory, "My shoe size is 39.")
    assert memory.recall("What is my shoe size?", min_relevance=0.4)
