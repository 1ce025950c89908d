"""Memories are compared in parts, so that a night holds few vectors at once; the parts change nothing."""

import numpy as np
import pytest
from dream_values import keep

from recollect import Filter, Lane
from recollect.dream import likeness
from recollect.dream.likeness import Likeness
from recollect.dream.night import Night
from recollect.dream.steps import STEPS
from recollect.ports import SURVEY_COLUMNS
from recollect.stores import surveys

WORDS = ("tea", "rain", "ports", "backups", "trains")


@pytest.fixture
def night(memory):
    for n in range(30):
        keep(memory, f"Ada said that the {WORDS[n % 5]} were fine {n // 5}")
    keep(memory, "Ada said that the tea were fine 0", channel="project")
    dreamer = memory._dreamer(memory._dream_params(), STEPS)
    return Night(
        memory.store,
        "ada",
        memory.now(),
        params=dreamer.params,
        recall=dreamer.recall,
        encode=dreamer.encode,
        new_id=dreamer.new_id,
    )


def pairs(night, places, least=0.7):
    return sorted(pair for some in Likeness(night).of(places, least) for pair in some)


def test_each_pair_is_found_once_and_only_in_its_own_channel(night):
    vectors = {int(c): row for c, row in zip(*night.store.vectors("ada", night.survey.contents), strict=True)}
    rows = np.array([vectors[c] for c in night.survey.contents.tolist()], np.float32)
    similar = rows @ rows.T
    expected = {
        frozenset((a, b))
        for a in range(len(rows))
        for b in range(a)
        if similar[a, b] > 0.7 and night.survey.channels[a] == night.survey.channels[b]
    }
    found = pairs(night, np.arange(len(rows)))
    assert {frozenset(pair[:2]) for pair in found} == expected
    assert len(found) == len(expected) > 10


@pytest.mark.parametrize("read", [1, 7, 4096])
def test_the_size_of_the_parts_changes_nothing(night, monkeypatch, read):
    some = np.array([0, 3, 11, 20])
    expected = pairs(night, some)
    monkeypatch.setattr(likeness, "READ", read)
    found = pairs(night, some)
    assert [one[:2] for one in found] == [one[:2] for one in expected]
    assert [one[2] for one in found] == pytest.approx([one[2] for one in expected], abs=1e-6)


def test_a_survey_is_the_same_however_many_rows_are_taken_at_once(night, monkeypatch):
    whole = night.survey
    monkeypatch.setattr(surveys, "AT_ONCE", 4)
    again = night.store.survey("ada", Filter(lanes=(Lane.MEMORY,), any_session=True))
    for name in SURVEY_COLUMNS:
        assert getattr(again, name).tolist() == getattr(whole, name).tolist()
