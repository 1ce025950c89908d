"""What `geoopt` says of random points of the Poincaré ball: `python -m benchmarks.geoopt_golden`.

Writes tests/formulas/golden/geoopt.json, which the formulas are held against. It needs PyTorch, and so an environment of
its own: `pip install geoopt torch numpy`.
"""

import json
from importlib.metadata import version
from pathlib import Path

import geoopt
import numpy as np
import torch

GOLDEN = Path(__file__).parents[1] / "tests" / "formulas" / "golden" / "geoopt.json"
CURVATURES = (0.25, 1.0, 2.0)
POINTS, DIMENSIONS = 12, 6
FARTHEST = 0.95
"""Of the radius: beyond it digits are lost on both sides."""


def cases(curvature: float, rng: np.random.Generator) -> dict[str, object]:
    """Pairs of points and vectors, and what becomes of them."""
    ball = geoopt.PoincareBall(c=curvature)
    reach = FARTHEST / np.sqrt(curvature) * rng.uniform(0.05, 1.0, (2, POINTS, 1))
    rows = rng.normal(size=(2, POINTS, DIMENSIONS))
    x, y = map(torch.tensor, reach * rows / np.linalg.norm(rows, axis=-1, keepdims=True))
    v = torch.tensor(0.3 * rng.normal(size=(POINTS, DIMENSIONS)))
    found = {
        "mobius_add": ball.mobius_add(x, y, project=False),
        "distance": ball.dist(x, y),
        "conformal_factor": ball.lambda_x(x, keepdim=True),
        "exp_map": ball.expmap(x, v, project=False),
        "log_map": ball.logmap(x, y),
        "parallel_transport": ball.transp(x, y, v),
        "gyration": ball.gyration(x, y, v),
    }
    return {
        "curvature": curvature,
        **{name: value.tolist() for name, value in (("x", x), ("y", y), ("v", v))},
        "gives": {name: value.tolist() for name, value in found.items()},
    }


def main() -> None:
    """`python -m benchmarks.geoopt_golden`."""
    torch.set_default_dtype(torch.float64)
    rng = np.random.default_rng(7)
    told = {"geoopt": version("geoopt"), "cases": [cases(curvature, rng) for curvature in CURVATURES]}
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(told) + "\n", encoding="utf-8")
    print(GOLDEN)


if __name__ == "__main__":
    main()
