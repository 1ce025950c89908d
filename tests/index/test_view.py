"""Rows of a view are found by content number, however the numbers lie."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.view import View

numbers = st.lists(st.integers(1, 60) | st.integers(1, 2**50), unique=True, max_size=30).map(sorted)


@given(numbers, numbers)
def test_a_mask_has_the_rows_of_the_given_numbers_and_passes_over_unknown_ones(here, wanted):
    contents = np.array(here, np.int64)
    ones, threads = np.ones(len(here), np.bool_), np.zeros(len(here), np.int64)
    view = View((), contents, ones, threads, ones, np.zeros(4, np.float32), 0)
    assert view.mask(np.array(wanted, np.int64)).tolist() == [number in wanted for number in here]
