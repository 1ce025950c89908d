"""The household benchmark is run as it stands, in both arms, and told with what the difference is."""

import sys
from types import SimpleNamespace

import made_games
import pytest

from recollect.errors import InvalidInput
from recollect.evals.alfworld import build
from recollect.evals.playing import Plan, benchmark, play

SMALL = Plan(seeds=(1, 2), rounds=4, games=10, experts=1)


@pytest.fixture
def data(tmp_path):
    return made_games.household(tmp_path / "games")


def test_the_figures_are_those_of_the_benchmarks_own_command(data):
    told, made = play(data, SMALL), []

    def factory(seed):
        made.append(build(seed))
        return made[-1]

    with benchmark(data) as (learn, games):
        options = SimpleNamespace(data=str(games), experts=1, rounds=4, games=10, test="valid_seen")
        for seed in SMALL.seeds:
            for arm, learns in (("learning", True), ("frozen", False)):
                assert told["seeds"][str(seed)][arm] == learn.run(factory, seed, options, learns)
    for one in made:
        one.close()


def test_the_learning_arm_gets_better_than_the_frozen_one_and_both_are_told(data):
    told = play(data, SMALL)
    assert told["gain"] > 0
    assert told["last3"] > 80
    assert {"fall_back", "gain_valid_seen"} < told.keys()
    one = told["seeds"]["1"]
    assert one["gain"] == pytest.approx(one["learning"]["last3"] - one["frozen"]["last3"], abs=0.11)
    assert one["fall_back"] == pytest.approx(one["learning"]["best3"] - one["learning"]["last3"], abs=0.11)


def test_an_ablated_part_is_switched_to_the_other_side(data):
    assert Plan(ablate=("mdp", "match")).settings() == {
        "learning.chances": "off",
        "learning.task_match": "0",
        "learning.region_match": "0",
    }
    assert play(data, Plan((1,), 3, 5, 1, ("clean", "mdp"), control=False))["ablate"] == ["clean", "mdp"]


def test_without_a_control_there_is_no_gain(data):
    told = play(data, Plan((1,), 3, 5, 1, control=False))
    assert "gain" not in told
    assert "fall_back" in told


def test_the_benchmarks_modules_are_gone_afterwards(data):
    with benchmark(data) as (learn, _):
        assert sys.modules["learn"] is learn
    assert not {"learn", "household"} & sys.modules.keys()
    assert str(data) not in sys.path


def test_progress_is_heard_with_every_game(data):
    calls = []

    class Heard:
        def __init__(self, label):
            self.label = label

        def __enter__(self):
            return lambda done, total: calls.append((self.label, done, total))

        def __exit__(self, *_):
            return None

    play(data, Plan((1,), 3, 5, 1), Heard)
    assert calls[0][:2] == ("seed 1, learning", 1)
    assert {label for label, *_ in calls} == {"seed 1, learning", "seed 1, frozen"}
    assert [done for label, done, _ in calls if label == "seed 1, frozen"] == list(range(1, 1 + 1 + 15 + 2))


@pytest.mark.parametrize(
    ("plan", "said"),
    [(Plan(ablate=("luck",)), "no part of learning is called luck"), (Plan(rounds=2), "three rounds")],
)
def test_what_cannot_be_played_is_refused(data, plan, said):
    with pytest.raises(InvalidInput, match=said):
        play(data, plan)


def test_a_folder_without_the_benchmark_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"no learn\.py and no games"):
        play(tmp_path)
