"""Prohibitions: rules are told from habits and stories, and come back when their context does."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.prohibition import MAX_TRIGGERS, prohibition, prohibitions

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Never use println! for logging", "use println! for logging"),
        ("Never commit .env files", "commit .env files"),
        ("Don't ever push to main", "push to main"),
        ("You must never share the key because it leaks", "share the key"),
        ("Under no circumstances should you delete the backups", "delete the backups"),
        ("Please don't use tabs in this repo.", "use tabs in this repo"),
        ("Important: do not run migrations twice", "run migrations twice"),
        ("It is forbidden to edit generated/schema.py by hand", "edit generated/schema.py by hand"),
        ("Stop using tabs", "using tabs"),
        ("We never deploy on Fridays", "deploy on Fridays"),
        ("Asla main'e force push yapma", "main'e force push yapma"),
        ("Sakın .env dosyasını commit etme", ".env dosyasını commit etme"),
        ("Hiçbir zaman cuma günü deploy yapmayın", "cuma günü deploy yapmayın"),
        ("Lütfen veritabanını elle değiştirmeyin.", "veritabanını elle değiştirmeyin"),
        ("Üretimde println kullanmak yasak", "Üretimde println kullanmak"),
        ("Kesinlikle parolayı paylaşma", "parolayı paylaşma"),
    ],
)
def test_a_rule_says_what_must_not_be_done(text, action):
    assert prohibition(text).action == action


@pytest.mark.parametrize(
    "text",
    [
        "I never eat meat",
        "She never called me back",
        "We never went to Rome",
        "Never mind",
        "Don't worry about it",
        "I don't like tea",
        "Don't forget to call",
        "They have never used it",
        "Stop the app",
        "Merak etme",
        "Asla et yemem",
        "Toplantıyı unutma",
        "",
    ],
)
def test_habits_stories_and_comfort_are_no_rules(text):
    assert prohibition(text) is None


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Never use println! for logging in production", "let me add println!(x) here"),
        ("Never commit .env files", "git add .env"),
        ("Don't ever push to main", "I'll push this to main now"),
        ("Never run `rm -rf` here", "rm -rf build/"),
        ("Asla main'e force push yapma", "main dalına force push atıyorum"),
        ("Sakın .env dosyasını commit etme", "git add .env"),
    ],
)
def test_a_rule_comes_back_when_its_context_does(text, context):
    assert prohibition(text).concerns(context)


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Never use println! for logging in production", "the production logs are fine"),
        ("Don't ever push to main", "the main idea is good"),
        ("Never commit .env files", "I set up my environment"),
        ("Asla main'e force push yapma", "ana sayfa hazır"),
    ],
)
def test_a_rule_stays_away_from_other_contexts(text, context):
    assert not prohibition(text).concerns(context)


def test_triggers_are_names_in_code_and_words_with_content():
    assert prohibition("Never use println! or dbg!() for logging in production").triggers == (
        "println!",
        "dbg!",
        "logging",
        "production",
    )
    assert prohibition("Don't ever push to the main branch").triggers == ("push", "main", "branch")


def test_each_rule_of_a_text_is_found():
    text = "Never push to main. I like tea. Don't ever log tokens."
    assert [found.text for found in prohibitions(text)] == ["Never push to main", "Don't ever log tokens"]


@given(any_text, any_text)
def test_any_text_gives_bounded_rules_that_can_be_asked(text, context):
    for found in prohibitions(text):
        assert found.text
        assert len(found.triggers) <= MAX_TRIGGERS
        found.concerns(context)


@pytest.mark.parametrize("piece", ["never a", "never ", "do not x ", "asla ", "a b ", "`", "sakın git"])
def test_a_long_text_takes_time_in_proportion(piece):
    started = time.perf_counter()
    prohibitions((piece * 100_000)[:100_000])
    assert time.perf_counter() - started < 5
