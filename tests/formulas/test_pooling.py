"""Each part of a text weighs the same in its vector."""

import numpy as np
import pytest

from recollect.formulas.pooling import pooled


def test_the_whole_is_as_near_to_each_part_and_of_length_one():
    parts = np.eye(4, dtype=np.float32)[:3]
    whole = pooled(parts)
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0)
    assert (parts @ whole).tolist() == pytest.approx([3**-0.5] * 3)


def test_parts_that_cancel_each_other_out_still_give_a_direction():
    parts = np.array([[1, 0], [-1, 0]], np.float32)
    assert pooled(parts).tolist() == [1.0, 0.0]
