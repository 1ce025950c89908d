"""A failure takes from the advice that led to it, and from no other: the document's table, to the digit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.formulas.decay import context_decay, decay_factor

qualities = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("scenario", "quality", "same_task", "followed", "lost"),
    [
        ("an expert for cleaning, retrieved in a failed cooling", 0.0, False, True, 0.0),
        ("retrieved, but the agent chose differently", 0.0, True, False, 0.0),
        ("of a region that succeeds, followed, failed for other reasons", 1.0, True, True, 0.05),
        ("of a region that fails, followed, and failed", 0.0, True, True, 0.30),
    ],
)
def test_the_four_scenarios_of_the_document(scenario, quality, same_task, followed, lost):
    factor = context_decay(quality, same_task=same_task, followed=followed)
    assert round(1.0 - factor, 12) == lost, scenario


@given(qualities, qualities)
def test_a_better_region_protects_more(one, other):
    low, high = sorted((one, other))
    assert 0.7 <= decay_factor(low) <= decay_factor(high) <= 0.95


@pytest.mark.parametrize("quality", [-0.1, 1.1, float("nan")])
def test_a_quality_that_is_none_is_refused(quality):
    with pytest.raises(InvalidInput, match="quality"):
        decay_factor(quality)
