"""A trial serves its share of the questions, and the better side stays once both were judged often enough."""

import pytest

from recollect.formulas.ball import Ball
from recollect.graph.balls import JUDGED, TRIAL, USUAL, Kept, Trial


def test_a_trial_serves_its_share_and_a_question_always_from_the_same_side():
    kept = Kept("model", Ball(0.5), Trial(1.9, 0.3, {USUAL: (0, 0), TRIAL: (0, 0)}))
    served = [kept.serving(f"question {number}") for number in range(2_000)]
    assert 0.25 < sum(side == TRIAL for _, side in served) / len(served) < 0.35
    assert {ball.curvature for ball, side in served if side == TRIAL} == {1.9}
    assert {ball.curvature for ball, side in served if side == USUAL} == {0.5}
    assert served == [kept.serving(f"question {number}") for number in range(2_000)]


@pytest.mark.parametrize(
    ("usual", "trial", "verdict"),
    [
        ((10, JUDGED - 10), (15, JUDGED - 15), TRIAL),
        ((15, JUDGED - 15), (10, JUDGED - 10), USUAL),
        ((10, JUDGED - 10), (10, JUDGED - 10), USUAL),
        ((10, JUDGED - 10), (JUDGED - 1, 0), None),
        ((0, JUDGED - 1), (JUDGED, 0), None),
    ],
)
def test_the_better_side_stays_and_the_usual_one_where_they_are_equal(usual, trial, verdict):
    assert Trial(1.0, 0.1, {USUAL: usual, TRIAL: trial}).verdict == verdict
