"""Pruning by what is seen from the centre loses nothing, whatever the curvature and however few the axes."""

import numpy as np
import pytest

from recollect.formulas.hyperbolic import at_depth, distance, log_map
from recollect.formulas.tangent import View, least_distances, nearest, principal_axes, seen_along

DIMENSIONS = 16


def cloud(seed, count, deepest=4.0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, DIMENSIONS)) + 2.0 * np.eye(DIMENSIONS)[0]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), rng.uniform(0, deepest, count)


def view_of(directions, radii, axes):
    along = principal_axes(directions, axes)
    return View(along, seen_along(along, directions, radii))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("curvature", [0.1, 1.0, 2.0])
@pytest.mark.parametrize("axes", [1, 4, DIMENSIONS])
def test_nothing_is_nearer_than_it_looks(seed, curvature, axes):
    directions, radii = cloud(seed, 30)
    points = at_depth(directions, radii, curvature)
    view = view_of(directions, radii, axes)
    looks = least_distances(view, directions[0], float(radii[0]))
    assert (looks <= distance(points[0], points, curvature) + 1e-5).all()


def test_seen_along_all_axes_is_the_logarithmic_map_at_the_centre():
    directions, radii = cloud(1, 20)
    flat = log_map(np.zeros(DIMENSIONS), at_depth(directions, radii, 1.0), 1.0)
    # At the centre a step is twice as long as it looks.
    apart = 2.0 * np.linalg.norm(flat - flat[0], axis=1)
    assert least_distances(
        view_of(directions, radii, DIMENSIONS), directions[0], float(radii[0])
    ) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("curvature", [0.1, 1.0])
@pytest.mark.parametrize("count", [1, 7, 20])
def test_the_nearest_are_those_that_measuring_all_would_give(seed, curvature, count):
    directions, radii = cloud(seed, 300)
    points = at_depth(directions, radii, curvature)
    true = distance(points[0], points, curvature)
    bounds = least_distances(view_of(directions, radii, 6), directions[0], float(radii[0]))
    found = nearest(bounds, lambda places: true[places], count)
    assert found.distances == pytest.approx(np.sort(true)[:count])
    assert found.places[0] == 0


def test_what_looks_too_far_is_not_measured():
    directions, radii = cloud(2, 5_000)
    # A few lie close together, the rest is elsewhere.
    directions[:20] = directions[0] + 0.01 * directions[:20]
    radii[:20] = 3.0
    points = at_depth(directions, radii, 0.1)
    asked = []

    def measured(places):
        asked.extend(places.tolist())
        return distance(points[0], points[places], 0.1)

    found = nearest(least_distances(view_of(directions, radii, 8), directions[0], 3.0), measured, 10)
    assert found.measured == len(asked) < 1_000
    assert set(found.places.tolist()) <= set(range(20))
