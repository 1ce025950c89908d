"""The weight of the level follows what helped, and stays within bounds."""

import numpy as np
import pytest

from recollect.formulas.mixing import mixed, unmixed
from recollect.formulas.weighing import Weighing, WeighingParams, learned


def taught(helps, rounds=200):
    """Hits whose level matches, or does not, by turns; `helps` says whether such a one helped."""
    state = unmixed()
    for at in range(rounds):
        level = float(at % 2)
        state = learned(state, [0.5, level], helps(level), WeighingParams())
    return mixed(1.0, state)


def test_the_weight_rises_where_the_level_decides_and_falls_where_it_misleads():
    assert taught(lambda level: level == 1.0) > 1.5
    assert taught(lambda level: level == 0.0) < 0.7
    assert taught(lambda level: True) == pytest.approx(1.0, abs=0.1)


def test_before_any_outcome_and_beyond_all_evidence_it_is_bounded():
    assert mixed(0.7, unmixed()) == 0.7
    for gained, bound in (([0.0, 99.0], 8.0), ([99.0, 0.0], 1 / 8)):
        assert mixed(1.0, Weighing(np.array(gained), np.zeros(2))) == pytest.approx(bound)
