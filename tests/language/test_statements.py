"""Statements: one thing at a time, no questions, no small talk, and pronouns only where nobody could be found."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.coreference import Person
from recollect.language.statements import MAX_STATEMENTS, statements

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


def said(text, **options):
    return [statement.text for statement in statements(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi! I live in Rome. Do you?", ["I live in Rome"]),
        ("I moved to Lisbon and work at Acme. Thanks!", ["I moved to Lisbon", "I work at Acme"]),
        ("I just moved to Lisbon, can you recommend a restaurant?", ["I just moved to Lisbon"]),
        ("I use Vim and have a dog, so what should I buy?", ["I use Vim", "I have a dog"]),
        ("I live in Rome, right?", ["I live in Rome"]),
        ("It was... quite direct for me. I left…", ["It was... quite direct for me", "I left"]),
        ("Dr. Ada left at 5 p.m. yesterday. Bob stayed.", ["Dr. Ada left at 5 p.m. yesterday", "Bob stayed"]),
        ("- I use Vim\n* I like tea\n1. I run daily", ["I use Vim", "I like tea", "I run daily"]),
        ("Look:\n```\nI am code.\n```\nI use tabs.", ["I use tabs"]),
        ("Merhaba! Lizbon'a taşındım. Nasılsın?", ["Lizbon'a taşındım"]),
        ("Lizbon'a yeni taşındım, restoran önerir misin?", ["Lizbon'a yeni taşındım"]),
        ("Evliyim. İki çocuğum var.", ["Evliyim", "İki çocuğum var"]),
        ("Ankara'da oturuyorum, değil mi?", ["Ankara'da oturuyorum"]),
    ],
)
def test_what_is_stated_is_kept_one_thing_at_a_time(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've never used a planner, so how do I start", ["I've never used a planner"]),
        ("I moved to Rome, can you recommend a school", ["I moved to Rome"]),
        ("I moved to Rome so could you recommend a school", ["I moved to Rome"]),
        ("I read 12 books, what strategies can I use to keep it up", ["I read 12 books"]),
        ("I'm stuck on my essay - what's the word for it", ["I'm stuck on my essay"]),
        ("Roma'ya taşındım, sence ne yapmalıyım", ["Roma'ya taşındım"]),
    ],
)
def test_a_question_without_its_mark_is_no_part_of_the_statement_before_it(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I know what I want",
        "I told Ada how we met",
        "I pay 12 euros, which is a lot",
        "I learnt where the lake is",
        "I saw how you can fix a bike",
        "Ne yapmalıyım diye düşündüm",
    ],
)
def test_what_only_looks_like_a_question_stays(text):
    assert said(text) == [text]


def test_a_clause_that_tells_more_is_kept_before_a_question():
    text = "I want to lower my tax, which is 15% on gains, so can you help me?"
    assert said(text) == ["I want to lower my tax, which is 15% on gains"]
    assert said("I have two coats, which one should I wear?") == ["I have two coats"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What should I cook, considering I've never used an oven?", ["I've never used an oven"]),
        (
            "Where do I start, given that I work nights and have two kids?",
            ["I work nights", "I have two kids"],
        ),
        ("How do I plan now that we have moved to Rome?", ["We have moved to Rome"]),
        (
            "What do I do since the long sessions with Tom got extended to July 16?",
            ["The long sessions with Tom got extended to July 16"],
        ),
        (
            "I'm in Rome, can you help me choose, considering the fact that I've never been to a museum?",
            ["I'm in Rome", "I've never been to a museum"],
        ),
        ("Ne yapmalıyım, madem toplantı mayısa alındı?", ["Toplantı mayısa alındı"]),
    ],
)
def test_why_something_is_asked_is_stated(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "How long has it been since the beginning?",
        "What has changed since the updated version of the plan?",
        "How has it gone since my birthday?",
        "What are the odds of an ace given that the first card was an ace?",
        "What have you done since last week?",
        "Madem öyle, ne yapmalıyım?",
    ],
)
def test_what_tells_nothing_by_a_verb_or_supposes_is_no_ground(text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hello there!",
        "ok cool",
        "Thanks so much!",
        "Sounds good to me.",
        "Let me think about that.",
        "what is the capital of France",
        "You love negotiating, right?",
        "You said you hate flying, correct?",
        "My flight is on Friday, isn't that right?",
        "Anna lives in Rome, right?",
        "Ayşe Roma'da yaşıyor, değil mi?",
        "How are you?",
        "do you like tea",
        "Have a nice day!",
        "Aww, they're adorable!",
        "Well done, Mel!",
        "That's great!",
        "Merhaba, nasılsın?",
        "Tamam, teşekkürler",
        "Bir düşüneyim",
        "Neden böyle oluyor",
        "Kahve sever misin",
        "Kolay gelsin",
        "",
        "?!",
        "12345",
    ],
)
def test_questions_and_small_talk_are_left_out(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Ada lives in Rome. She works at Acme.", "Ada works at Acme"),
        ("My wife is a nurse. She works nights.", "My wife works nights"),
        ("My sister is called Zelda. She's a nurse.", "Zelda's a nurse"),
        ("Ada has a dog. Her dog is big.", "Ada's dog is big"),
        ("Ada met Bob. He left early.", "Bob left early"),
        ("My boss is Tom. I like him.", "I like Tom"),
        ("Ayşe Roma'da yaşıyor. Onun kedisi var.", "Ayşe'nin kedisi var"),
        ("Mehmet geldi. O da kahve sever.", "Mehmet kahve sever"),
    ],
)
def test_a_pronoun_is_named_where_one_person_fits(text, last):
    assert said(text)[-1] == last
    assert not statements(text)[-1].dangling


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Ada met Alice. She left early.", "She left early"),
        ("Lisbon is sunny. She likes tea.", "She likes tea"),
        ("Bob came. She left early.", "She left early"),
        ("He works at Acme.", "He works at Acme"),
        ("Ada left. It was late. We ate. I slept well. She works at Acme.", "She works at Acme"),
        ("It works for me.", "It works for me"),
        ("Onun kedisi var.", "Onun kedisi var"),
        ("Ayşe ve Fatma geldi. Onun kedisi var.", "Onun kedisi var"),
    ],
)
def test_a_pronoun_stays_and_is_told_where_more_or_fewer_fit(text, last):
    assert said(text)[-1] == last
    assert statements(text)[-1].dangling


def test_people_of_the_turns_before_can_be_meant():
    assert said("She works at Acme.", people=(Person("Ada", "f"),)) == ["Ada works at Acme"]


def test_o_that_is_no_person_is_left_alone():
    assert said("Ayşe geldi. O gün çok yağmur yağdı.")[-1] == "O gün çok yağmur yağdı"


@pytest.mark.parametrize(
    "text", ["Write a poem about cats.", "Please remind me to call.", "Bana bir şiir yaz", "Lütfen kısa tut"]
)
def test_requests_are_told_from_statements(text):
    assert [statement.kind for statement in statements(text)] == ["request"]


@pytest.mark.parametrize("text", ["Always use tabs.", "I write poems.", "Şiir yazıyorum"])
def test_statements_are_told_from_requests(text):
    assert [statement.kind for statement in statements(text)] == ["statement"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Can you always answer in bullet points?", "Always answer in bullet points"),
        ("Could you please answer in French from now on?", "Answer in French from now on"),
        ("Please never call me before nine.", "Never call me before nine"),
        (
            "I'd like you to show prices whenever I ask about hotels.",
            "Show prices whenever I ask about hotels",
        ),
        ("Lütfen bundan sonra kısa yaz.", "Bundan sonra kısa yaz"),
        ("Bana hep kısa cevap verir misin?", "Bana hep kısa cevap verir misin"),
    ],
)
def test_a_request_that_holds_from_then_on_is_stated(text, expected):
    [found] = statements(text)
    assert (found.text, found.kind) == (expected, "statement")


@pytest.mark.parametrize(
    "text",
    [
        "Can you explain why the sky is always blue?",
        "Would you like me to always use metric units?",
        "Will you be there every time?",
        "Can you book a table for two?",
        "Do you always answer in bullet points?",
        "Bana kısa cevap verir misin?",
    ],
)
def test_a_question_of_the_moment_states_nothing(text):
    assert all(one.kind == "request" for one in statements(text))


def test_a_sentence_is_read_in_its_own_language():
    assert [s.language for s in statements("I moved to Lisbon in May.\nLizbon'u çok seviyorum.")] == [
        "en",
        "tr",
    ]


def test_a_statement_says_where_its_own_words_stand():
    text = "Hi! I live in Rome and work at Acme."
    assert [text[s.start : s.end] for s in statements(text)] == ["I live in Rome", "work at Acme"]


@given(any_text)
def test_any_text_gives_statements_within_it(text):
    for statement in statements(text):
        assert 0 <= statement.start < statement.end <= len(text)
        assert statement.text.strip()


@pytest.mark.parametrize(
    "piece", ["I live in Rome. ", "a ", "She, he. ", "a. ", "?! ", "x\n", "1. ", "(((", "My friend ", "i̇ "]
)
def test_a_long_text_takes_time_in_proportion_and_gives_a_bounded_number(piece):
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    assert len(statements(text)) <= MAX_STATEMENTS
    assert time.perf_counter() - started < 8
