"""The laws of the Poincaré ball: to 1e-9 away from its rim, and within stated bounds near it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.formulas.hyperbolic import (
    at_depth,
    conformal_factor,
    distance,
    exp_map,
    frechet_mean,
    gyration,
    log_map,
    mobius_add,
    parallel_transport,
    project,
)

SIZE = 5
EXACT = 1e-9
curvatures = st.sampled_from([0.1, 0.5, 1.0, 2.0])


@st.composite
def balls(draw, count, radius=0.9):
    """Some points within a part of the radius, and the curvature."""
    curvature = draw(curvatures)
    drawn = draw(arrays(np.float64, (count, SIZE), elements=st.floats(-1, 1)))
    norm = np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1.0)
    return drawn / norm * radius / np.sqrt(curvature), curvature


@given(balls(1))
def test_nothing_is_added_by_the_centre(ball):
    (x,), c = ball
    nothing = np.zeros(SIZE)
    assert np.allclose(mobius_add(nothing, x, c), x, atol=EXACT)
    assert np.allclose(mobius_add(x, nothing, c), x, atol=EXACT)
    assert np.allclose(mobius_add(-x, x, c), nothing, atol=EXACT)


@given(balls(2))
def test_what_was_added_is_taken_away_again(ball):
    (x, y), c = ball
    assert np.allclose(mobius_add(-x, mobius_add(x, y, c), c), y, atol=EXACT)


@given(balls(2))
def test_addition_commutes_up_to_a_turn(ball):
    (x, y), c = ball
    assert np.allclose(mobius_add(x, y, c), gyration(x, y, mobius_add(y, x, c), c), atol=EXACT)


@given(balls(3, radius=0.7))
def test_a_turn_is_what_its_definition_says_and_keeps_lengths(ball):
    (x, y, v), c = ball
    defined = mobius_add(-mobius_add(x, y, c), mobius_add(x, mobius_add(y, v, c), c), c)
    assert np.allclose(gyration(x, y, v, c), defined, atol=EXACT)
    assert np.isclose(np.linalg.norm(gyration(x, y, v, c)), np.linalg.norm(v), atol=EXACT)


@given(balls(2))
def test_sums_stay_in_the_ball(ball):
    (x, y), c = ball
    assert np.linalg.norm(mobius_add(x, y, c)) < 1 / np.sqrt(c)


@given(balls(3))
def test_distance_is_a_metric(ball):
    (x, y, z), c = ball
    assert distance(x, x, c) == 0
    assert np.isclose(distance(x, y, c), distance(y, x, c), atol=EXACT)
    assert distance(x, z, c) <= distance(x, y, c) + distance(y, z, c) + EXACT


@given(balls(3, radius=0.7))
def test_distance_is_the_same_wherever_both_are_moved_to(ball):
    (x, y, by), c = ball
    moved = distance(mobius_add(by, x, c), mobius_add(by, y, c), c)
    assert np.isclose(moved, distance(x, y, c), atol=1e-7)


@given(balls(2))
def test_distance_agrees_with_its_textbook_form(ball):
    (x, y), c = ball
    inside = 1 + 2 * c * np.sum((x - y) ** 2) / ((1 - c * x @ x) * (1 - c * y @ y))
    assert np.isclose(distance(x, y, c), np.arccosh(inside) / np.sqrt(c), atol=1e-7)


@given(balls(2, radius=0.8))
def test_a_way_there_leads_there(ball):
    (x, y), c = ball
    assert np.allclose(exp_map(x, log_map(x, y, c), c), y, atol=EXACT)


@given(balls(2, radius=0.6))
def test_a_direction_that_was_gone_is_found_again(ball):
    (x, v), c = ball
    assert np.allclose(log_map(x, exp_map(x, v / 4, c), c), v / 4, atol=EXACT)


@given(balls(2, radius=0.8))
def test_a_direction_is_as_long_as_the_distance(ball):
    (x, y), c = ball
    long = conformal_factor(x, c)[0] * np.linalg.norm(log_map(x, y, c))
    assert np.isclose(long, distance(x, y, c), atol=EXACT)


@given(balls(3, radius=0.8))
def test_a_direction_keeps_its_length_wherever_it_is_carried(ball):
    (x, y, v), c = ball
    there = parallel_transport(x, y, v, c)
    before = conformal_factor(x, c)[0] * np.linalg.norm(v)
    after = conformal_factor(y, c)[0] * np.linalg.norm(there)
    assert np.isclose(before, after, rtol=EXACT, atol=EXACT)
    assert np.allclose(parallel_transport(y, x, there, c), v, atol=1e-8)


@settings(deadline=None)
@given(balls(4, radius=0.8))
def test_the_mean_is_where_all_directions_cancel(ball):
    points, c = ball
    mean = frechet_mean(points, None, c)
    assert np.linalg.norm(log_map(mean, points, c).mean(axis=0)) < 1e-8


@settings(deadline=None)
@given(balls(2, radius=0.8))
def test_the_mean_of_two_is_half_way(ball):
    (x, y), c = ball
    mean = frechet_mean([x, y], None, c)
    assert np.isclose(distance(x, mean, c), distance(y, mean, c), atol=1e-8)
    assert np.isclose(2 * distance(x, mean, c), distance(x, y, c), atol=1e-8)


def test_a_weight_draws_the_mean_and_no_weight_is_refused():
    x, y = np.array([0.5, 0.0]), np.array([-0.5, 0.0])
    assert np.allclose(frechet_mean([x, y], [1.0, 0.0]), x, atol=1e-8)
    with pytest.raises(ValueError, match="weighs"):
        frechet_mean([x, y], [0.0, 0.0])


@given(balls(2, radius=1.0), st.floats(0, 1))
def test_at_the_rim_everything_stays_finite_and_errors_stay_small(ball, part):
    points, c = ball
    norm = np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    x, y = project(points / norm / np.sqrt(c) * (1 + part), c)
    far = distance(x, y, c)
    assert np.isfinite(far)
    # Two points at the margin are no further apart than twice the way from the centre to it.
    assert far <= 2 * (2 / np.sqrt(c)) * np.arctanh(1 - 1e-5) + 1e-6
    # A way there leads there to four digits of the radius.
    there = project(exp_map(x, log_map(x, y, c), c), c)
    assert np.linalg.norm(there - y) * np.sqrt(c) < 1e-4


@given(st.lists(st.floats(0, 4), min_size=1, max_size=6), curvatures)
def test_depth_is_the_distance_from_the_centre(depths, c):
    directions = np.random.default_rng(7).normal(size=(len(depths), SIZE))
    points = at_depth(directions, depths, c)
    assert np.allclose(distance(points, np.zeros(SIZE), c), depths, atol=1e-8)


def test_little_curvature_is_nearly_flat():
    x, y = np.array([0.3, -0.2]), np.array([-0.1, 0.4])
    assert np.isclose(distance(x, y, 1e-8), 2 * np.linalg.norm(x - y), rtol=1e-6)
