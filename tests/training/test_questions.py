"""Questions made by rules: about the speaker, answered by the turn, in words that people use."""

import json
import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from training.data import _conversation, examples
from training.made import made_dialogues
from training.pools import HARD, Pool
from training.questions import FIRST, about, from_fact, from_partner, from_turn, statements


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
    assert {example.source for example in first} == {"made", "turns"}
    again, others = (list(islice(examples(tmp_path, seed), 1_000)) for seed in (7, 8))
    assert first[:1_000] == again
    assert others != again


def test_a_turn_is_asked_for_in_its_own_words():
    said = "Haha, yes! We went to the zoo. Do you like zoos? I hope you do. My mom is a doctor."
    found = {question for seed in range(40) for question in from_turn(said, "Vera", Random(seed))}
    assert {"When did Vera go to the zoo?", "What does Vera's mom do?"} <= found
    assert not [question for question in found if "hope" in question or "like zoos" in question]


def test_texts_with_the_words_of_a_question_are_the_hard_ones():
    pool = Pool(["Vera: my dog is old", "Ben: a dog barked", "Ben: see you", "Vera: fine", "Ben: tea?"])
    hard = pool.hard("How old is the dog?", {0}, Random(0))
    assert len(hard) == HARD
    assert hard[0] == "Ben: a dog barked"
    assert "Vera: my dog is old" not in hard


def test_a_topic_is_a_phrase_of_the_text():
    pool = Pool(["we talked about the shared fishing boat on the lake", "we talked about the lake"])
    found = {pool.topic(pool.texts[0], Random(seed)) for seed in range(60)}
    assert {"shared fishing boat", "fishing", "lake"} <= found
    assert all(topic in pool.texts[0] for topic in found)
    assert pool.topic("so it is", Random(0)) is None


def test_a_query_is_answered_by_the_sessions_that_its_answer_built_on(tmp_path):
    def turn(speaker, content, **more):
        return {"speaker": speaker, "content": content, **more}

    def session(name, *turns):
        return {"session_uuid": name, "dialogue_turns": list(turns), "extracted_memory": []}

    user = {
        "dialogues": [
            session("boat", turn("User", "the fishing boat leaks"), turn("Assistant", "use tar on it")),
            session(
                "tea", turn("User", "tea is out"), turn("User", "boat shoes"), turn("User", "a boat song")
            ),
            session(
                "now",
                turn("User", "How do I mend the fishing boat?", is_query=True),
                turn("Assistant", "with tar", memory_session_uuids=["boat", "later"]),
            ),
        ]
    }
    (tmp_path / "realmem").mkdir()
    (tmp_path / "realmem" / "a.json").write_text(json.dumps(user))
    (found,) = [one for one in examples(tmp_path) if one.source == "queries"]
    assert (found.question, found.positive) == ("How do I mend the fishing boat?", "the fishing boat leaks")
    assert set(found.negatives) == {"tea is out", "boat shoes", "a boat song"}
