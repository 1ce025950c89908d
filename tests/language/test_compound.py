"""Compound questions: split where each part can be asked alone, and left alone everywhere else."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.compound import MAX_PARTS, parts

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
joined_text = st.lists(
    st.sampled_from(
        ["When", "why", "and", "ve", "ne", "Ada", "Ben", "did", "move", "?", ",", ";", "neden", "İ", "she"]
    ),
    max_size=14,
).map(" ".join)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ada move and why?", ["When did Ada move", "why did Ada move"]),
        (
            "When and where did I meet my partner?",
            ["When did I meet my partner", "where did I meet my partner"],
        ),
        ("Where does Ada live and what does she do?", ["Where does Ada live", "what does Ada do"]),
        ("Is Ada married? Does she have kids?", ["Is Ada married", "Does Ada have kids"]),
        ("Is Ada married to Ben? Does she work?", ["Is Ada married to Ben", "Does she work"]),
        (
            "How many series are on my list, and what was the page count?",
            ["How many series are on my list", "what was the page count"],
        ),
        ("What is my address? Where do I work?", ["What is my address", "Where do I work"]),
        ("I'm going out. What should I wear? Where is my coat?", ["What should I wear", "Where is my coat"]),
        (
            "Can you tell me when Ada moved and why?",
            ["Can you tell me when Ada moved", "Can you tell me why Ada moved"],
        ),
        (
            "Where is it; who has it; what is it; why is it?",
            ["Where is it", "who has it", "what is it", "why is it"],
        ),
        ("What did Sam and Evan eat?", ["What did Sam eat", "What did Evan eat"]),
        ("where was the dog and how old is it", ["where was the dog", "how old is it"]),
    ],
)
def test_an_english_compound_question_is_split(question, expected):
    assert parts(question) == tuple(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Ayşe ne zaman taşındı ve neden?", ["Ayşe ne zaman taşındı", "Ayşe neden taşındı"]),
        ("Ayşe nerede oturuyor ve ne iş yapıyor?", ["Ayşe nerede oturuyor", "Ayşe ne iş yapıyor"]),
        ("Nerede ve ne zaman tanıştık?", ["Nerede tanıştık", "ne zaman tanıştık"]),
        ("İSTANBUL'A NE ZAMAN GİTTİM VE NİYE?", ["İSTANBUL'A NE ZAMAN GİTTİM", "İSTANBUL'A NİYE GİTTİM"]),
        ("Adresim ne? Nerede çalışıyorum?", ["Adresim ne", "Nerede çalışıyorum"]),
        ("Ayşe ile Mehmet ne yedi?", ["Ayşe ne yedi", "Mehmet ne yedi"]),
    ],
)
def test_a_turkish_compound_question_is_split(question, expected):
    assert parts(question) == tuple(expected)


@pytest.mark.parametrize(
    "question",
    [
        "Do I like bread and butter?",
        "What did Ada buy and sell?",
        "Which books and which films do I like?",
        "What do Ada and Ben have in common?",
        "What did Ada and Ben do together?",
        "How many days are between Ada's and Ben's birthdays?",
        'Who wrote "Pride and Prejudice"?',
        "What did Amy Johnson, who was a pilot, fly?",
        "I know what I want and what I need.",
        "I moved. What should I buy?",
        "Why and how?",
        "What?",
        "?? ??",
        "",
        "Ekmek ve peynir sever miyim?",
        "Ayşe ve Mehmet birlikte ne yedi?",
        "Ne zaman, nerede?",
    ],
)
def test_a_single_question_is_left_alone(question):
    assert parts(question) == (question,)


def test_at_most_four_parts_are_asked():
    assert len(parts("Who is it? What is it? Where is it? Why is it? When is it? How is it?")) == MAX_PARTS


@given(any_text | joined_text)
def test_any_text_is_itself_or_a_few_different_parts(text):
    found = parts(text)
    assert found == (text,) or 2 <= len(set(found)) == len(found) <= MAX_PARTS
    assert found == (text,) or all(part.strip() for part in found)


@pytest.mark.parametrize(
    "piece", ["a ", "and what ", "? ", "a? ", "what ,", "  ", "ne ve ", "Ada and Ben ", "ı"]
)
@pytest.mark.parametrize("size", [1000, 10**6])
def test_a_megabyte_takes_little_time(piece, size):
    started = time.thread_time()
    parts(piece * (size // len(piece)))
    assert time.thread_time() - started < 1.0
