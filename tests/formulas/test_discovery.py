"""Of many findings, few that are believed are chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.discovery import discoveries

CHANCES = st.lists(st.floats(0.0, 1.0), max_size=40)


def test_it_is_the_procedure_of_benjamini_and_hochberg():
    """The example of their paper, section 3.2: four of fifteen at a rate of .05."""
    p = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    ]
    assert discoveries(p).tolist() == [True] * 4 + [False] * 11


@given(CHANCES)
def test_a_surer_finding_is_never_refused_where_another_is_believed(p):
    believed = discoveries(p)
    if believed.any() and not believed.all():
        assert np.array(p)[believed].max() < np.array(p)[~believed].min()


@given(CHANCES)
def test_what_is_believed_at_a_strict_rate_is_believed_at_a_lax_one(p):
    assert (discoveries(p, 0.01) <= discoveries(p, 0.2)).all()


@pytest.mark.parametrize(("p", "rate"), [([0.5], 0.0), ([0.5], 1.0), ([1.5], 0.05), ([float("nan")], 0.05)])
def test_what_is_no_chance_is_refused(p, rate):
    with pytest.raises(InvalidInput):
        discoveries(p, rate)
