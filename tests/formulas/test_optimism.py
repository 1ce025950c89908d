"""What was rarely tried may be better than it looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.optimism import hopeful

chance = st.floats(0.0, 1.0)


def test_it_has_its_golden_values():
    assert float(hopeful(0.5, 0, optimism=1.0)) == pytest.approx(0.75)
    assert float(hopeful(0.5, 12, optimism=1.0)) == pytest.approx(0.5 + (0.25 / 16) ** 0.5)


@given(chance, st.integers(0, 1000), st.floats(0.0, 5.0))
def test_hope_never_takes_away_and_has_a_bound(p, tries, optimism):
    assert p <= float(hopeful(p, tries, optimism=optimism)) <= p + optimism / 2


@given(chance, st.integers(0, 1000))
def test_the_more_was_tried_the_less_is_hoped(p, tries):
    assert float(hopeful(p, tries + 1, optimism=1.0)) <= float(hopeful(p, tries, optimism=1.0))


def test_without_optimism_the_chance_stays():
    assert hopeful([0.2, 0.7], [0, 5], optimism=0.0).tolist() == [0.2, 0.7]


@pytest.mark.parametrize("wrong", [{"optimism": -1.0}, {"optimism": 1.0, "pseudo_counts": 0.0}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(InvalidInput, match="optimism"):
        hopeful(0.5, 1, **wrong)
