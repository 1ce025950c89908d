"""Goals are set, end, wait for each other, and are not forgotten as long as they are open."""

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.model import State
from recollect.testing import FakeClock, HashEmbedder


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(params=["reference", "sqlite"])
def memory(request, tmp_path, clock):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder(), clock=clock) as engine:
        yield engine


def test_a_goal_is_set_with_its_priority_and_deadline(memory):
    made = memory.add_goal("Ship version two", priority=3, deadline="2026-12-01")
    assert memory.goal(made.id[:20]) == made
    assert (made.text, made.standing, made.priority) == ("Ship version two", "active", 3)
    assert f"{made.deadline:%Y-%m-%d}" == "2026-12-01"
    assert [hit.id for hit in memory.recall("what about version two?")] == [made.id]


def test_goals_are_told_by_what_matters_most(memory, clock):
    late = memory.add_goal("late", deadline="2027-01-01").id
    some_day = memory.add_goal("some day").id
    soon = memory.add_goal("soon", deadline="2026-02-01").id
    first = memory.add_goal("first", priority=1).id
    done = memory.add_goal("done", priority=9).id
    memory.end_goal(done, "completed")
    assert [one.id for one in memory.goals()] == [first, soon, late, some_day, done]
    assert [one.id for one in memory.goals(standing="completed")] == [done]


def test_a_goal_that_ended_says_how_and_is_no_longer_current(memory, clock):
    made = memory.add_goal("Ship version two").id
    clock.advance(days=3)
    ended = memory.end_goal(made, "completed", result="Shipped on a Tuesday")
    assert (ended.standing, ended.result, ended.ended_at) == (
        "completed",
        "Shipped on a Tuesday",
        clock.now(),
    )
    assert not ended.is_open
    assert list(memory.recall("version two")) == []
    assert not memory.get(made).pinned
    with pytest.raises(Refused, match="resume it first"):
        memory.end_goal(made, "abandoned")
    again = memory.resume_goal(made)
    assert (again.standing, again.result, again.ended_at) == ("active", None, None)
    assert [hit.id for hit in memory.recall("version two")] == [made]


def test_a_larger_goal_ends_after_those_that_serve_it(memory):
    large = memory.add_goal("Ship version two").id
    small = memory.add_goal("Write the notes", parent=large).id
    assert (memory.goal(large).subgoals, memory.goal(small).parent) == ((small,), large)
    with pytest.raises(Refused, match=small):
        memory.end_goal(large, "completed")
    memory.end_goal(small, "abandoned", result="Nobody reads them")
    assert memory.end_goal(large, "completed").standing == "completed"
    with pytest.raises(Refused, match="was completed"):
        memory.add_goal("One more thing", parent=large)


def test_a_goal_waits_for_another_until_that_has_ended(memory):
    tests = memory.add_goal("Mend the tests").id
    ship = memory.add_goal("Ship it", blocked_by=[tests]).id
    assert (memory.goal(ship).standing, memory.goal(ship).blockers) == ("blocked", (tests,))
    assert [one.id for one in memory.goals(standing="blocked")] == [ship]
    memory.end_goal(tests, "completed")
    assert (memory.goal(ship).standing, memory.goal(ship).blockers) == ("active", ())


def test_goals_do_not_wait_in_a_circle(memory):
    one, two, three = (memory.add_goal(name).id for name in ("one", "two", "three"))
    memory.block_goal(one, by=two)
    memory.block_goal(two, by=three)
    for goal, by in ((three, one), (one, one)):
        with pytest.raises(Refused, match="neither could go on"):
            memory.block_goal(goal, by=by)


def test_a_goal_may_wait_for_something_else_and_goes_on(memory):
    made, other = memory.add_goal("Ship it").id, memory.add_goal("Mend it").id
    blocked = memory.block_goal(made, obstacle="The lawyers")
    assert (blocked.standing, blocked.obstacle) == ("blocked", "The lawyers")
    memory.block_goal(made, by=other)
    again = memory.resume_goal(made)
    assert (again.standing, again.obstacle, again.blockers) == ("active", None, ())
    for wrong in ({}, {"by": other, "obstacle": "x"}, {"obstacle": " "}):
        with pytest.raises(InvalidInput, match="give one"):
            memory.block_goal(made, **wrong)


def test_an_open_goal_is_not_forgotten_by_a_dream(memory, clock):
    made = memory.add_goal("Ship version two").id
    clock.advance(days=900)
    memory.dream()
    assert memory.get(made).state is State.ACTIVE


def test_every_change_of_a_goal_is_in_its_history(memory, clock):
    made = memory.add_goal("Ship it").id
    before = clock.now()
    clock.advance(days=1)
    memory.end_goal(made, "abandoned")
    assert len(memory.history(made)) == 2
    assert memory.get(made, as_of=before).valid_until is None
    assert memory.verify() == []


def test_goals_of_others_and_what_is_no_goal_are_not_touched(memory):
    made, note = memory.add_goal("Ship it").id, memory.remember("a note").id
    with pytest.raises(InvalidInput, match="not a goal"):
        memory.end_goal(note, "completed")
    bob = memory.beside("bob")
    for attempt in (
        lambda: bob.goal(made),
        lambda: bob.end_goal(made, "completed"),
        lambda: bob.block_goal(made, obstacle="x"),
        lambda: bob.resume_goal(made),
        lambda: bob.add_goal("mine", parent=made),
        lambda: bob.add_goal("mine", blocked_by=[made]),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert bob.goals() == []


def test_an_immutable_goal_stays_as_it_is(memory):
    made = memory.add_goal("Ship it").id
    memory.pin(made, immutable=True)
    with pytest.raises(Refused, match="immutable"):
        memory.end_goal(made, "completed")


def test_secrets_and_purged_texts_are_not_kept_as_goals(memory):
    made = memory.add_goal("The password is correct-horse-battery")
    assert "correct-horse" not in made.text
    plain = memory.add_goal("Ship it").id
    ended = memory.end_goal(plain, "completed", result="The password is correct-horse-battery")
    assert "correct-horse" not in ended.result
    memory.purge(plain)
    with pytest.raises(Refused, match="purged before"):
        memory.add_goal("Ship it")


def test_what_cannot_be_is_told(memory):
    made = memory.add_goal("Ship it").id
    with pytest.raises(InvalidInput, match="completed or abandoned"):
        memory.end_goal(made, "active")
    with pytest.raises(InvalidInput, match="active, blocked"):
        memory.goals(standing="lost")
    with pytest.raises(InvalidInput, match="priority"):
        memory.add_goal("x", priority=5_000)
    with pytest.raises(InvalidInput, match="priority"):
        memory.add_goal("x", priority="high")
    for wrong in (None, made):
        with pytest.raises(InvalidInput, match="blocked_by"):
            memory.add_goal("x", blocked_by=wrong)
    memory.configure({"memory.recording": False})
    with pytest.raises(Refused, match="switched off"):
        memory.add_goal("x")
