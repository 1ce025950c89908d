"""What became of each tool: counted from the episodes that ended, and from no others."""

import pytest

from recollect.errors import InvalidInput


def called(memory, calls, *, success, task_type="returns", **options):
    run = memory.episode("return the shoes", task_type=task_type, **options)
    for name, ok, latency_ms in calls:
        run.step(f"{name} 7", state="the desk", action_type=name, ok=ok, latency_ms=latency_ms)
    return run.finish(success)


def told(memory, **options):
    return {one.name: one for one in memory.tools(**options)}


def test_calls_wins_and_latencies_are_those_that_were_told(memory):
    called(memory, [("find", True, 10.0), ("find", False, 30.0), ("pay", None, None)], success=True)
    called(memory, [("find", True, None)], success=False)
    find, pay = told(memory)["find"], told(memory)["pay"]
    assert (find.calls, find.wins, find.losses, find.worked, find.broke) == (3, 2, 1, 2, 1)
    assert find.latency_ms == 20.0
    assert find.success == pytest.approx(3 / 5)
    assert (pay.calls, pay.wins, pay.latency_ms) == (1, 1, None)
    assert [one.name for one in memory.tools()] == ["find", "pay"]


def test_an_episode_that_is_open_or_undone_counts_nothing(memory):
    outcome = called(memory, [("find", True, 1.0)], success=True)
    memory.episode("more").step("guess 1", state="here", action_type="guess")
    assert list(told(memory)) == ["find"]
    memory.undo(outcome.episode)
    assert memory.tools() == []


def test_tools_are_told_by_kind_of_task_and_channel(memory):
    called(memory, [("find", True, None)], success=True)
    called(memory, [("find", True, None)], success=False, task_type="orders")
    called(memory, [("find", True, None)], success=False, channel="shop")
    assert told(memory, task_type="returns")["find"].calls == 1
    assert told(memory)["find"].calls == 2
    assert told(memory, channel="shop")["find"].calls == 3
    assert memory.tools(task_type="unknown") == []


def test_a_purged_step_tells_no_name_but_its_like_do(memory):
    first = called(memory, [("find", True, None)], success=True)
    called(memory, [("find", True, None)], success=True)
    memory.purge(memory.trajectory(first.episode)[0].id)
    assert told(memory)["find"].calls == 2


def test_a_latency_is_a_number_of_milliseconds(memory):
    with pytest.raises(InvalidInput, match="milliseconds"):
        called(memory, [("find", True, -1.0)], success=True)
