"""The two families: with what mattered held, the current one rises and the earlier one stays."""

import pytest

from recollect.evals import sona
from recollect.testing import HashEmbedder


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(sona, "PHASES", "AB")
    monkeypatch.setattr(sona, "THINGS", sona.THINGS[:16])
    monkeypatch.setattr(sona, "ARMS", {name: sona.ARMS[name] for name in ("no_canary", "neither")})


@pytest.mark.slow
def test_the_earlier_family_stays_only_if_what_mattered_is_held(short):
    told = sona.sona(HashEmbedder(), seeds=(1,))
    held, loose = told["no_canary"], told["neither"]
    assert held["rise_of_current"] >= 5.0
    assert held["fall_of_earlier"] <= 1.0
    assert loose["fall_of_earlier"] > held["fall_of_earlier"] + 5.0
    assert [set(point) for point in held["curve"]] == [{"A", "B"}] * 3


def test_rises_and_falls_are_read_from_the_curve():
    curve = [{"A": 50.0, "B": 60.0}, {"A": 90.0, "B": 40.0}, {"A": 80.0, "B": 95.0}]
    curve += [{"A": 92.0, "B": 94.0}, {"A": 92.0, "B": 95.0}]
    told = sona._figures([curve])
    assert (told["rise_of_current"], told["fall_of_earlier"]) == (35.0, 10.0)
