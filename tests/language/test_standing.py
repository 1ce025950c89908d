"""How something stands: what asks for it, and what tells that it changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.standing import (
    LONGEST_QUESTION,
    asks_how_it_stands,
    asks_whether,
    numbers,
    tells_a_change,
)

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=400)


@pytest.mark.parametrize(
    "question",
    [
        "What is my annual budget for sneakers?",
        "How many commits are merged into main?",
        "When is the webinar?",
        "Can you remind me what time the meeting is?",
        "so, which editor do I use?",
        "At what time should I join?",
        "Bütçem ne kadar?",
        "TOPLANTI NE ZAMAN?",
        "Kaç kitap okumayı hedefliyorum?",
        "Şifreyi kim biliyor?",
    ],
)
def test_questions_of_how_something_stands(question):
    assert asks_how_it_stands(question)


@pytest.mark.parametrize(
    "question",
    [
        "What was my budget?",
        "How many days passed between the two meetings?",
        "When did I move?",
        "Where did I live before?",
        "What did I use previously?",
        "How has my budget changed over time?",
        "In what order did I mention the tools?",
        "Summarize what we decided.",
        "Is it raining?",
        "Eski bütçem ne kadardı?",
        "Nereye gittim?",
        "İlk planımız neydi?",
        "Did Kimberly like my draft?",
        "Is the hanging lamp still in the hall?",
        "",
    ],
)
def test_questions_of_what_was_or_of_all_of_it(question):
    assert not asks_how_it_stands(question)


def test_a_long_message_asks_for_more_than_one_thing():
    question = "What is my budget? " + "x" * LONGEST_QUESTION
    assert not asks_how_it_stands(question)


@pytest.mark.parametrize(
    ("question", "does"),
    [
        ("Have I ever met Kelly?", True),
        ("Do I use Zotero?", True),
        ("Could you tell me whether I met her?", True),
        ("Kelly ile hiç tanıştım mı?", True),
        ("Zotero kullanıyor muyum?", True),
        ("Has Kelly moved?", False),
        ("What have I said of Kelly?", False),
        ("Toplantı saat kaçta?", False),
        ("", False),
    ],
)
def test_whether_the_asker_did_something(question, does):
    assert asks_whether(question) is does


@pytest.mark.parametrize(
    "statement",
    [
        "it's rescheduled to March 22 at 4:30 PM",
        "my increased budget of $650",
        "commits have now reached 165",
        "We switched to Postgres",
        "Toplantı saat dörde ertelendi",
        "Artık İzmir'de oturuyorum",
        "bütçemi ARTIRDIM",
    ],
)
def test_statements_of_a_change(statement):
    assert tells_a_change(statement)


@pytest.mark.parametrize(
    "statement", ["The meeting is at three", "I know Ada", "Toplantı saat üçte", "Ada'yı tanıyorum", ""]
)
def test_statements_of_how_it_is(statement):
    assert not tells_a_change(statement)


def test_numbers_are_taken_as_they_are_written():
    assert numbers("on 22 March at 4:30, 1.5 % of $1,200") == {"22", "4:30", "1.5", "1,200"}


@given(any_text)
def test_any_text_is_answered(text):
    asks_how_it_stands(text)
    tells_a_change(text)
    numbers(text)
