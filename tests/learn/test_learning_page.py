"""The page about learning runs as it stands."""

import re
from pathlib import Path

import pytest

from recollect.evals.playing import PARTS, Plan
from recollect.testing import HashEmbedder

PAGE = Path(__file__).parents[2] / "docs/learning.md"


def test_its_code_runs_and_says_what_it_says(tmp_path, monkeypatch, capsys):
    pytest.importorskip("statsmodels")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("recollect.engine.core.make_embedder", lambda *_: HashEmbedder())
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(code, PAGE.name, "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "freeze the clock in the test"
    assert "['make the logout test pass', 'make the login test pass']" in lines
    assert lines[-2:] == ["[('tag:deploy', 'tag:alert')]", "['tag:alert']"]
    assert lines[-5:-2] == [
        "('take {1} from {2}', 'drop {1} in box')",
        "[('drop', 3, 3), ('take', 3, 3)]",
        '("put the pen in the box: mind the pen\'s ink",)',
    ]


@pytest.fixture
def figures(monkeypatch):
    monkeypatch.syspath_prepend(str(PAGE.parents[1]))
    from benchmarks import learning_page

    return learning_page


def test_its_figures_are_those_on_record(figures):
    assert PAGE.read_text(encoding="utf-8") == figures.page(figures.on_record())


def test_a_result_is_told_in_full(figures):
    arm = {
        "curve": [50.0, 60.0, 70.0],
        "last3": 60.0,
        "best3": 60.0,
        "valid_seen": 61.0,
        "cpu_s": 90.0,
        "commit": "c",
    }
    frozen = {**arm, "last3": 40.0, "valid_seen": 41.0}
    seed = {"learning": arm, "frozen": frozen, "gain": 20.0, "gain_valid_seen": 20.0, "fall_back": 0.0}
    plan = {"rounds": 3, "games": 10, "experts": 6}
    games = {"commit": "c", "plan": plan, "seeds": {"1": seed}}
    arms = {"default": {"1": arm}, "mdp": {"1": {**arm, "last3": 45.0}}, "usefulness": {"1": arm}}
    timed = {"p50": 1.25, "p95": 2.0}
    speed = {"commit": "c", "steps": 50_000, "advising": 25_000, "embedder": "e", "possible": 25}
    speed |= {
        "decision_cpu_ms": timed,
        "decision_ms": timed,
        "step_cpu_ms": 1.0,
        "first_decision_cpu_ms": 90.0,
    }
    share = {"from_success": 0.5, "same_tool": 0.25, "asked": 4}
    runs = {"commit": "c", "runs": 2, "successes": 1, "calls": 9, "embedder": "e", "ratio": 2.0}
    runs |= {"without": share, "learning": {**share, "from_success": 1.0}, "tool_counts_equal": True}
    one = {"curve": [{"A": 80.0, "B": 81.0}], "rise_of_current": 5.0, "fall_of_earlier": 0.5}
    lens = {"commit": "c", "phases": "AB", "seeds": [1, 2], "embedder": "e"}
    lens |= dict.fromkeys(("as_shipped", "no_canary", "no_ewc", "neither"), one)
    ablation = {"commit": "c", "plan": plan, "arms": arms}
    replayed = {"embedders": {"e": runs, "f": {**runs, "embedder": "f", "ratio": 1.5}}}
    every = {"alfworld": games, "ablation": ablation, "learning_speed": speed, "tau": replayed, "sona": lens}
    copies = {
        "games": 300,
        "won": {"6": 84.0, "10": 86.0},
        "difference": 2.0,
        "standard_error": 1.5,
        "commit": "c",
    }
    every["forgetting"] = {
        "by_chance": {"rate": 0.85, "fall_back": 2.4, "beyond_3": 0.32},
        "seeds": {"3": copies},
    }
    text = figures.rendered(every)
    assert "copied after 6 and 10 rounds" in text
    assert "| 3 | 300 | 84.0 | 86.0 | +2.0 | 1.5 | c |" in text
    assert "| 1 | 50 60 70 | 60.0 | 40.0 | +20.0 | 61.0 | 41.0 | 0.0 | 1.5 | c |" in text
    assert "| without mdp | no chances of actions | 1 | 45.0 | -15.0 |" in text
    assert "| with usefulness | advice counts by how often following it went well | 1 | 60.0 | +0.0 |" in text
    assert "With 50,000 steps stored" in text
    assert "| e | as it learns | 100.0% | 2.00 | 25.0% | c |" in text
    assert "| f | as it learns | 100.0% | 1.50 | 25.0% | c |" in text
    assert "| without either | 80 / 81 | +5.0 | 0.5 |" in text


def test_every_part_that_can_be_ablated_is_explained(figures):
    assert figures.SAID.keys() == PARTS.keys()


def test_what_is_lost_of_the_same_games_is_told_with_its_error(monkeypatch):
    monkeypatch.syspath_prepend(str(PAGE.parents[1]))
    from benchmarks.forgetting import _paired, by_chance

    before, after = [True] * 6 + [False] * 4, [True] * 5 + [False] + [True] * 3 + [False]
    assert _paired([before, after]) == {"difference": 20.0, "standard_error": 20.0}
    assert _paired([before, before]) == {"difference": 0.0, "standard_error": 0.0}
    chance = by_chance(Plan())
    assert 2.0 < chance["fall_back"] < 3.0, "a player who stays the same seems to fall back"
    assert by_chance(Plan(), 1.0) == {"rate": 1.0, "fall_back": 0.0, "beyond_3": 0.0}
