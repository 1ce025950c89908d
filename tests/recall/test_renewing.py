"""Of what the asker said of one thing, the newer stands above the older."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.recall.renewing import Statement, asked_in, contradicts, renews

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


def statements(memory, question):
    """What was said first and what was said last, beside a question."""
    asked = asked_in(question)
    return [Statement(one, asked) for one in sorted(memory.list(), key=lambda one: one.valid_from)]


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


def test_a_document_is_not_renewed_by_one_that_was_kept_later(memory):
    memory.remember(OLDER, metadata={"title": "Books"})
    memory.remember("Bees sleep at night")
    memory.remember(NEWER, metadata={"title": "More books"})
    assert not renewed(memory.recall(QUESTION))
    memory.remember(OLDER.replace("35", "36"))
    memory.remember(NEWER.replace("50", "51"))
    assert renewed(memory.recall(QUESTION)), "what the asker said still is"


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


@pytest.mark.parametrize(
    ("question", "older", "newer", "does"),
    [
        ("How many sources do I have?", "I have 45 sources", "I have now 52 sources", True),
        ("How many sources do I have?", "I have 45 sources", "My sources have grown to 52", True),
        ("How many sources do I have?", "I have 45 sources", "I have now 52 sources of tea on May 3", True),
        ("How many sources do I have?", "I have 45 sources", "I now sort sources since May 3", False),
        ("How many sources do I have?", "I have 45 sources", "I now have 3 pens for sources", False),
        ("What is my budget for tea?", "My budget for tea is $35", "My tea budget is now $50", True),
        ("What is my budget for tea?", "My budget for tea is $35", "My tea budget is now a table", False),
        ("When is the tea party?", "The tea party is on March 3", "The tea party was moved to March 5", True),
        ("When is the tea party?", "The tea party is on March 3", "The tea party has now 9 guests", False),
        (
            "Who hosts the tea party?",
            "Ada hosts the tea party on March 3",
            "Bo now hosts the tea party",
            True,
        ),
        ("Kaç kaynağım var?", "45 kaynak var", "Artık 52 kaynak var", True),
        ("Çay bütçem ne kadar?", "Çay bütçem 35 lira", "Çay bütçem artık 50 lira", True),
        ("Çay bütçem ne kadar?", "Çay bütçem 35 lira", "Çay bütçem artık 3 sayfa", False),
    ],
)
def test_a_figure_that_is_asked_for_is_renewed_by_one_of_its_kind(memory, question, older, newer, does):
    say(memory, older, newer)
    assert renews(*statements(memory, question), 0.45) is does


def test_every_newer_statement_stands_above_the_older_and_the_best_of_them_first(memory):
    better, worse = "The monthly budget for books was raised to 70 dollars", NEWER
    say(memory, OLDER, "Bees sleep at night", better, worse)
    assert texts(memory.recall(QUESTION, ablate=["newest"]))[:3] == [OLDER, better, worse]
    found = memory.recall(QUESTION)
    assert texts(found)[:3] == [better, worse, OLDER]
    assert renewed(found) == 2


@pytest.mark.parametrize(
    ("question", "newer", "stands_first"),
    [
        ("Which port does the frontend run on?", "The backend runs on port 8000.", False),
        ("Which port does the frontend run on?", "The frontend runs on port 8000 now.", True),
        ("On which port does it run?", "The backend runs on port 8000.", True),
    ],
)
def test_the_same_said_of_another_thing_renews_nothing(memory, question, newer, stands_first):
    say(memory, "The frontend runs on port 3000.", "Bees sleep at night", newer)
    assert renews(*statements(memory, question)[::2], 0.9) is stands_first


@pytest.mark.parametrize(
    ("older", "newer", "does"),
    [
        (NEVER_MET, "I met Kelly at the book club", True),
        (NEVER_MET, "I read of Kelly in a book", False),
        (MET, "I never met Kelly", True),
        (MET, "I never met Tom", False),
        (MET, "I met Kelly at another book club", False),
    ],
)
def test_what_affirms_a_denied_thing_says_nearly_all_of_it(memory, older, newer, does):
    say(memory, older, newer)
    assert contradicts(*statements(memory, "Have I ever met Kelly at a book club?"), 0.5) is does


def test_who_is_not_sure_denies_nothing(memory):
    say(memory, MET, "I met Kelly at the book club and I'm not sure if the library has one")
    assert not renewed(memory.recall("Have I ever met Kelly at a book club?"))


def test_two_that_say_the_same_of_it_stay_as_they_are(memory):
    say(memory, "I met Kelly at the book club of the library", "We met Kelly often, as the book club goes on")
    question = "Have I ever met Kelly at the book club of the library?"
    assert texts(memory.recall(question)) == texts(memory.recall(question, ablate=["newest"]))
    assert not renewed(memory.recall(question))


@pytest.mark.parametrize(
    "question",
    ["What was my monthly budget for books?", "What is my monthly budget for books in March 2026?"],
)
def test_a_question_of_another_time_is_left_alone(changed, clock, question):
    clock.set(START + timedelta(days=60))
    found = changed.recall(question)
    assert renewed(found) is None
    assert all("newer" not in hit.signals for hit in found)


def test_of_a_time_ahead_what_was_said_last_holds(memory, clock):
    older, newer = "I visit the dentist tomorrow at 3 PM", "I moved the visit of the dentist to 4 PM"
    say(memory, older, "Bees sleep at night", newer)
    clock.set(START + timedelta(days=4))
    question = "What time do I visit the dentist tomorrow?"
    assert texts(memory.recall(question, ablate=["newest"]))[0] == older
    assert texts(memory.recall(question))[:2] == [newer, older]


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
        (0.3, "costs of books, lamps, chairs and tables", True),
        (0.3, "costs of books, lamps, chairs, tables and desks", False),
    ],
)
def test_a_change_renews_what_is_alike_and_shares_the_question_s_words(memory, alike, question, does):
    say(memory, OLDER, NEWER)
    assert renews(*statements(memory, question), alike) is does


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
