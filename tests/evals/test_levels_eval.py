"""Asking for a level is measured on corpora that have levels, through the engine, with and without their structure."""

import json
import shutil

import pytest
from made_sets import written

from recollect.errors import InvalidInput
from recollect.evals.levels import levels
from recollect.evals.sets.levelled import read
from recollect.testing import HashEmbedder


def call(name):
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"function": {"name": name, "arguments": "{}"}}],
    }


def run(task, number):
    return {
        "reward": 1.0,
        "info": {"task": {"instruction": task}},
        "traj": [
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": f"I want to {task}, please, try {number}"},
            {"role": "assistant", "content": f"I shall {task} once I know who you are, {number}"},
            call(f"find_user_{task.split()[-1]}_{number}"),
            {"role": "tool", "content": f"user {number} of {task}"},
        ],
    }


@pytest.fixture
def data(tmp_path):
    tasks = ["return my shoes", "cancel my flight", "change my seat"]
    written(tmp_path / "tau_bench" / "runs.json", [run(task, n) for task in tasks for n in range(3)])
    corpus = [
        {"title": f"Title {n}", "text": f"Film {n} was made in Ankara. It tells of {n} ships."}
        for n in range(9)
    ]
    queries = [{"question": f"Where was film {n} made?", "gold": [n]} for n in range(3)]
    written(tmp_path / "multihop" / "2wiki.json", {"corpus": corpus, "queries": queries})
    turn = [{"id": n, "role": ("user", "assistant")[n % 2], "content": f"budget part {n}"} for n in range(4)]
    written(
        tmp_path / "beam-100k" / "1" / "chat.json",
        [{"batch_number": 1, "turns": [turn], "time_anchor": None}],
    )
    written(
        tmp_path / "beam-100k" / "1" / "probing_questions.json",
        {"information_extraction": [{"question": "What of the budget?", "source_chat_ids": [2]}]},
    )
    return tmp_path


def test_the_sets_have_the_levels_that_they_have(data):
    tau, beam, wiki = read(data)
    assert [node.depth for node in tau.nodes[:4]] == [0, 1, 2, 3]
    assert len(tau.nodes) == 3 * 2 * 4, "the first run of each task asks"
    assert tau.questions[0].text == "I want to return my shoes, please, try 0"
    assert {node.key: node.above for node in tau.nodes[:4]} == {
        "0-0/goal": None,
        "0-0/1": "0-0/goal",
        "0-0/2/0": "0-0/1",
        "0-0/3": "0-0/2/0",
    }
    assert [(node.depth, node.above) for node in beam.nodes] == [(0, None), (1, "0"), (2, "1"), (3, "2")]
    assert beam.questions[0].gold == {0: {"0"}, 1: {"1"}, 2: {"2"}, 3: {"3"}}
    assert [(node.depth, node.text) for node in wiki.nodes[:4]] == [
        (0, "Title 0"),
        (1, "Title 0: Film 0 was made in Ankara. It tells of 0 ships."),
        (2, "Film 0 was made in Ankara"),
        (2, "It tells of 0 ships"),
    ]
    assert [one.text for one in read(data, limit=1)[2].questions] == ["Where was film 0 made?"]


def test_asking_for_a_level_brings_more_of_it_and_every_way_is_told(data):
    shutil.rmtree(data / "beam-100k")
    told = levels(data, HashEmbedder(), limit=2)
    assert json.dumps(told)
    assert told["sets"].keys() == {"tau", "2wiki"}
    for name in ("tau", "2wiki"):
        arms = told["sets"][name]["arms"]
        assert arms["depth, known"]["level_precision@10"] > arms["flat, known"]["level_precision@10"]
        assert arms["depth, known"]["recall@10"] >= arms["flat, known"]["recall@10"]
        assert arms["flat, known"]["by_level"].keys() <= {"goals", "strategies", "steps", "findings"}
        assert {"ball, known", "depth, half known", "depth, half known, not fitted"} <= arms.keys()
        assert told["sets"][name]["mixed"]["weight"] > 0


def test_a_folder_without_the_sets_is_told(tmp_path):
    with pytest.raises(InvalidInput, match="tau_bench"):
        read(tmp_path)
