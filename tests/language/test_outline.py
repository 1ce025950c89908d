"""A document is told by its title, its sections, what it begins with and what it says again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.outline import MOST_ITEMS, MOST_SECTIONS, outline, plain

PLAN = """Good choice. I booked the hall for Friday.
Here is what we have:

### **Party plan for Ada**
**Food:**
* **Cake:** from the bakery on Main Street
* Salad
**Music:**
1. A band from Porto
2. A playlist for later
"""


def test_the_foremost_heading_is_the_title_and_those_below_are_the_sections():
    found = outline(PLAN)
    assert found.title == "Party plan for Ada"
    assert found.sections == ("Food", "Music")
    assert found.lead == "Good choice. I booked the hall for Friday.\nHere is what we have:"


def test_headings_of_one_rank_are_all_sections():
    found = outline("## Option A: by train\n- fast\n## Option B: by bus\n- cheap")
    assert (found.title, found.sections) == ("", ("Option A: by train", "Option B: by bus"))


def test_without_headings_the_outermost_items_are_the_sections():
    found = outline("Steps:\n- **Bake:** 40 minutes\n  - not longer\n- Let it cool\n- Eat")
    assert (found.title, found.sections) == ("", ("Bake", "Let it cool", "Eat"))
    assert not found.has_headings


@pytest.mark.parametrize(
    ("lead", "told"),
    [
        ("To recap, your trip:", True),
        ("Özetle, tercihlerin:", True),
        ("Some ideas:", False),
    ],
)
def test_a_list_that_says_again_what_was_agreed_is_told_with_its_lead(lead, told):
    found = outline(f"{lead}\n- **Budget:** at most 1,500 euros\n- Only trains and no planes\n- x\n- y")
    expected = (f"{lead[:-1]}: Budget: at most 1,500 euros", f"{lead[:-1]}: Only trains and no planes")
    assert found.told == (expected if told else ())
    assert found.listed == ("Budget: at most 1,500 euros", "Only trains and no planes")


def test_what_is_mostly_prose_is_no_document():
    assert outline("I moved to Rome.\n- with my cat\n- and my dog\nIt is warm here.") is None
    assert outline("```\n# one\n# two\n# three\n# four\n```") is None, "code has no headings"


def test_emphasis_goes_and_everything_else_stays():
    assert plain("**Budget:** *at most* __ten__ euros") == "Budget: at most ten euros"
    assert plain("2 * 3 * 4 and `**kwargs` and a_b_c") == "2 * 3 * 4 and `**kwargs` and a_b_c"


@given(
    st.lists(st.sampled_from(["# a", "## b", "- c: dddddddddddddddddddddd", "e", "", "**f**", "1. g", "```"]))
)
def test_any_mix_of_lines_is_read_within_bounds(lines):
    found = outline("\n".join(lines))
    if found is not None:
        assert len(found.sections) <= MOST_SECTIONS
        assert len(found.listed) <= MOST_ITEMS
