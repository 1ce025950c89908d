"""The geometry agrees with geoopt's on random points."""

import json
from pathlib import Path

import numpy as np
import pytest

from recollect.formulas import hyperbolic

GOLDEN = json.loads((Path(__file__).parent / "golden" / "geoopt.json").read_text())
TAKES = {
    "mobius_add": ("x", "y"),
    "distance": ("x", "y"),
    "conformal_factor": ("x",),
    "exp_map": ("x", "v"),
    "log_map": ("x", "y"),
    "parallel_transport": ("x", "y", "v"),
    "gyration": ("x", "y", "v"),
}


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: f"curvature {case['curvature']}")
@pytest.mark.parametrize("name", TAKES)
def test_agrees_with_geoopt(case, name):
    given = [case[one] for one in TAKES[name]]
    found = getattr(hyperbolic, name)(*given, curvature=case["curvature"])
    assert found == pytest.approx(np.array(case["gives"][name]), rel=1e-9, abs=1e-9)


def test_every_operation_that_geoopt_was_asked_for_is_compared():
    assert all(case["gives"].keys() == TAKES.keys() for case in GOLDEN["cases"])
