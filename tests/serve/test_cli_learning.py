"""`episodes`, `decide`, `outcome`, `reflect`, `strategy`, `skills`, `tools` and `lens`."""

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
    assert asked("episodes", episode, "--json").json["outcome"] == learnt
    assert "2 steps advise from now on" in asked("episodes", episode).out
    assert "open again" in asked("outcome", episode, "--undo").out


def test_what_an_episode_used_is_told_with_its_outcome(asked, played):
    known = asked("remember", "The soap is in the bathroom", "--json").json["id"]
    asked("outcome", played[1], "success", "--used", known)
    assert [edge["type"] for edge in asked("show", known, "--json").json["edges"]] == ["caused_success"]


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


def test_tools_are_told_with_their_success(asked, played):
    assert "no episode has ended" in asked("tools").out
    asked("outcome", played[1], "success")
    (dry, wash) = asked("tools", "--task", "tidy", "--json").json["tools"]
    assert (dry["name"], dry["calls"], dry["wins"], wash["name"]) == ("dry", 1, 1, "wash")
    assert ["wash", "1", "1", "67%"] in [line.split() for line in asked("tools").out.splitlines()]


def test_a_critique_is_kept_and_warns(asked, played):
    kept = asked("reflect", played[1], "use less water", "--json").json
    assert kept["text"] == "clean the soap: use less water"
    assert "clean the soap: dry it longer" in asked("reflect", played[1], "dry it longer").out


def test_the_way_to_success_is_shown(asked, played):
    assert "no way is known" in asked("strategy", "clean the soap", "nothing", "the hall").out
    asked("outcome", played[1], "success")
    words = ("strategy", "clean the soap", "nothing", "the hall", "--task", "tidy")
    stages = asked(*words, "--json").json["stages"]
    assert [one["action"] for one in stages][:1] == ["wash soap"]
    assert "1. wash soap" in asked(*words).out


def test_skills_are_learnt_and_listed(asked, played):
    assert "no skills" in asked("skills").out
    with Recollect(played[0], user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        memory.configure({"learning.skills": False})
        for thing in ("cup", "pan", "jar"):
            run = memory.episode(f"clean the {thing}", task_type="tidy")
            for action in ("wash", "dry"):
                run.step(f"{action} {thing}", state=f"the {action} place")
            run.finish(True)
    assert asked("skills", "--json").json["skills"] == []
    (skill,) = asked("skills", "clean something", "--learn", "--json").json["skills"]
    assert (skill["goal"], skill["wins"]) == ("clean the {1}", 3)
    assert "(3 won, 0 lost): wash {1}; dry {1}" in asked("skills").out


def test_the_adapter_tells_how_it_stands_and_is_reset(asked, played):
    with Recollect(played[0], user="ada", channel="_global", embedder=HashEmbedder()) as memory:
        one, two = (memory.remember(text).id for text in ("by script", "by hand"))
        memory.contrast("how?", better=one, worse=two)
    assert asked("lens", "--json").json["pending"] == 1
    told = asked("lens", "--reset", "--json").json
    assert (told["version"], told["pending"]) == (0, 0)
    assert ["rolled_back", "0"] in [line.split() for line in asked("lens").out.splitlines()]


def test_influences_are_tested_learnt_and_listed(asked, played):
    assert "nothing is known" in asked("influences").out
    assert asked("influences", "--learn", "--json").json == {"influences": []}
    assert asked("influences", "Ada").code == 2
    assert asked("influences", "Ada", "Bob", "--learn").code == 2
    ran = asked("influences", "Ada", "Bob")
    assert (ran.code, "no memory here names Ada" in ran.err) == (1, True)


def test_episodes_of_a_time_are_listed(asked):
    every = asked("episodes", "--json").json["episodes"]
    assert asked("episodes", "--since", "2000-01-01", "--json").json["episodes"] == every
    assert asked("episodes", "--until", "2000-01-01", "--json").json["episodes"] == []
