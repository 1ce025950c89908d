"""The table of intents as weights."""

import pytest

from recollect.language.intents import PLANS, Intent, IntentPlan
from recollect.recall.profiles import PROFILES, Profile
from recollect.recall.routing import BY_MEANING, BY_WORDS, routed

DEFAULT = PROFILES["default"]


def share(profile: Profile, names: tuple[str, ...]) -> float:
    return sum(profile.weights.get(name, 0.0) for name in names)


@pytest.mark.parametrize("kind", Intent)
def test_meaning_and_words_keep_the_plans_part_of_their_weight(kind):
    plan, found = PLANS[kind], routed(DEFAULT, PLANS[kind])
    part = plan.vector_weight + plan.text_weight
    assert share(found, BY_MEANING + BY_WORDS) == pytest.approx(part * share(DEFAULT, BY_MEANING + BY_WORDS))


def test_an_even_plan_changes_nothing_between_meaning_and_words():
    found = routed(DEFAULT, IntentPlan())
    assert found.weights == pytest.approx(dict(DEFAULT.weights))


def test_a_factual_question_leans_to_meaning_and_one_about_time_to_words():
    factual, temporal = (routed(DEFAULT, PLANS[kind]) for kind in (Intent.FACTUAL, Intent.TEMPORAL))
    assert share(factual, BY_MEANING) > share(DEFAULT, BY_MEANING) > share(temporal, BY_MEANING)
    assert share(factual, BY_WORDS) < share(DEFAULT, BY_WORDS) < share(temporal, BY_WORDS)


def test_a_causal_question_gives_the_rest_to_what_is_linked():
    found = routed(DEFAULT, PLANS[Intent.CAUSAL])
    gained = found.weights["linked"] - DEFAULT.weights["linked"]
    assert gained == pytest.approx(0.4 * share(DEFAULT, BY_MEANING + BY_WORDS))


def test_usefulness_and_categories_add_their_signals():
    assert routed(DEFAULT, PLANS[Intent.ENTITY_PROFILE]).weights["importance"] == pytest.approx(
        DEFAULT.weights["importance"] + 0.3
    )
    assert routed(DEFAULT, PLANS[Intent.PREFERENCE]).weights["category"] > 0
    assert "category" not in routed(DEFAULT, PLANS[Intent.GENERAL]).weights


@pytest.mark.parametrize("name", ["words", "meaning", "ranks"])
def test_a_plain_method_stays_what_it_is(name):
    assert all(routed(PROFILES[name], plan) == PROFILES[name] for plan in PLANS.values())
