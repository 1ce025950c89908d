"""Levels over HTTP: asked for in a recall, fitted, and laid out otherwise."""

import pytest
from served import caller

from recollect.serve.keys import Right


@pytest.fixture
def tree(ada):
    goal, plan = (ada.remember(text) for text in ("the app is to be secure", "the app is audited"))
    ada("POST", f"/memories/{plan}/links", {"target": goal, "type": "part_of"})
    return goal, plan


def test_a_level_is_asked_for_by_its_name_or_depth(ada, tree):
    for level, wanted in (("goals", tree[0]), ("strategies", tree[1]), (1, tree[1])):
        found = ada("POST", "/recall", {"query": "the app", "level": level}).json()
        assert found["hits"][0]["id"] == wanted
    for wrong in ("nonsense", 4, -1, 1.5):
        assert ada("POST", "/recall", {"query": "the app", "level": wrong}).status_code == 422


def test_the_geometry_is_told_fitted_and_changed_by_who_may(client, ada, tree):
    told = ada("GET", "/graph/geometry").json()["channels"]
    fitted = ada("POST", "/graph/geometry/fit").json()["channels"]
    assert (told[0]["used"], told[0]["fitted_at"]) == (None, None)
    assert [one | {"used": None, "fitted_at": None} for one in fitted] == told
    assert (told[0]["channel"], told[0]["levels"], told[0]["benefits"]) == ("_global", [1, 1], False)
    chosen = ada("POST", "/graph/geometry/curvature", {"curvature": 0.5, "trial": 0.2}).json()
    assert chosen == {"channel": "_global", "curvature": 0.5, "trial": 0.2}
    for wrong in ({"curvature": 0}, {"curvature": 1.0, "trial": 1.0}, {}):
        assert ada("POST", "/graph/geometry/curvature", wrong).status_code == 422
    reader = caller(client, "ada", Right.READ)
    assert reader("POST", "/graph/geometry/fit").status_code == 403
    assert reader("POST", "/graph/geometry/curvature", {"curvature": 1.0}).status_code == 403
