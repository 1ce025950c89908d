"""Figures: what a number measures, what a question asks for, and when two differ."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.figures import another, asked_for, figures, gives

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $1,200 or 900 euros", [("money", "1,200"), ("money", "900")]),
        ("85% of it, or 12 percent", [("share", "85"), ("share", "12")]),
        ("at 4:30 PM, not at 3 pm", [("hour", "4:30"), ("hour", "3")]),
        ("on 2024-04-05, or April 5", [("day", "04-05"), ("day", "04-05")]),
        ("July 12-15", [("day", "07-12-15")]),
        ("two cats and 3 dogs", [("count", "2"), ("count", "3")]),
        (
            "1.200 lira, 20 TL, %15, yüzde 12",
            [("money", "1.200"), ("money", "20"), ("share", "15"), ("share", "12")],
        ),
        ("5 Nisan saat 15:30", [("day", "04-05"), ("hour", "15:30")]),
        ("no number at all", []),
    ],
)
def test_a_figure_has_a_kind_and_a_value(text, expected):
    assert [(one.kind, one.value) for one in figures(text)] == expected


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How many books do I own?", {"count"}),
        ("What is my budget?", {"money"}),
        ("What time is the demo?", {"hour"}),
        ("What is the deadline?", {"day"}),
        ("What is the tax rate?", {"share"}),
        ("Who likes oranges?", set()),
        ("Where does Kira live?", set()),
        ("Kaç kitabım var?", {"count"}),
        ("Bütçem ne kadar?", {"money"}),
        ("Toplantı ne zaman?", {"hour", "day"}),
        ("Nerede yaşıyorum?", set()),
    ],
)
def test_a_question_asks_for_kinds_of_figures(question, kinds):
    assert asked_for(question) == kinds


def test_a_count_is_of_what_is_asked_for():
    counts, asked = frozenset({"count"}), frozenset({"book"})
    assert gives("12 old books and 3 pens", counts, asked) == {("count", "12")}
    assert gives("the number of books has reached 12", counts, asked) == {("count", "12")}
    assert gives("3 pens beside the books", counts, asked) == set()


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ({("money", "35")}, {("money", "50")}, True),
        ({("money", "35")}, {("money", "35")}, False),
        ({("money", "35")}, {("money", "35"), ("day", "04-05")}, False),
        (set(), {("money", "50")}, False),
    ],
)
def test_another_figure_is_of_a_kind_that_was_given_before(before, after, differs):
    assert another(frozenset(before), frozenset(after)) is differs


@given(any_text)
def test_any_text_has_figures_with_a_kind(text):
    assert {one.kind for one in figures(text)} <= {"money", "share", "hour", "day", "count"}
    assert asked_for(text) <= {"money", "share", "hour", "day", "count"}


@pytest.mark.parametrize("piece", ["1", "1,", "may ", "$1 ", "a1 ", "-", "12 a b c "])
def test_a_long_text_is_read_as_far_as_it_goes(piece):
    started = time.perf_counter()
    figures(piece * 100_000)
    assert time.perf_counter() - started < 1
