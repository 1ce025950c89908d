"""What may be asked, and what is said of what may not."""

from dataclasses import fields

import pytest

from recollect.errors import InvalidInput
from recollect.recall.options import RecallOptions
from recollect.recall.query import Query, query_from


@pytest.mark.parametrize(
    ("question", "told"),
    [("", "empty"), (" \n", "empty"), (5, "a text, not int"), (None, "a text, not NoneType")],
)
def test_what_is_no_question_is_told_for_what_it_is(question, told):
    with pytest.raises(InvalidInput, match=told):
        Query(question)


def test_every_field_of_a_query_is_an_option_that_an_editor_knows():
    own = {"text", "k", "channel"}
    assert set(RecallOptions.__annotations__) == {field.name for field in fields(Query)} - own


@pytest.mark.parametrize(
    "option",
    [
        {"per_session": "2"},
        {"per_session": 1.5},
        {"min_relevance": "0.5"},
        {"tags": 0},
        {"tags": [1]},
        {"kinds": 5},
        {"lanes": [None]},
        {"ids": {"a": 1}.values()},
    ],
    ids=str,
)
def test_an_option_of_another_type_is_told(option):
    with pytest.raises(InvalidInput, match=next(iter(option))):
        query_from("where?", 5, "_global", option)


@pytest.mark.parametrize("k", ["5", 2.0, None, 0, 1_001])
def test_k_is_a_whole_number(k):
    with pytest.raises(InvalidInput, match="k is a whole number"):
        query_from("where?", k, "_global", {})


@pytest.mark.parametrize("name", ["lanes", "kinds", "tags", "ids", "channels", "ablate"])
def test_none_is_as_if_an_option_were_not_given(name):
    assert query_from("where?", 5, "_global", {name: None}) == Query("where?", 5)
