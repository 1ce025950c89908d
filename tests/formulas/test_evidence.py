"""What is more similar says more, and steeply so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.evidence import evidence_weight

cosines = st.floats(-1.0, 1.0)


@given(cosines, cosines)
def test_the_more_similar_one_weighs_no_less(one, other):
    low, high = sorted((one, other))
    assert 0.0 <= evidence_weight(low) <= evidence_weight(high) <= 1.0


def test_the_same_situation_weighs_one_and_a_temperature_less_weighs_e_times_less():
    assert evidence_weight([1.0, 0.94, 1.0 + 1e-6]).tolist() == pytest.approx([1.0, 0.36787944, 1.0])


def test_a_temperature_of_nothing_is_refused():
    with pytest.raises(InvalidInput, match="temperature"):
        evidence_weight(0.5, 0.0)
