"""Intents: each kind of question is told by how it opens, then by what it holds."""

import time
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.intents import PLANS, Intent, intent
from recollect.relations import EDGE_TYPES

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)

QUESTIONS = {
    Intent.CAUSAL: [
        "Why did Ada move?",
        "WHY?",
        "How come we left?",
        "What made Ada quit?",
        "What was the reason for the delay?",
        "Can you tell me why Ada left?",
        "Where did Ada move, and why?",
        "Ada neden taşındı?",
        "NİYE GEÇ KALDIK?",
        "İşten ayrılma sebebim neydi?",
    ],
    Intent.TEMPORAL: [
        "When did Ada move?",
        "When did I start liking tea?",
        "How long did it take?",
        "What time is the meeting?",
        "In which order did I do it?",
        "What did I do last week?",
        "What did John do in 2022?",
        "do you remember when we met?",
        "Ne zaman taşındım?",
        "Toplantı saat kaçta?",
        "Dün ne yedim?",
        "Geçen hafta nereye gittik?",
        "Kaç yıldır evliyiz?",
    ],
    Intent.ENTITY_PROFILE: [
        "Who is Ada?",
        "who's Ada Lovelace?",
        "Tell me about Ada Lovelace",
        "What do you know about the project?",
        "What is Ada like?",
        "Ada kimdir?",
        "Ayşe kim?",
        "Ayşe hakkında ne biliyorsun?",
        "Mehmet nasıl biri?",
        "Bana Ayşe'yi anlat",
    ],
    Intent.PREFERENCE: [
        "What's my favourite colour?",
        "What is my favorite food",
        "Do I like tea?",
        "Which editor do I prefer?",
        "What kind of music does Ada like?",
        "Can you suggest some books?",
        "En sevdiğim renk ne?",
        "Ada çay sever mi?",
        "Hangi editörü tercih ediyorum?",
        "Hangi yemekten hoşlanmam?",
    ],
    Intent.FACTUAL: [
        "Where do I live?",
        "What is my address?",
        "How many cats does Ada have?",
        "Who is my doctor?",
        "Is Ada married?",
        "Adresim ne?",
        "Kaç kedim var?",
        "Nerede oturuyorum?",
        "Ada evli mi?",
        "ADA EVLİ Mİ?",
    ],
    Intent.GENERAL: [
        "The weather is fine.",
        "budget tracker project",
        "ilginç bir konu",
        "Ada moved to Lisbon",
        "",
    ],
}


@pytest.mark.parametrize(
    ("expected", "question"), [(kind, text) for kind, texts in QUESTIONS.items() for text in texts]
)
def test_a_question_has_its_intent(expected, question):
    assert intent(question) is expected


def test_every_intent_has_a_plan_with_known_edges():
    assert set(PLANS) == set(Intent)
    for plan in PLANS.values():
        assert set(plan.edge_types) <= set(EDGE_TYPES)
        assert 0 < plan.vector_weight + plan.text_weight <= 1
        assert bool(plan.hops) is bool(plan.edge_types)


@pytest.mark.parametrize(
    ("kind", "vector", "text", "limit", "sort"),
    [
        (Intent.FACTUAL, 0.6, 0.4, 10, "relevance"),
        (Intent.TEMPORAL, 0.4, 0.6, 15, "valid_from"),
        (Intent.CAUSAL, 0.3, 0.3, 20, "relevance"),
        (Intent.ENTITY_PROFILE, 0.5, 0.5, 15, "utility"),
        (Intent.PREFERENCE, 0.5, 0.5, 10, "utility"),
        (Intent.GENERAL, 0.5, 0.5, 10, "relevance"),
    ],
)
def test_the_plans_are_those_of_the_design(kind, vector, text, limit, sort):
    plan = PLANS[kind]
    assert (plan.vector_weight, plan.text_weight, plan.limit, plan.sort) == (vector, text, limit, sort)


def test_each_special_handling_belongs_to_its_intent():
    assert [kind for kind, plan in PLANS.items() if plan.include_superseded] == [Intent.TEMPORAL]
    assert [kind for kind, plan in PLANS.items() if plan.hops == 2] == [Intent.CAUSAL]
    assert [kind for kind, plan in PLANS.items() if plan.entity_hub] == [Intent.ENTITY_PROFILE]
    assert PLANS[Intent.PREFERENCE].categories == ("preference", "correction")
    with pytest.raises(FrozenInstanceError):
        PLANS[Intent.FACTUAL].limit = 3


@given(any_text)
def test_any_text_has_an_intent(text):
    assert intent(text) in Intent


def test_a_question_after_a_long_text_is_read():
    assert intent("lorem ipsum " * 10_000 + "\nand why did Ada move?") is Intent.CAUSAL


@pytest.mark.parametrize("piece", ["a ", "who is a ", "a-", "and ", "ı", "kim ", "what? ", "what "])
def test_a_megabyte_takes_little_time(piece):
    started = time.perf_counter()
    intent(piece * (10**6 // len(piece)))
    assert time.perf_counter() - started < 1.0
