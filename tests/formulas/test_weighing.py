"""Outcomes teach what each signal says about success."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.formulas.weighing import DOCUMENTED, SIGNALS, WeighingParams, learned, log_posterior, unlearnt

PARAMS = WeighingParams()
ONES = np.full(len(SIGNALS), 0.5)


def after(outcomes, params=PARAMS):
    known = unlearnt()
    for signals, success in outcomes:
        known = learned(known, signals, success, params)
    return known


def having(name, value):
    signals = ONES.copy()
    signals[SIGNALS.index(name)] = value
    return signals


def test_the_documented_weights_are_the_beginning():
    assert dict(zip(SIGNALS, DOCUMENTED, strict=True))["similarity"] == 1.0
    assert float(log_posterior(having("similarity", 1.0)) - log_posterior(ONES)) == pytest.approx(0.5)


def test_a_signal_that_goes_with_success_gains_and_its_opposite_loses():
    told = [(having("region_match", float(place % 2)), bool(place % 2)) for place in range(60)]
    gained = dict(zip(SIGNALS, after(told).gained, strict=True))
    assert gained["region_match"] > 0.5
    assert max(abs(value) for name, value in gained.items() if name != "region_match") < 1e-9
    flipped = [(signals, not success) for signals, success in told]
    assert after(flipped).gained[SIGNALS.index("region_match")] < -0.5


def test_a_signal_that_says_nothing_stays_where_it_was():
    rng = np.random.default_rng(1)
    told = [(having("recency", float(rng.random())), bool(rng.random() < 0.5)) for _ in range(500)]
    assert abs(after(told).gained[SIGNALS.index("recency")]) < 0.6


@given(st.lists(st.booleans(), max_size=40))
def test_what_never_differs_teaches_nothing(outcomes):
    assert np.allclose(after([(ONES, success) for success in outcomes]).gained, 0.0, atol=1e-12)


def test_without_new_evidence_a_weight_goes_back():
    far = after([(having("reward", float(place % 2)), bool(place % 2)) for place in range(60)])
    later = far
    for _ in range(200):
        later = learned(later, later.usual, True, PARAMS)
    assert abs(later.gained).max() < 0.2 * abs(far.gained).max()
