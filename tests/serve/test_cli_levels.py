"""`recall --level` and `geometry fit|curvature` in the shell."""

import pytest


@pytest.fixture
def tree(cli):
    goal, plan = (
        cli("remember", text, "--json").json["id"]
        for text in ("the app is to be secure", "the app is audited")
    )
    cli("link", plan, goal, "--type", "part_of")
    return goal, plan


def test_a_level_is_asked_for(cli, tree):
    for level, wanted in (("goals", tree[0]), ("strategies", tree[1]), ("1", tree[1])):
        found = cli("recall", "the app", "--level", level, "--json").json
        assert found["hits"][0]["id"] == wanted
    assert "the app is audited" in cli("context", "the app", "--level", "strategies").out
    refused = cli("recall", "the app", "--level", "nonsense")
    assert refused.code == 2
    assert "strategies" in refused.err


def test_the_geometry_is_fitted_and_a_curvature_chosen(cli, tree):
    found = cli("geometry", "fit", "--json").json["channels"]
    assert (found[0]["nodes"], found[0]["levels"]) == (2, [1, 1])
    assert "channel" in cli("geometry", "fit").out
    chosen = cli("geometry", "curvature", "0.5", "--trial", "0.2", "--json").json
    assert chosen == {"channel": "_global", "curvature": 0.5, "trial": 0.2}
    assert "20%" in cli("geometry", "curvature", "0.5", "--trial", "0.2").out
    told = cli("geometry", "report").out
    assert "0.5 is on trial for 20% of the questions; hits that helped: usual 0/0, trial 0/0" in told
    assert "in use" in told
    assert "nothing is remembered there yet" in cli("geometry", "report", "--channel", "elsewhere").out
    assert cli("geometry", "curvature", "99").code == 2
