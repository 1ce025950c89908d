"""What comes before what: series of mentions, and Granger's test between them."""

import json
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recollect.errors import InvalidInput, MissingExtra, Refused
from recollect.learn.influences import LONGEST, Asked, Influence, influence, influences, read, series, stored
from recollect.model import Record

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def days(*numbers):
    return [NOON + timedelta(days=number) for number in numbers]


def driven(seed, periods=200):
    """The mentions of one who is named by chance, and of another who is named the day after."""
    rng = np.random.default_rng(seed)
    cause = rng.poisson(0.8, periods).astype(float)
    effect = rng.poisson(0.2 + 0.9 * np.concatenate([[0.0], cause[:-1]])).astype(float)
    return {"cause": cause, "effect": effect}


def test_a_series_counts_every_period_between_the_first_and_the_last():
    found = series({"ada": days(0, 0, 3), "bob": days(2)}, "day")
    assert {node: counts.tolist() for node, counts in found.items()} == {
        "ada": [2, 0, 0, 1],
        "bob": [0, 0, 1, 0],
    }
    assert series({"ada": days(0, 0, 3), "bob": days(2)}, "week")["ada"].sum() == 3
    assert series({}, "day") == {}


def test_only_the_last_periods_are_looked_at():
    assert len(series({"ada": days(0, 5 * LONGEST)}, "day")["ada"]) == LONGEST


def test_short_and_rare_series_are_refused_with_the_reason():
    busy, rare = np.arange(60.0) % 3, np.zeros(60)
    rare[:2] = 1
    with pytest.raises(Refused, match="there are 20 periods, and 30 are needed"):
        influence("a", "b", {"a": busy[:20], "b": busy[:20]}, Asked())
    with pytest.raises(Refused, match="there are 60 periods, and 75 are needed"):
        influence("a", "b", {"a": busy, "b": busy}, Asked(lags=15))
    with pytest.raises(Refused, match=r"of b .* named in 2 periods, and 5 are needed"):
        influence("a", "b", {"a": busy, "b": rare}, Asked())


@pytest.mark.parametrize("wrong", [{"period": "month"}, {"lags": 0}, {"lags": 31}])
def test_wrong_periods_and_lags_are_refused(wrong):
    with pytest.raises(InvalidInput):
        Asked(**wrong)


def test_what_was_found_is_kept_without_names_and_told_of_whoever_is_named_now():
    found = [Influence("entity://person/ada", "tag:tea", 0.001, 9.0, 3, "day", 60)]
    value = stored(found)
    assert "ada" not in json.dumps(value)
    record = Record("influence", "_global", json.loads(json.dumps(value)), 1, NOON)
    assert read(record, ["tag:tea", "entity://person/ada", "tag:other"]) == found
    assert read(record, ["tag:tea"]) == []


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.tsa.stattools", None)
    with pytest.raises(MissingExtra, match=r"recollect\[granger\]"):
        influence("cause", "effect", driven(0), Asked())


class TestGranger:
    """With statsmodels itself."""

    @pytest.fixture(autouse=True)
    def _statsmodels(self):
        pytest.importorskip("statsmodels")

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_the_influence_is_found_in_its_direction_alone(self, seed):
        counted = driven(seed)
        assert influence("cause", "effect", counted, Asked()).p_value < 1e-6
        assert influence("effect", "cause", counted, Asked()).p_value > 0.01

    def test_the_figures_are_those_of_an_f_test_of_two_regressions(self):
        counted = driven(4, periods=80)
        found = influence("cause", "effect", counted, Asked(lags=2))
        effect, cause = np.sqrt(counted["effect"]), np.sqrt(counted["cause"])
        own = np.column_stack([effect[1:-1], effect[:-2], np.ones(78)])
        both = np.column_stack([own, cause[1:-1], cause[:-2]])
        left = [float(np.linalg.lstsq(past, effect[2:])[1][0]) for past in (own, both)]
        assert found.f == pytest.approx((left[0] - left[1]) / 2 / (left[1] / (78 - 5)))
        assert (found.lags, found.periods, found.weight) == (2, 80, 1.0 - found.p_value)

    def test_what_has_nothing_to_do_with_each_other_is_hardly_ever_related(self):
        rng = np.random.default_rng(5)
        believed = 0
        for _ in range(3):
            counted = {f"n{number}": rng.poisson(0.5, 120).astype(float) for number in range(8)}
            found, tested = influences(counted, Asked(), rate=0.05, limit=8)
            believed += len(found)
            assert tested == 8 * 7
        assert believed <= 2

    def test_the_most_named_are_compared_and_the_surest_come_first(self):
        counted = driven(6) | {"rare": np.zeros(200)} | {"other": np.arange(200.0) % 2}
        found, tested = influences(counted, Asked(), rate=0.05, limit=2)
        assert ([(one.cause, one.effect) for one in found], tested) == ([("cause", "effect")], 2)

    def test_what_never_changes_says_nothing(self):
        counted = {"always": np.ones(60), "cause": driven(7)["cause"][:60]}
        with pytest.raises(Refused, match="change too little"):
            influence("always", "cause", counted, Asked())
