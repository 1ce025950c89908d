"""What was fitted, tried and judged of levels is kept in the store, counts at once, and can be made anew."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput
from recollect.formulas.levels import UNKNOWN
from recollect.testing import HashEmbedder

WORDS = ("reach", "consider", "execute", "observed")
TOPICS = ("login", "billing", "search", "backup", "deploy", "mail", "cache", "queue")
QUESTION = "the billing"


def told(found, stage):
    return next(dict(one.detail) for one in found.trace.steps if one.stage == stage)


@pytest.fixture
def levelled(memory):
    """Of each topic a goal, a strategy, a step and a finding, in words that tell which it is."""
    ids = {}
    for topic in TOPICS:
        above = None
        for depth, word in enumerate(WORDS):
            ids[topic, depth] = memory.remember(f"{word} {word}ing: the {topic} of {word}").id
            if above is not None:
                memory.link(ids[topic, depth], above, "part_of")
            above = ids[topic, depth]
    return memory, ids


def test_once_fitted_texts_tell_the_level_of_what_stands_alone(levelled):
    memory, _ = levelled
    alone = memory.remember("consider considering: the payroll of consider").id
    before = memory.recall("the payroll", 50, level="strategies")
    [hit] = [hit for hit in before if hit.id == alone]
    assert hit.values["level"] == UNKNOWN
    assert told(before, "placing")["unknown"] == 1
    [report] = memory.fit_geometry()
    assert (report.channel, report.nodes, report.levels) == ("_global", 32, (8, 8, 8, 8))
    assert report.told_by_text > 0.8
    found = memory.recall("the payroll", 50, level="strategies")
    assert told(found, "placing")["by_text"] == 1
    [hit] = [hit for hit in found if hit.id == alone]
    assert hit.values["level"] > 0.7
    other = memory.recall("the payroll", 50, level="findings")
    [hit] = [hit for hit in other if hit.id == alone]
    assert hit.values["level"] < 0.5


def test_what_was_fitted_is_the_same_when_it_is_fitted_anew(levelled):
    memory, _ = levelled
    memory.fit_geometry()
    first = memory.store.record(memory.user, "ball", "_global").value
    memory.store.write(memory.user, _without(memory, "ball", "_global"))
    assert memory.recall(QUESTION, level=1, ablate=["hierarchy"])
    memory.fit_geometry()
    assert memory.store.record(memory.user, "ball", "_global").value == first


def _without(memory, kind, key):
    from recollect.ports import Changes, RecordChange

    return Changes("test", memory.now(), records=(RecordChange(kind, key, None),))


def test_a_fit_of_one_channel_leaves_the_others(levelled):
    memory, _ = levelled
    memory.remember("elsewhere", channel="other")
    assert [one.channel for one in memory.fit_geometry(channel="other")] == ["other"]
    assert memory.store.record(memory.user, "ball", "_global") is None
    assert memory.store.record(memory.user, "ball", "other") is None, "there is too little to go by"


def test_what_lies_nearest_in_the_ball_is_brought_whatever_the_arms_find(levelled):
    memory, ids = levelled
    memory.remember_many(
        {"text": f"the billing and the billing again, number {number}", "kind": "fact"}
        for number in range(60)
    )
    memory.configure({"recall.candidates": 2, "layers.hierarchy": True})
    memory.fit_geometry()
    found = memory.recall(QUESTION, 4, level="goals")
    reached = told(found, "reach")
    assert reached["near"] == 4
    assert reached["of"] == 92
    assert 4 <= reached["measured"] <= 92
    assert ids["billing", 0] in {hit.id for hit in found}


def test_a_purge_takes_what_was_seen_with_it(levelled):
    memory, ids = levelled
    memory.configure({"layers.hierarchy": True})
    memory.fit_geometry()
    memory.recall(QUESTION, level="goals")
    memory.purge(ids["billing", 0])
    found = memory.recall(QUESTION, level="goals")
    assert ids["billing", 0] not in {hit.id for hit in found}
    assert told(found, "reach")["of"] == 31


def test_a_curvature_counts_from_the_next_recall_on_in_every_engine(levelled):
    memory, _ = levelled
    memory.fit_geometry()
    other = Recollect(memory.store, user=memory.user, embedder=HashEmbedder(), clock=memory._clock)
    options = {"level": "steps", "ablate": ["hierarchy"]}
    other.recall(QUESTION, **options)
    for curvature in (0.3, 1.7):
        memory.set_curvature(curvature)
        found = other.recall(QUESTION, **options)
        assert told(found, "placing")["curvature"] == {"_global": curvature}
    near = {hit.id: hit.values["hierarchy"] for hit in found}
    memory.set_curvature(0.05)
    flatter = {hit.id: hit.values["hierarchy"] for hit in other.recall(QUESTION, **options)}
    assert any(abs(near[one] - flatter[one]) > 1e-3 for one in near.keys() & flatter.keys())


def test_curvatures_and_shares_out_of_bounds_are_refused(memory):
    for curvature in (0.0, -1.0, 11.0):
        with pytest.raises(InvalidInput, match="curvature"):
            memory.set_curvature(curvature)
    for share in (0.0, 1.0, 7.0):
        with pytest.raises(InvalidInput, match="share"):
            memory.set_curvature(1.0, trial=share)


def test_the_report_tells_what_recalls_go_by_and_what_is_on_trial(levelled):
    memory, _ = levelled
    [before] = memory.geometry()
    assert (before.used, before.fitted_at, before.trial) == (None, None, None)
    [fitted] = memory.fit_geometry()
    assert fitted.used == fitted.curvature is not None
    assert fitted.fitted_at == memory.now().isoformat()
    memory.set_curvature(0.7)
    memory.set_curvature(1.9, trial=0.3)
    [after] = memory.geometry(channel="_global")
    assert (after.used, after.curvature, after.trial.curvature, after.trial.share) == (
        0.7,
        fitted.curvature,
        1.9,
        0.3,
    )
    assert memory.geometry(channel="elsewhere") == []


@pytest.mark.parametrize("better", [True, False])
def test_a_trial_serves_a_share_of_the_questions_and_feedback_decides_it(levelled, better, monkeypatch):
    monkeypatch.setattr("recollect.graph.balls.JUDGED", 2)
    memory, _ = levelled
    memory.fit_geometry()
    before = memory.store.record(memory.user, "ball", "_global").value["curvature"]
    memory.set_curvature(1.9, trial=0.3)
    seen = {True: 0, False: 0}
    for number in range(40):
        question = f"{QUESTION} {number}"
        [hit] = found = memory.recall(question, 1, level="steps", ablate=["hierarchy"])
        tried = told(found, "placing")["curvature"] == {"_global": 1.9}
        seen[tried] += 1
        if seen[tried] <= 2:
            memory.feedback(hit.id, helpful=tried is better)
        if min(seen.values()) == 2:
            break
    kept = memory.store.record(memory.user, "ball", "_global").value
    assert kept["trial"] is None
    assert kept["curvature"] == (1.9 if better else before)


def test_feedback_on_hits_without_a_level_judges_no_trial(levelled):
    memory, _ = levelled
    memory.set_curvature(1.9, trial=0.5)
    memory.feedback(memory.recall(QUESTION)[0].id, helpful=True)
    assert memory.store.record(memory.user, "ball", "_global").value["trial"]["judged"] == {
        "usual": [0, 0],
        "trial": [0, 0],
    }


def test_feedback_teaches_what_the_level_weighs_where_that_is_switched_on(levelled):
    memory, _ = levelled
    usual = memory.level_weight()

    def judge(rounds):
        for topic in TOPICS * rounds:
            for hit in memory.recall(f"the {topic}", 4, level="steps"):
                memory.feedback(hit.id, helpful=hit.values["level"] == 1.0)

    judge(1)
    assert memory.level_weight() == usual, "it is off"
    memory.configure({"learning.levels": True})
    judge(2)
    taught = memory.level_weight()
    assert taught > usual * 1.05
    found = memory.recall(QUESTION, level="steps")
    assert found.trace.weights["level"] == pytest.approx(taught)
    memory.configure({"learning.levels": False})
    assert memory.recall(QUESTION, level="steps").trace.weights["level"] == usual


def test_two_users_learn_apart(levelled):
    memory, _ = levelled
    memory.configure({"learning.levels": True})
    memory.fit_geometry()
    other = memory.beside("ben")
    [hit, *_] = memory.recall(QUESTION, level="steps")
    memory.feedback(hit.id, helpful=True)
    assert other.store.record("ben", "mixing", "levels") is None
    assert other.store.record("ben", "ball", "_global") is None
