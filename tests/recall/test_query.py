"""What may be asked, and what is said of what may not."""

from dataclasses import fields

import pytest

from recollect.errors import InvalidInput
from recollect.recall.options import RecallOptions
from recollect.recall.query import Query


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
