"""A turn that states what was replaced says so, and stands below what replaced it."""

import pytest

from recollect.model import Filter, Lane

OLDER, NEWER = "My manager is Sarah.", "My manager is Tom."
FORMED = "Ada's manager is Tom"
QUESTION = "who is my manager?"


@pytest.fixture
def say(forming, clock):
    """Says some texts, one a day."""

    def said(*texts, **options):
        for text in texts:
            forming.observe([{"role": "user", "name": "Ada", "content": text}], **{"session": "s", **options})
            clock.advance(days=1)

    return said


def texts(found):
    return [hit.text for hit in found]


def hit_of(found, text):
    return next(hit for hit in found if hit.text == text)


def formed(memory, text):
    """A memory by its text, whether it still holds or not."""
    return next(m for m in memory.list(Filter(lanes=(Lane.MEMORY,), any_session=True)) if m.text == text)


def test_a_turn_says_what_replaced_its_statement_and_stays_as_it_was_said(forming, say):
    say(OLDER, NEWER)
    older = hit_of(forming.recall(QUESTION), OLDER)
    assert older.replaced_by == formed(forming, FORMED).id
    assert "no longer true" in older.holds
    assert older.memory.superseded_by is None
    assert hit_of(forming.recall(QUESTION), NEWER).replaced_by is None


def test_what_replaced_it_stands_above_it_however_the_question_is_worded(forming, say):
    say("I live in Porto by the river.", "I moved to Lisbon.")
    question = "where do I live, in Porto by the river?"
    assert texts(forming.recall(question, ablate=["outdated"]))[0] == "I live in Porto by the river."
    found = forming.recall(question)
    assert texts(found)[:2] == ["Ada moved to Lisbon", "I live in Porto by the river."]
    first, second = found[:2]
    assert first.signals["in_place"] > 0
    assert sum(first.signals.values()) == pytest.approx(first.score)
    assert first.relevance == second.relevance


def test_a_context_tells_both_in_words(forming, say):
    say("I live in Porto by the river.", "I moved to Lisbon.")
    lines = forming.context("where do I live, in Porto by the river?").splitlines()
    assert lines[1].startswith("- Ada moved to Lisbon (since 2026-01-02, replaces")
    assert 'Ada said, no longer true: replaced by "Ada moved to Lisbon")' in lines[2]


def test_a_question_about_another_statement_of_the_turn_leaves_it_alone(forming, say):
    say("I live in Porto. My dog is called Rex.", "I moved to Lisbon.")
    [both] = forming.list(Filter(lanes=(Lane.LOG,), any_session=True))[-1:]
    assert hit_of(forming.recall("what is my dog called?"), both.text).replaced_by is None
    assert hit_of(forming.recall("where do I live, in Porto?"), both.text).replaced_by is not None


def test_a_turn_that_corrects_itself_is_not_outdated(forming, say):
    say("The budget for the party is 150 euros. No, make it 180.")
    assert formed(forming, "The budget for the party is 150 euros").superseded_by is not None
    found = forming.recall("what is the budget for the party, 150 euros?")
    assert [hit.replaced_by for hit in found] == [None] * len(found)


def test_the_last_of_several_replacements_counts(forming, say):
    say(OLDER, NEWER, "My manager is Uma.")
    last = formed(forming, "Ada's manager is Uma").id
    found = forming.recall(QUESTION)
    assert {hit_of(found, text).replaced_by for text in (OLDER, NEWER)} == {last}


def test_who_asks_what_held_before_gets_the_turns_as_they_answer_and_is_told_all_the_same(forming, say):
    say("I live in Porto by the river.", "I moved to Lisbon.")
    question = "where did I use to live, in Porto by the river?"
    found = forming.recall(question)
    assert texts(found) == texts(forming.recall(question, ablate=["outdated"]))
    assert texts(found)[0] == "I live in Porto by the river."
    assert "no longer true" in found[0].holds


def test_as_of_an_earlier_time_it_still_held_and_later_it_is_as_it_was_then(forming, say, clock):
    say(OLDER)
    before = clock.now()
    clock.advance(hours=1)
    say(NEWER)
    asked, then = forming.recall(QUESTION, learn=False), clock.now()
    clock.advance(days=1)
    say("My manager is Uma.")
    assert hit_of(forming.recall(QUESTION, as_of=before), OLDER).replaced_by is None
    replayed = forming.recall(QUESTION, as_of=then)
    assert [(hit.id, hit.replaced_by) for hit in replayed] == [(hit.id, hit.replaced_by) for hit in asked]


@pytest.mark.parametrize("gone", ["forget", "purge"])
def test_what_is_gone_replaces_nothing_any_more(forming, say, gone):
    say(OLDER, NEWER)
    getattr(forming, gone)(formed(forming, FORMED).id)
    assert hit_of(forming.recall(QUESTION), OLDER).replaced_by is None


def test_what_is_over_still_says_that_the_turn_does_not_hold(forming, say, clock):
    say("The meeting is on Monday at 3 pm.", "Sorry, I meant Tuesday.")
    clock.advance(days=30)
    older = hit_of(forming.recall("when is the meeting?"), "The meeting is on Monday at 3 pm.")
    assert older.replaced_by is not None


def test_what_another_session_alone_sees_is_not_told(forming, say):
    say(OLDER)
    older = formed(forming, "Ada's manager is Sarah")
    hidden = forming.remember("Ada's manager is Vera", scope="session", session="other", supersedes=older.id)
    assert hit_of(forming.recall(QUESTION), OLDER).replaced_by is None
    assert hit_of(forming.recall(QUESTION, session="other"), OLDER).replaced_by == hidden.id
    assert "Vera" not in forming.context(QUESTION)


def test_what_stands_in_its_place_is_looked_up_where_the_question_did_not_bring_it(forming, say):
    say("I live in Porto by the river.", "I moved to Lisbon.")
    # So many that are more like the question that the replacement is no candidate of any arm.
    forming.remember_many([f"where do people live, in Porto by the river {n}?" for n in range(400)])
    found = forming.recall("where do I live, in Porto by the river?")
    told = texts(found)
    assert told.index("Ada moved to Lisbon") < told.index("I live in Porto by the river.")
    widened = next(step.detail for step in found.trace.steps if step.stage == "widen")
    assert widened["also"] == 1
