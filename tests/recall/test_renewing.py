"""Of what the asker said of one thing, the newer stands above the older."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.language.terms import query_terms
from recollect.recall.renewing import renews

START = datetime(2026, 3, 1, tzinfo=UTC)
QUESTION = "What is my monthly budget for books?"
OLDER = "My monthly budget for books is 35 dollars"
NEWER = "The budget for books increased to a monthly 50 dollars"


def say(memory, *texts, role="user", **more):
    """One a day, each in a session of its own."""
    for day, text in enumerate(texts):
        at = (START + timedelta(days=day)).isoformat()
        memory.observe([{"role": role, "content": text, "timestamp": at, **more}], session=f"day {day}")


def texts(found):
    return [hit.text for hit in found]


def renewed(found):
    return next(dict(step.detail) for step in found.trace.steps if step.stage == "newest").get("renewed")


@pytest.fixture
def changed(memory):
    say(memory, OLDER, "Bees sleep at night", NEWER, "Birds fly")
    return memory


def test_the_newer_statement_of_a_change_stands_first(changed):
    assert texts(changed.recall(QUESTION, ablate=["newest"]))[0] == OLDER
    found = changed.recall(QUESTION)
    assert texts(found)[:2] == [NEWER, OLDER]
    assert renewed(found) == 1


def test_the_score_says_what_lifted_it(changed):
    without = {hit.id: hit.score for hit in changed.recall(QUESTION, ablate=["newest"])}
    first, second = changed.recall(QUESTION)[:2]
    assert first.signals["newer"] == pytest.approx(second.score - without[first.id])
    assert sum(first.signals.values()) == pytest.approx(first.score)
    assert first.score == pytest.approx(second.score)


def test_another_number_renews_without_a_word_of_change(memory):
    say(memory, OLDER, "The monthly budget for books is 50 dollars")
    assert texts(memory.recall(QUESTION))[0] == "The monthly budget for books is 50 dollars"


MET = "I met Kelly at the book club of the library"
NEVER_MET = "I never met Kelly at a book club"


@pytest.mark.parametrize(("older", "newer"), [(MET, NEVER_MET), (NEVER_MET, MET)])
def test_who_asks_whether_they_did_gets_what_they_said_last(memory, older, newer):
    say(memory, older, "Bees sleep at night", newer)
    found = memory.recall("Have I ever met Kelly at a book club?")
    assert texts(found)[:2] == [newer, older]


def test_two_that_say_the_same_of_it_stay_as_they_are(memory):
    say(memory, "I met Kelly at the book club of the library", "We met Kelly often, as the book club goes on")
    question = "Have I ever met Kelly at the book club of the library?"
    assert texts(memory.recall(question)) == texts(memory.recall(question, ablate=["newest"]))
    assert not renewed(memory.recall(question))


@pytest.mark.parametrize(
    "question",
    ["What was my monthly budget for books?", "What is my monthly budget for books in March 2026?"],
)
def test_a_question_of_another_time_is_left_alone(changed, question):
    found = changed.recall(question)
    assert renewed(found) is None
    assert all("newer" not in hit.signals for hit in found)


def test_what_the_assistant_says_renews_nothing(memory):
    say(memory, OLDER)
    say(memory, "unrelated", NEWER, role="assistant")
    assert texts(memory.recall(QUESTION))[0] == OLDER


def test_what_another_speaker_says_renews_nothing(memory):
    say(memory, OLDER, name="Ada")
    say(memory, "unrelated", NEWER, name="Ben")
    assert texts(memory.recall(QUESTION))[0] == OLDER


@pytest.mark.parametrize(
    "other",
    [
        "I increased the brightness of the lamp to 50 %",
        "A monthly budget for books sounds sensible to everybody I know",
        "A lamp is now in the dollars store",
    ],
    ids=["of another thing", "no change, no number", "a change that shares no word with the question"],
)
def test_what_does_not_speak_of_the_same_change_renews_nothing(memory, other):
    say(memory, OLDER, other)
    found = memory.recall(QUESTION)
    assert texts(found)[0] == OLDER
    assert not renewed(found)


@pytest.mark.parametrize(
    ("alike", "question", "does"),
    [
        (0.3, "monthly budget for books", True),
        (0.29, "monthly budget for books", False),
        (0.3, "books, lamps, chairs and tables", True),
        (0.3, "books, lamps, chairs, tables and desks", False),
    ],
)
def test_a_change_renews_what_is_alike_and_shares_the_question_s_words(memory, alike, question, does):
    say(memory, OLDER, NEWER)
    older, newer = sorted(memory.list(), key=lambda one: one.valid_from)
    assert renews(frozenset(query_terms(question)), older, newer, alike) is does


def test_a_document_s_formula_ranks_as_the_document_says(changed):
    found = changed.recall(QUESTION, profile="cognitive")
    assert all("newer" not in hit.signals for hit in found)


def test_a_compound_question_is_renewed_where_its_parts_bring_more_than_the_whole(memory):
    say(memory, *(f"Birds of sort {number} fly to lake {number}" for number in range(120)))
    say(memory, OLDER, *(f"The budget of club {number} is for books" for number in range(120)), NEWER)
    question = "What is my monthly budget for books and where do birds fly?"
    found = memory.recall(question, k=40, ablate=["parts"])
    assert next(step.detail["more"] for step in found.trace.steps if step.stage == "fuse") > 0
    assert texts(found).index(NEWER) < texts(found).index(OLDER)


def test_what_was_formed_from_a_statement_does_not_renew_it(forming):
    say(forming, "My monthly budget for books is now 35 dollars, up from 20")
    assert len(forming.recall(QUESTION, ablate=["fold"])) == 2
    assert not renewed(forming.recall(QUESTION))
