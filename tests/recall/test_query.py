"""What may be asked, and what is said of what may not."""

import pytest

from recollect.errors import InvalidInput
from recollect.recall.query import Query


@pytest.mark.parametrize(
    ("question", "told"),
    [("", "empty"), (" \n", "empty"), (5, "a text, not int"), (None, "a text, not NoneType")],
)
def test_what_is_no_question_is_told_for_what_it_is(question, told):
    with pytest.raises(InvalidInput, match=told):
        Query(question)
