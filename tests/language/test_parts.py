"""A text in parts gives its parts back, and reads as a text."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.parts import SEPARATOR, in_parts, parts_of, readable


@given(
    st.lists(
        st.text(
            st.characters(exclude_characters=SEPARATOR, exclude_categories=["Cc", "Cs", "Z"]), min_size=1
        ),
        min_size=1,
    )
)
def test_parts_come_back_in_their_order(parts):
    assert parts_of(in_parts(parts)) == parts


def test_a_part_cannot_bring_another_in():
    assert parts_of(in_parts([f"a{SEPARATOR}b", "c"])) == ["a b", "c"]


def test_a_text_that_is_not_in_parts_is_its_own_only_part():
    assert parts_of("tests fail") == ["tests fail"]
    assert readable("tests fail") == "tests fail"
