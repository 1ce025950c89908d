"""Requests for a summary or an order: what they are about is left, and everything else is left alone."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.framing import LONGEST, Framed, framed
from recollect.language.lexicon import fold


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Summarize my garden project", "my garden project"),
        ("Please recap the trip to Porto so far.", "the trip to Porto"),
        ("Could you give me a quick overview of my reading goals across our sessions?", "my reading goals"),
        ("I'd like a summary of the talks with Ana that we have discussed", "the talks with Ana"),
        ("Bahçe projemi konuşmalarımız boyunca özetler misin?", "Bahçe projemi"),
        ("Lütfen Lizbon gezisinin özetini çıkarır mısın?", "Lizbon gezisinin"),
    ],
)
def test_a_summary_is_asked_for_by_its_topic(question, topic):
    assert framed(question) == Framed(topic, sums_up=True)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Walk me through the order in which I brought up rent and food? List only two.", "rent and food"),
        ("List the order in which I brought up different ways to save on rent", "to save on rent"),
        ("In what order have I mentioned my travel plans?", "my travel plans"),
        ("List in chronological order the cities Ana visited", "the cities Ana visited"),
        ("Lizbon gezisi planlarını sırayla anlatır mısın?", "Lizbon gezisi planlarını"),
    ],
)
def test_an_order_is_asked_for_by_what_is_ordered(question, topic):
    assert framed(question) == Framed(topic, sums_up=False)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What should I remember about Leo?", "Leo"),
        ("Do you remember anything about our trip to Porto?", "our trip to Porto"),
        ("Is there anything I should know about Leo's health?", "Leo's health"),
        ("Remind me what I told you about the lease.", "the lease"),
        ("Anything on Tomek?", "Tomek"),
        ("Leo hakkında ne biliyorsun?", "Leo"),
        ("Lizbon gezisi ile ilgili bilmem gereken bir şey var mı?", "Lizbon gezisi"),
    ],
)
def test_what_is_known_is_asked_for_by_what_it_is_about(question, topic):
    assert framed(question) == Framed(topic, sums_up=False)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What do you know?",
        "What should I bring to the party?",
        "Do you know anything?",
        "Summarize.",
        "Where did I park?",
        "Tell me how the project went",
        "In order to deploy, what do I need?",
        "When is the order of new chairs due?",
        "What's the outline of my talk?",
        "Which summary did I send to Ana?",
        "What did we decide throughout our conversations?",
        "Özet nerede?",
        "Summarize my garden project" + " and more" * 50,
    ],
)
def test_everything_else_is_searched_as_it_is(question):
    assert framed(question) is None


@given(st.text(max_size=LONGEST))
def test_whatever_is_asked_the_topic_is_a_part_of_it(question):
    found = framed(f"Please summarize {question}")
    assert found is None or fold(found.topic) in fold(question)


def test_a_tangle_of_framing_takes_no_time():
    began = time.process_time()
    framed("please " * 50)
    framed("summarize " + "in our chats, " * 28)
    assert time.process_time() - began < 1
