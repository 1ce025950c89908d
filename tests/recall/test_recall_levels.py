"""Asking for a level prefers what is of it, says how it was told, and leaves every other recall as it was."""

import pytest

from recollect.errors import InvalidInput
from recollect.formulas.levels import UNKNOWN
from recollect.recall.work import LEVEL_WEIGHT

QUESTION = "auth security of the app"


def step(found, stage):
    return next(dict(one.detail) for one in found.trace.steps if one.stage == stage)


@pytest.fixture
def tree(memory):
    """A goal, two strategies below it, a step below each, and a finding below each of those."""
    texts = {
        "goal": "auth security of the app: make it sound",
        "audit": "auth security of the app: audit every endpoint",
        "rotate": "auth security of the app: rotate the tokens",
        "grep": "auth security of the app: grep the handlers",
        "count": "auth security of the app: count the tokens",
        "race": "auth security of the app: line 42 has a race",
        "stale": "auth security of the app: nine are stale",
    }
    ids = {name: memory.remember(text).id for name, text in texts.items()}
    for lower, upper in (
        ("audit", "goal"),
        ("rotate", "goal"),
        ("grep", "audit"),
        ("count", "rotate"),
        ("race", "grep"),
        ("stale", "count"),
    ):
        memory.link(ids[lower], ids[upper], "part_of")
    return memory, ids


OF_LEVEL = {
    "goals": {"goal"},
    "strategies": {"audit", "rotate"},
    "steps": {"grep", "count"},
    "findings": {"race", "stale"},
}


@pytest.mark.parametrize("ball", [False, True])
@pytest.mark.parametrize("level", OF_LEVEL)
def test_what_is_of_the_level_stands_first(tree, level, ball):
    memory, ids = tree
    found = memory.recall(QUESTION, level=level, ablate=["hierarchy"] if ball else [])
    wanted = {ids[name] for name in OF_LEVEL[level]}
    assert {hit.id for hit in found[: len(wanted)]} == wanted
    assert len(found) == len(ids), "a level prefers, it leaves nothing out"
    signal = "hierarchy" if ball else "level"
    assert found[0].values[signal] > found[-1].values[signal]
    assert sum(found[0].signals.values()) == pytest.approx(found[0].score)
    assert step(found, "level")["level"] == level
    assert step(found, "placing")["by_structure"] == len(ids)


def test_a_recall_without_a_level_has_nothing_of_it(tree):
    memory, _ = tree
    found = memory.recall(QUESTION)
    assert not {"level", "hierarchy"} & found[0].values.keys()
    assert step(found, "level") == step(found, "placing") == {}
    asking = memory.recall("which strategies are there for auth security of the app?")
    assert "level" not in asking[0].values, "questions are not read for it unless that is switched on"


def test_a_question_is_read_for_its_level_where_that_is_switched_on(tree):
    memory, ids = tree
    memory.configure({"layers.levels": True})
    found = memory.recall("which strategies are there for auth security of the app?")
    assert {hit.id for hit in found[:2]} == {ids["audit"], ids["rotate"]}
    assert step(found, "level") == {
        "level": "strategies",
        "asked_by": "question",
        "weight": LEVEL_WEIGHT,
    }
    told = memory.recall("which strategies are there for auth security of the app?", level="findings")
    assert step(told, "level")["asked_by"] == "caller"


def test_the_kind_of_a_memory_tells_its_level_without_any_edge(memory):
    for kind in ("fact", "step", "goal", "skill", "note"):
        memory.remember(f"the nightly backup, as a {kind}", kind=kind)
    for level, kind in (("goals", "goal"), ("strategies", "skill"), ("steps", "step"), ("findings", "fact")):
        found = memory.recall("the nightly backup", level=level)
        assert found[0].memory.kind == kind
        assert step(found, "placing")["unknown"] == 1


def test_what_was_formed_from_others_lies_above_them(memory):
    turns = memory.observe(["the deploy broke at nine", "the deploy broke at ten"], session="s")
    theme = memory.remember("the deploy broke often", sources=[one.id for one in turns])
    found = memory.recall("the deploy broke", level=0)
    assert found[0].id == theme.id
    assert {hit.values["level"] for hit in found[1:]} == {0.5}


def test_the_levels_of_the_past_are_those_of_the_edges_of_then(memory, clock):
    upper, lower = (memory.remember(f"the budget of {what}").id for what in ("the year", "the week"))
    clock.advance(days=1)
    then = clock.now()
    clock.advance(days=1)
    memory.link(lower, upper, "part_of")
    now = memory.recall("the budget", level="goals")
    assert {hit.id: hit.values["level"] for hit in now} == {upper: 1.0, lower: 0.5}
    before = memory.recall("the budget", level="goals", as_of=then)
    assert {hit.values["level"] for hit in before} == {UNKNOWN}
    assert step(before, "placing")["unknown"] == 2


def test_a_circle_tells_no_level_and_does_not_hang(memory):
    one, other = (memory.remember(f"the cable of the {what}").id for what in ("phone", "screen"))
    memory.link(one, other, "part_of")
    memory.link(other, one, "part_of")
    found = memory.recall("the cable", level="goals")
    assert {hit.values["level"] for hit in found} == {UNKNOWN}


def test_what_is_of_the_level_is_found_among_much_that_is_not(memory):
    """The level is asked for before candidates are pruned: a few of it among hundreds of others are found."""
    memory.configure({"recall.candidates": 20})
    question = "server outage report number 7 on monday morning at nine"
    facts = [f"server outage report number {number}" for number in range(150)]
    memory.remember_many({"text": text, "kind": "fact"} for text in [question, *facts])
    goals = {memory.remember(f"outages are fewer, aim {number}", kind="goal").id for number in range(3)}
    assert not goals & {hit.id for hit in memory.recall(question, 5)}
    found = memory.recall(question, 5, level="goals")
    assert goals < {hit.id for hit in found}
    assert step(found, "reach") == {"of_kind": 3}


def test_one_user_s_structure_says_nothing_of_another_s(memory):
    other = memory.beside("ben")
    for engine in (memory, other):
        engine.remember("the shared plan")
    upper = memory.remember("the shared plan, above").id
    memory.link(memory.recall("the shared plan")[0].id, upper, "part_of")
    assert {hit.values["level"] for hit in other.recall("the shared plan", level=0)} == {UNKNOWN}


@pytest.mark.parametrize("level", ["nonsense", -1, 4, 1.5, ""])
def test_an_unknown_level_is_refused_with_those_that_there_are(memory, level):
    with pytest.raises(InvalidInput, match="goals, strategies, steps, findings"):
        memory.recall("anything", level=level)
