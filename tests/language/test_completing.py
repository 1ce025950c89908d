"""What changed is named as in full as it was before, where there is just one that it can be."""

import pytest

from recollect.language.completing import LONGEST, completed

FULL = "The deadline for the report is Friday."


@pytest.mark.parametrize(
    ("said", "earlier", "whole"),
    [
        ("The deadline was moved to Monday", [FULL], "The deadline for the report was moved to Monday"),
        (
            "the budget has been increased to 180",
            ["Our budget for the party is 150 euros"],
            "the budget for the party has been increased to 180",
        ),
        (
            "My meeting was rescheduled to 4",
            ["I have a lot to do", "My meeting with Anna Bell is at 3"],
            "My meeting with Anna Bell was rescheduled to 4",
        ),
        (
            "The deadline was moved to Monday",
            [FULL, "The deadline for the report is close"],
            "The deadline for the report was moved to Monday",
        ),
    ],
)
def test_the_thing_that_changed_is_named_in_full(said, earlier, whole):
    assert completed(said, earlier, "en") == whole


@pytest.mark.parametrize(
    ("said", "earlier"),
    [
        ("The deadline was moved to Monday", []),
        ("The deadline was moved to Monday", [FULL, "The deadline for the talk is Sunday"]),  # which of both?
        ("The deadline is Monday", [FULL]),  # tells no change
        ("The deadline for the talk was moved to Monday", [FULL]),  # named in full already
        ("The talk was moved to Monday", [FULL]),  # something else
        ("A deadline was moved to Monday", [FULL]),  # any
        ("The deadline was moved to Monday" + " again" * LONGEST, [FULL]),
    ],
)
def test_where_it_is_not_sure_nothing_is_added(said, earlier):
    assert completed(said, earlier, "en") is None


def test_a_language_without_such_forms_adds_nothing():
    assert completed("Son tarih pazartesiye ertelendi", ["Raporun son tarihi cuma"], "tr") is None
