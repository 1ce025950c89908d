"""What neighbours say corrects close scores: by the kind of each link, told in the trace, and only where it is asked for."""

import numpy as np
import pytest

from recollect.errors import InvalidInput
from recollect.formulas.message_passing import MOST, GnnShape, weighted
from recollect.recall import refining
from recollect.recall.subgraph import FEATURES, KINDS

QUESTION = "why did the nightly backup fail?"
FOUND = "The nightly backup did fail on Sunday"
FAR = "Rotating logs fills volume seven"


def listening_to(kind):
    """Weights by which a link of one kind, and nothing else, lifts whoever hears it."""
    shape = GnnShape(len(FEATURES), len(KINDS), width=1, layers=1)
    gnn = weighted(shape, np.zeros(shape.size))
    gnn.layers[0].by_kind[KINDS.index(kind)] = 1.0
    gnn.layers[0].gate[KINDS.index(kind)] = 5.0
    gnn.writing[:] = 1.0
    return gnn


@pytest.fixture
def hears(monkeypatch):
    def choose(kind):
        own = refining.Shipped(listening_to(kind), np.zeros((0, 1)))
        monkeypatch.setattr(refining, "shipped", lambda: own)

    return choose


@pytest.fixture
def crowd(memory):
    """Much that is as good an answer as any other."""
    for number in range(12):
        memory.remember(f"The nightly backup of machine {number} did fail")
    return memory


def hit(found, text):
    return next(one for one in found if one.text == text)


def step(found):
    return next((one.detail for one in found.trace.steps if one.stage == "gnn"), None)


def lifted(found):
    return {one.text for one in found if one.signals["gnn"] > 0.01}


def test_what_neighbours_give_is_a_signal_like_any_other(crowd, hears):
    hears("causal")
    first, second = crowd.remember(FOUND).id, crowd.remember(FAR).id
    crowd.link(second, first, "causes")
    before = crowd.recall(QUESTION, k=20)
    found = crowd.recall(QUESTION, k=20, deep=True)
    gained = hit(found, FAR).signals["gnn"]
    assert gained == pytest.approx(refining.WEIGHT * hit(found, FAR).values["gnn"])
    assert 0.1 < hit(found, FAR).values["gnn"] < MOST
    assert hit(found, FAR).score == pytest.approx(hit(before, FAR).score + gained)
    assert sum(hit(found, FAR).signals.values()) == pytest.approx(hit(found, FAR).score)
    assert lifted(found) == {FOUND, FAR}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert step(found)["refined"] == 14
    assert step(found)["links"] > 0
    assert "gnn" not in before[0].signals


@pytest.mark.parametrize(
    ("kind", "tied"),
    [
        ("related", lambda m: m.link(m.remember(FOUND).id, m.remember(FAR).id, "related_to")),
        ("same_tag", lambda m: [m.remember(text, tags=["storage"]) for text in (FOUND, FAR)]),
        (
            "names",
            lambda m: [
                m.remember("The nightly backup did fail at Blue Harbour"),
                m.remember(FAR, metadata={"title": "Blue Harbour"}),
            ],
        ),
        (
            "names_the_same",
            lambda m: [
                m.remember(f"The nightly backup did fail {when} at Blue Harbour")
                for when in ("once", "twice")
            ],
        ),
    ],
)
def test_each_kind_of_link_is_heard(crowd, hears, kind, tied):
    hears(kind)
    assert lifted(crowd.recall(QUESTION, k=20, deep=True)) == set()
    known = {one.id for one in crowd.list(limit=None)}
    tied(crowd)
    new = {one.text for one in crowd.list(limit=None) if one.id not in known}
    raised = lifted(crowd.recall(QUESTION, k=20, deep=True))
    assert raised
    assert raised <= new


@pytest.mark.parametrize("kind", ["beside", "same_session"])
def test_turns_hear_the_turns_around_them(memory, hears, kind):
    hears(kind)
    for session in ("monday", "tuesday"):
        said = [f"on {session} the nightly backup did fail", f"and on {session} we ate fish"]
        memory.observe([{"role": "user", "content": text} for text in said], session=session)
    memory.observe([{"role": "user", "content": "the nightly backup did fail by itself"}], session="alone")
    raised = lifted(memory.recall(QUESTION, k=10, deep=True))
    assert raised >= {"on monday the nightly backup did fail", "and on monday we ate fish"}
    assert "the nightly backup did fail by itself" not in raised


def test_steps_of_one_episode_hear_each_other(memory, hears):
    hears("same_episode")
    for run in ("one", "two"):
        memory.observe([{"role": "tool", "content": f"nightly backup {run} did fail"}], run=run)
    memory.observe([{"role": "tool", "content": "nightly backup one did fail again"}], run="one")
    raised = lifted(memory.recall("nightly backup", k=10, deep=True))
    assert len(raised) == 2
    assert all("one" in text for text in raised)


def test_what_is_alike_is_heard(crowd, hears):
    hears("alike")
    found = crowd.recall(QUESTION, k=20, deep=True)
    assert len(lifted(found)) == 12


def test_the_layer_works_only_where_scores_are_close(crowd):
    crowd.remember("Priya Raman owns the red boat in the harbour")
    crowd.configure({"layers.gnn": True})
    clear = step(crowd.recall("who owns the red boat in the harbour?", k=5))
    close = step(crowd.recall("the nightly backup did fail", k=5))
    assert clear["ambiguity"] < refining.AMBIGUOUS <= close["ambiguity"]
    assert (clear["refined"], close["refined"]) == (0, 13)
    assert step(crowd.recall("who owns the red boat in the harbour?", k=5, deep=True))["refined"] == 13
    assert step(crowd.recall("the nightly backup did fail", ablate="gnn")) is None


def test_neighbours_are_those_that_the_asker_may_see(crowd, hears, clock):
    hears("related")
    first = crowd.remember(FOUND).id
    secret = crowd.remember(FAR, channel="secret").id
    crowd.link(first, secret, "related_to")
    found = crowd.recall(QUESTION, k=20, deep=True)
    assert lifted(found) == set()
    assert FAR not in {one.text for one in found}
    other = crowd.remember(FAR).id
    clock.advance(days=1)
    then = clock.now()
    clock.advance(days=1)
    crowd.link(first, other, "related_to")
    assert lifted(crowd.recall(QUESTION, k=20, deep=True)) == {FOUND, FAR}
    assert lifted(crowd.recall(QUESTION, k=20, deep=True, as_of=then)) == set()


def test_one_candidate_has_nobody_to_hear(memory):
    memory.remember(FOUND)
    found = memory.recall(QUESTION, deep=True)
    assert [one.text for one in found] == [FOUND]
    assert not memory.recall("hello!", deep=True)


def test_what_comes_with_the_package_fits_what_it_reads():
    own = refining.shipped()
    assert (own.gnn.shape.features, own.gnn.shape.kinds) == (len(FEATURES), len(KINDS))
    assert own.fisher.shape[1] == own.gnn.shape.size


def test_deep_is_asked_for_by_a_truth_value_and_not_by_a_wrong_name(memory):
    with pytest.raises(InvalidInput):
        memory.recall(QUESTION, depth=True)
