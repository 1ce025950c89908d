"""Questions made by rules: about the speaker, answered by the turn, in words that people use."""

import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from training.data import _conversation, examples
from training.made import made_dialogues
from training.questions import FIRST, about, from_fact, from_partner, statements


def asked(fact, who="Vera", seed=0):
    return set(from_fact(fact, who, Random(seed), most=99))


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("I am a nurse.", "What does Vera do for a living?"),
        ("I live in Oslo.", "Where does Vera live?"),
        ("I have two cats.", "What pets does Vera have?"),
        ("I have three brothers.", "How many brothers does Vera have?"),
        ("I like painting.", "What are Vera's hobbies?"),
        ("My favorite color is green.", "What is Vera's favorite color?"),
        ("My mom is a doctor.", "What does Vera's mom do?"),
        ("I want to run a marathon.", "What are Vera's plans?"),
        ("I went to the zoo.", "When did Vera go to the zoo?"),
        ("I used to smoke.", "What did Vera use to do?"),
        ("I prefer tea.", "What does Vera prefer?"),
    ],
)
def test_a_statement_is_asked_for_by_what_it_tells(fact, question):
    assert question in asked(fact)


def test_the_one_who_asks_may_be_the_one_who_spoke():
    assert "Where do I live?" in asked("I live in Oslo.", FIRST)
    assert "What is my favorite color?" in asked("My favorite color is green.", FIRST)
    assert not [q for q in asked("I like painting.", FIRST) if re.search(r"\b(does|is) I\b", q)]


def test_what_the_other_one_asked_becomes_a_question_about_the_one_who_answers():
    assert from_partner("Nice! What do you do for work?", "Vera") == "What does Vera do for work?"
    assert from_partner("And are you still in your old flat?", FIRST) == "Am I still in my old flat?"


@pytest.mark.parametrize("said", ["How are you?", "I see.", "Really?", "Is it?", "Lovely, you and me?"])
def test_small_talk_asks_nothing(said):
    assert from_partner(said, "Vera") is None


def test_a_topic_is_asked_about_by_name_or_as_ones_own():
    assert "Vera" in about("pottery", "Vera", Random(1)) or "pottery" in about("pottery", "Vera", Random(1))
    assert re.search(r"\b(I|my|me|we)\b", about("pottery", FIRST, Random(2)))


def test_statements_are_taken_apart():
    assert statements("I run. I swim! Do I? ") == ["I run.", "I swim!", "Do I?"]


def test_a_dialogue_gives_questions_with_their_turn_and_others_of_the_same_dialogue():
    rng = Random(3)
    found = [e for dialogue in made_dialogues(rng, 20) for e in _conversation(dialogue, "made", rng)]
    assert len(found) > 100
    for example in found:
        assert example.positive not in example.negatives
        assert 1 <= len(example.negatives) <= 3


def test_the_same_seed_gives_the_same_examples_and_missing_sources_are_left_out(tmp_path: Path):
    first = list(examples(tmp_path, 7))
    assert {example.source for example in first} == {"made"}
    again, others = (list(islice(examples(tmp_path, seed), 1_000)) for seed in (7, 8))
    assert first[:1_000] == again
    assert others != again
