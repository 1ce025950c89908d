"""A turn and what was formed from it take one place among the hits."""

import pytest

from recollect.candidates import Asked
from recollect.language.terms import term_hashes
from recollect.model import Lane, Memory, Origin
from recollect.recall.folding import _kept
from recollect.recall.query import Query
from recollect.testing import HashEmbedder

LONG = "I live in Porto, and " + "there is a lot to tell about that, " * 5


def turn(name, text="I live in Porto."):
    return Memory(name, text, None, None, lane=Lane.LOG)


def formed(name, *sources, text="Ada lives in Porto"):
    origin = Origin(sources=sources, write_source="observer")
    return Memory(name, text, None, None, origin=origin)


def given(name, *sources):
    return Memory(name, "Ada is from Porto", None, None, origin=Origin(sources=sources))


@pytest.mark.parametrize(
    ("ranked", "kept"),
    [
        ([turn("t"), formed("m", "t")], "t"),
        ([formed("m", "t"), turn("t")], "m"),
        ([formed("m", "t"), turn("t", LONG)], "m t"),
        ([formed("m", "t", text=LONG), turn("t", LONG)], "m"),
        ([formed("m", "t"), formed("n", "t", text="Ada has a cat")], "m n"),
        ([turn("t"), formed("m", "t", "u")], "t m"),
        ([turn("t"), turn("u"), formed("m", "t", "u")], "t u"),
        ([turn("t"), given("g", "t")], "t g"),
        ([given("g", "t"), turn("t")], "g t"),
        ([turn("t"), formed("m")], "t m"),
    ],
)
def test_what_says_no_more_than_what_stands_above_it_is_left_out(ranked, kept):
    assert [one.id for one, keep in zip(ranked, _kept(ranked), strict=True) if keep] == kept.split()


@pytest.fixture
def talked(forming):
    talk = ["I live in Porto.", "My cat is called Max.", "I work at Acme."]
    forming.observe([{"role": "user", "name": "Ada", "content": text} for text in talk], session="s1")
    return forming


def test_nothing_is_told_twice_and_the_trace_says_how_much_was_folded(talked):
    found = talked.recall("where does Ada live? In Porto?")
    assert len([hit for hit in found if "Porto" in hit.text]) == 1
    [step] = [step for step in found.trace.steps if step.stage == "fold"]
    assert step.detail["folded"] >= 1
    for hit in found:
        assert hit.score == pytest.approx(sum(hit.signals.values()))
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)


def test_it_can_be_switched_off(talked):
    found = talked.recall("where does Ada live? In Porto?", ablate=["fold"])
    assert len([hit for hit in found if "Porto" in hit.text]) == 2


def test_each_lane_alone_is_as_it_was(talked):
    for lane in (Lane.LOG, Lane.MEMORY):
        found = talked.recall("where does Ada live? In Porto?", lanes=lane)
        assert {hit.memory.lane for hit in found} == {lane}
        assert "formed" not in found[0].signals


def test_memories_do_not_crowd_out_what_was_said(memory):
    memory.observe([{"role": "user", "content": "The river restaurant opens at nine"}], session="s1")
    for number in range(60):
        memory.remember(f"The river restaurant number {number} opens at nine, says the restaurant")
    question = "when does the river restaurant open?"
    asked = Asked(HashEmbedder().embed([question])[0], term_hashes(question))
    found = memory._index().search(asked, Query(question).filter(memory.now()), limit=20)
    assert (int(found.said.sum()), found.mixed) == (1, True)
    assert len(found.contents) <= 2 * 20 + 1
