"""`episodes`, `decide` and `outcome`."""

import pytest

from recollect import Recollect
from recollect.testing import HashEmbedder


@pytest.fixture
def played(cli, tmp_path):
    """A store with one open episode of two steps; gives its path and the episode's id."""
    path = tmp_path / "episodes.db"
    with Recollect(path, user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        run = memory.episode("clean the soap", task_type="tidy")
        run.step("wash soap", state="the hall")
        run.step("dry soap", state="the hall", observation="it is dry")
    return str(path), run.id


@pytest.fixture
def asked(cli, played):
    """Runs a verb on that store."""
    return lambda *words: cli(*words, "--store", played[0], "--user", "ada", "--channel", "_global")


def test_an_open_episode_is_listed_finished_and_taken_back(asked, played):
    _, episode = played
    (one,) = asked("episodes", "--ending", "open", "--json").json["episodes"]
    assert (one["id"], one["goal"], one["task_type"], one["ending"]) == (
        episode,
        "clean the soap",
        "tidy",
        "open",
    )
    assert episode in asked("episodes").out
    learnt = asked("outcome", episode, "success", "--json").json
    assert learnt["success"] is True
    assert len(learnt["kept"]) == 2
    assert asked("episodes", "--json").json["episodes"][0]["ending"] == "won"
    assert "open again" in asked("outcome", episode, "--undo").out


def test_the_steps_of_an_episode_are_shown_in_order(asked, played):
    steps = asked("episodes", played[1], "--json").json["steps"]
    assert [(s["place"], s["action"], s["state"][-1]) for s in steps] == [
        (0, "wash soap", "the hall"),
        (1, "dry soap", "the hall"),
    ]
    assert steps[1]["observation"] == "it is dry"
    assert "→ wash soap" in asked("episodes", played[1]).out


def test_decide_says_what_worked(asked, played):
    situation = ("clean the soap", "nothing", "the hall")
    assert "No experience" in asked("decide", *situation).out
    asked("outcome", played[1], "success")
    told = asked("decide", *situation, "--possible", "eat soap", "--possible", "wash soap", "--json").json
    assert told["best"] == "wash soap"
    assert {one["action"] for one in told["precedents"]} == {"wash soap", "dry soap"}
    assert "wash soap" in asked("decide", *situation).out


@pytest.mark.parametrize("words", [(), ("success", "--undo")])
def test_outcome_needs_one_result(asked, played, words):
    ran = asked("outcome", played[1], *words)
    assert ran.code == 2
    assert "--undo" in ran.err
