"""The n-th highest by a guess from a sample is the one that sorting gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.ordered import nth_highest

MANY = 20_000


@given(
    seed=st.integers(0, 2**32 - 1), count=st.integers(1, MANY), share=st.floats(0, 1), kinds=st.integers(1, 9)
)
def test_it_is_what_sorting_gives(seed: int, count: int, share: float, kinds: int) -> None:
    rng = np.random.default_rng(seed)
    # Few kinds of numbers tie often; with many there are no ties.
    numbers = (rng.integers(0, 4**kinds, count) / 7).astype(np.float32)
    n = 1 + int(share * (count - 1))
    assert nth_highest(numbers, n) == np.sort(numbers)[-n]


@pytest.mark.parametrize("n", [1, 5, 100])
def test_a_sample_that_misleads_does_not(n: int) -> None:
    numbers = np.zeros(MANY, np.float32)
    numbers[:: MANY // 1_024 | 1] = 5.0  # exactly those that the sample looks at
    numbers[1:4] = 9.0
    assert nth_highest(numbers, n) == np.sort(numbers)[-n]


def test_what_the_sample_did_not_see_counts() -> None:
    numbers = np.zeros(MANY, np.float32)
    numbers[1:51] = 3.0
    assert nth_highest(numbers, 50) == 3.0
    assert nth_highest(numbers, 51) == 0.0
