"""Geometry of the Poincaré ball: a space in which a tree has room, with its root at the centre and leaves at the rim.

Points are rows of arrays; every function takes one point or many, and broadcasts. `curvature` is c > 0, the ball
has radius 1/√c. Source of all: Ungar 2008; Ganea, Bécigneul & Hofmann 2018.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
MARGIN = 1e-5
"""How far from the rim `project` keeps a point, as a part of the radius: beyond it digits are lost."""
SMALL = 1e-15
MEAN_ROUNDS = 500
MEAN_TOLERANCE = 1e-12


def project(points: ArrayLike, curvature: float = 1.0, margin: float = MARGIN) -> Points:
    """The points themselves, those beyond the margin pulled back to it.

    >>> float(np.linalg.norm(project([3.0, 4.0])))
    0.99999
    """
    given = _rows(points)
    norm = _norm(given)
    most = (1.0 - margin) / np.sqrt(curvature)
    return np.where(norm > most, given * (most / np.maximum(norm, SMALL)), given)


def conformal_factor(points: ArrayLike, curvature: float = 1.0) -> Points:
    """λ = 2 / (1 − c|x|²): how much longer a step is here than it looks; 2 at the centre.

    >>> conformal_factor([0.0, 0.0]).tolist()
    [2.0]
    """
    return 2.0 / np.maximum(1.0 - curvature * _square(_rows(points)), SMALL)


def mobius_add(one: ArrayLike, other: ArrayLike, curvature: float = 1.0) -> Points:
    """The sum of two points, which stays in the ball.

    Equation: x ⊕ y = ((1 + 2c⟨x,y⟩ + c|y|²) x + (1 − c|x|²) y) / (1 + 2c⟨x,y⟩ + c²|x|²|y|²).

    >>> mobius_add([0.5, 0.0], [-0.5, 0.0]).tolist()
    [0.0, 0.0]
    """
    x, y, c = _rows(one), _rows(other), curvature
    both, xx, yy = _dot(x, y), _square(x), _square(y)
    above = (1 + 2 * c * both + c * yy) * x + (1 - c * xx) * y
    return above / np.maximum(1 + 2 * c * both + c**2 * xx * yy, SMALL)


def gyration(one: ArrayLike, other: ArrayLike, vector: ArrayLike, curvature: float = 1.0) -> Points:
    """gyr[x, y]v: the turn by which x ⊕ y and y ⊕ x differ; it keeps lengths.

    Equation: v + 2(Ax + By)/D with A = −c²⟨x,v⟩|y|² + c⟨y,v⟩ + 2c²⟨x,y⟩⟨y,v⟩, B = −c²⟨y,v⟩|x|² − c⟨x,v⟩ and
    D = 1 + 2c⟨x,y⟩ + c²|x|²|y|².
    """
    x, y, v, c = _rows(one), _rows(other), _rows(vector), curvature
    both, xx, yy, xv, yv = _dot(x, y), _square(x), _square(y), _dot(x, v), _dot(y, v)
    a = -(c**2) * xv * yy + c * yv + 2 * c**2 * both * yv
    b = -(c**2) * yv * xx - c * xv
    return v + 2 * (a * x + b * y) / np.maximum(1 + 2 * c * both + c**2 * xx * yy, SMALL)


def distance(one: ArrayLike, other: ArrayLike, curvature: float = 1.0) -> NDArray[np.float64]:
    """How far it is between two points, along the shortest curve.

    Equation: (2/√c) arsinh(√c |x − y| / √((1 − c|x|²)(1 − c|y|²))), which loses no digits for points that are close.
    Range: [0, ∞); 0 for a point and itself.

    >>> float(distance([0.0, 0.0], [np.tanh(0.5), 0.0]).round(12))
    1.0
    """
    x, y, c = _rows(one), _rows(other), curvature
    room = np.maximum(1 - c * _square(x), SMALL) * np.maximum(1 - c * _square(y), SMALL)
    apart = np.sqrt(c) * _norm(x - y) / np.sqrt(room)
    far: NDArray[np.float64] = (2 / np.sqrt(c) * np.arcsinh(apart))[..., 0]
    return far


def exp_map(base: ArrayLike, tangent: ArrayLike, curvature: float = 1.0) -> Points:
    """Where one arrives who leaves a point in a direction: x ⊕ tanh(√c λ|v|/2) v/(√c|v|)."""
    x, v, root = _rows(base), _rows(tangent), np.sqrt(curvature)
    length = np.maximum(_norm(v), SMALL)
    step = np.tanh(root * conformal_factor(x, curvature) * length / 2) * v / (root * length)
    return mobius_add(x, step, curvature)


def log_map(base: ArrayLike, point: ArrayLike, curvature: float = 1.0) -> Points:
    """In which direction, and how far, one leaves a point to arrive at another: the inverse of `exp_map`."""
    x, y = _rows(base), _rows(point)
    between = mobius_add(-x, y, curvature)
    length = np.maximum(_norm(between), SMALL)
    far = distance(x, y, curvature)[..., None]
    return far / conformal_factor(x, curvature) * between / length


def parallel_transport(
    start: ArrayLike, end: ArrayLike, tangent: ArrayLike, curvature: float = 1.0
) -> Points:
    """A direction at one point as it is at another: (λx/λy) gyr[y, −x]v; its length in the ball stays."""
    x, y = _rows(start), _rows(end)
    turned = gyration(y, -x, tangent, curvature)
    return turned * conformal_factor(x, curvature) / conformal_factor(y, curvature)


def frechet_mean(points: ArrayLike, weights: ArrayLike | None = None, curvature: float = 1.0) -> Points:
    """The point whose weighed squared distances to all others are least: the centre of some points.

    By Karcher's descent: again and again to where the mean of the logarithms leads.

    >>> frechet_mean([[0.3, 0.0], [-0.3, 0.0]]).round(12).tolist()
    [0.0, 0.0]
    """
    given = np.atleast_2d(_rows(points))
    weight = np.ones(len(given)) if weights is None else np.asarray(weights, np.float64)
    if not len(given) or weight.sum() <= 0:
        raise ValueError("a mean needs at least one point that weighs something")
    share = (weight / weight.sum())[:, None]
    centre = project((share * given).sum(axis=0), curvature)
    for _ in range(MEAN_ROUNDS):
        onward: Points = (share * log_map(centre, given, curvature)).sum(axis=0)
        if float(np.linalg.norm(onward) * conformal_factor(centre, curvature)[0]) < MEAN_TOLERANCE:
            break
        # A squared distance bends at most by r coth r here: a step of its inverse never goes too far.
        away = np.maximum(np.sqrt(curvature) * distance(centre, given, curvature), 1e-6)
        centre = project(exp_map(centre, onward / (away / np.tanh(away)).max(), curvature), curvature)
    return centre


def at_depth(directions: ArrayLike, depths: ArrayLike, curvature: float = 1.0, scale: float = 1.0) -> Points:
    """Directions as points of the ball whose distance from the centre is scale × depth.

    >>> at_depth([[1.0, 0.0]], [0.0]).tolist()
    [[0.0, 0.0]]
    """
    given = np.atleast_2d(_rows(directions))
    far = np.maximum(np.asarray(depths, np.float64), 0.0)[:, None] * scale
    unit = given / np.maximum(_norm(given), SMALL)
    return project(unit * np.tanh(np.sqrt(curvature) * far / 2) / np.sqrt(curvature), curvature)


def _rows(values: ArrayLike) -> Points:
    return np.asarray(values, np.float64)


def _dot(one: Points, other: Points) -> Points:
    dot: Points = (one * other).sum(axis=-1, keepdims=True)
    return dot


def _square(values: Points) -> Points:
    return _dot(values, values)


def _norm(values: Points) -> Points:
    norm: Points = np.linalg.norm(values, axis=-1, keepdims=True)
    return norm
