"""Recorded runs are replayed as episodes: what succeeded advises, and the tools are counted as they were called."""

import json

import pytest

from recollect.errors import InvalidInput
from recollect.evals import tau
from recollect.testing import HashEmbedder

POLICY = {"role": "system", "content": "# Retail agent policy\n\nBe kind."}


def call(name, arguments="{}"):
    return {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}


def result(text):
    return {"role": "tool", "content": text}


def run(goal, tools, reward):
    said = [POLICY, {"role": "user", "content": goal}]
    for name in tools:
        said += [call(name), result("Error: no" if name == "guess" else "done")]
    return {"reward": reward, "traj": said}


@pytest.fixture
def data(tmp_path):
    good = [run("return my shoes", ["find_user", "return_order"], 1.0) for _ in range(6)]
    bad = [run("return my shoes", ["guess", "return_order"], 0.0) for _ in range(6)]
    (tmp_path / "a.json").write_text(json.dumps(good + bad))
    (tmp_path / "b.json").write_text(json.dumps([run("say hello", [], 1.0)]))
    return tmp_path


def test_with_learning_all_advice_comes_from_successes_and_without_from_all(data):
    told = tau.replay(data, HashEmbedder())
    assert (told["runs"], told["successes"], told["calls"]) == (12, 6, 24)
    assert told["learning"]["from_success"] == 1.0
    assert 0.2 < told["without"]["from_success"] < 0.8
    assert told["ratio"] == pytest.approx(1.0 / told["without"]["from_success"], abs=1e-3)
    assert told["learning"]["same_tool"] > told["without"]["same_tool"]


def test_the_tools_are_counted_as_a_direct_count_does(data):
    assert tau.replay(data, HashEmbedder())["tool_counts_equal"] is True
    assert tau.counted(tau.read(data)) == {"find_user": (6, 6), "return_order": (12, 6), "guess": (6, 0)}


def test_a_run_is_read_with_its_domain_its_goal_and_what_each_call_gave(data):
    first = tau.read(data)[0]
    assert (first.goal, first.domain, first.success) == ("return my shoes", "Retail agent policy", True)
    assert [(one.tool, one.seen, one.ok) for one in first.calls] == [
        ("find_user", "return my shoes", True),
        ("return_order", "done", True),
    ]
    assert not tau.read(data)[-1].calls[0].ok


def test_calls_that_are_written_as_text_are_read_too(tmp_path):
    said = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": 'Action:\n{"name": "respond", "arguments": {}}'},
        {"role": "assistant", "content": "Action: {broken"},
        {"role": "assistant", "content": 'Action:\n{"name": "find_user", "arguments": {"zip": "1"}}'},
        {"role": "user", "content": "API output: Error: none"},
    ]
    path = tmp_path / "act.json"
    path.write_text(json.dumps([{"reward": 0.0, "traj": said}]))
    (only,) = tau.read(path)[0].calls
    assert (only.tool, only.arguments, only.ok) == ("find_user", '{"zip": "1"}', False)


def test_a_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no recorded run"):
        tau.replay(tmp_path, HashEmbedder())
