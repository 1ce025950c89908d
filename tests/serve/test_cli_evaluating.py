"""`eval`, on a tiny set made here."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def data(tmp_path):
    said = [
        {"dia_id": "D1:1", "speaker": "Ada", "text": "I started pottery lessons"},
        {"dia_id": "D1:2", "speaker": "Ben", "text": "The marathon was great"},
    ]
    talk = {"session_1": said, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    asked = [
        {"question": "Who started pottery?", "answer": "x", "evidence": ["D1:1"], "category": 4},
        {"question": "How was the marathon?", "answer": "x", "evidence": ["D1:2"], "category": 1},
    ]
    path = tmp_path / "sets" / "locomo.json"
    path.parent.mkdir()
    path.write_text(json.dumps([{"sample_id": "a", "conversation": talk, "qa": asked}]))
    return path.parent


def test_eval_prints_one_document(cli, data, store):
    told = cli("eval", "locomo", "--data", str(data), "--json").json
    assert (told["set"], told["n"], told["recall@5"], told["profile"]) == ("locomo", 2, 1.0, "default")
    assert not store.exists()


def test_eval_prints_tables_for_a_person(cli, data):
    ran = cli("eval", "locomo", "--data", str(data), "--limit", "1")
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["set", "n", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10"] in lines
    assert ["locomo", "1", "1", "1", "1", "1", "1"] in lines
    assert ["single-hop", "1", "1"] in lines
    assert ["profile", "default"] in lines


def test_eval_keeps_stores_where_it_is_told(cli, data, tmp_path):
    words = ("eval", "locomo", "--data", str(data), "--stores", str(tmp_path / "kept"), "--json")
    first, second = cli(*words).json, cli(*words).json
    assert len(list((tmp_path / "kept").iterdir())) == 1
    assert first["ingest_items_per_s"] == second["ingest_items_per_s"]


@pytest.mark.parametrize(("baseline", "profile"), [("bm25", "words"), ("dense", "meaning"), ("rrf", "ranks")])
def test_eval_runs_the_plain_methods(cli, data, baseline, profile):
    told = cli("eval", "locomo", "--data", str(data), "--baseline", baseline, "--json").json
    assert (told["baseline"], told["profile"]) == (baseline, profile)


def test_eval_precision_tells_the_share_of_cases_that_hold(cli, tmp_path):
    belief = {
        "_id": "b",
        "user_id": "test-user",
        "type": "preference",
        "canonical_name": "linting",
        "content": "Linting is done by Biome",
        "scope": ["domain:code"],
        "pinned": True,
        "created_at": "2026-09-01",
    }
    asked = {"caseId": "a", "category": "c", "scope": ["domain:code"], "query": "linting?"}
    cases = [
        asked | {"expect": {"pinnedFacts": rule}} for rule in ({"mustInclude": ["b"]}, {"mustExclude": ["b"]})
    ]
    (tmp_path / "beliefs.seed.json").write_text(json.dumps([belief]))
    (tmp_path / "retrieval.cases.json").write_text(json.dumps(cases))
    told = cli("eval", "precision", "--data", str(tmp_path), "--json").json
    assert (told["set"], told["n"], told["held"], told["failed"]) == ("precision", 2, 0.5, ["a"])
    assert cli("eval", "precision", "--data", str(tmp_path), "--limit", "1").out.split()[:4] == [
        "cases",
        "1",
        "held",
        "1",
    ]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("nope", "--data", "."), 2, "no set 'nope'; there are: locomo, realtalk, beam"),
        (("locomo",), 2, "--data"),
        (("locomo", "--data", "nowhere"), 1, "no file or folder nowhere"),
        (("locomo", "--data", ".", "--baseline", "nope"), 2, "no baseline 'nope'"),
        (("locomo", "--data", ".", "--baseline", "rrf", "--profile", "words"), 2, "--baseline and --profile"),
        (("locomo", "--data", ".", "--profile", "nope"), 2, "no profile 'nope'"),
        (("locomo", "--data", ".", "--ablate", "no such layer"), 2, "no such layer|ablate"),
        (("locomo", "--data", ".", "--limit", "0"), 2, "above 0"),
    ],
)
def test_what_cannot_be_measured_is_one_line(cli, data, monkeypatch, words, code, told):
    monkeypatch.chdir(data)
    ran = cli("eval", *words)
    assert (ran.code, ran.out) == (code, "")
    assert any(part in ran.err for part in told.split("|"))
    assert ran.err.count("\n") == 1


def test_a_malformed_file_is_named(cli, data):
    (data / "locomo.json").write_text('[{"qa": []}]')
    ran = cli("eval", "locomo", "--data", str(data))
    assert ran.code == 2
    assert "locomo.json is not a LoCoMo file: no 'conversation'" in ran.err


def test_a_lifetime_needs_something_to_live_through(cli, tmp_path):
    ran = cli("eval", "lifetime", "--data", str(tmp_path))
    assert ran.code == 2
    assert "nothing to live through" in ran.err


def test_eval_alfworld_plays_and_tells_both_arms(cli, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "evals"))
    import made_games

    folder = str(made_games.household(tmp_path / "games"))
    words = ("eval", "alfworld", "--data", folder, "--seed", "3", "--rounds", "3", "--games", "4")
    told = cli(*words, "--ablate", "value,trim", "--json").json
    assert (told["ablate"], list(told["seeds"]), told["rounds"]) == (["value", "trim"], ["3"], 3)
    shown = [line.split() for line in cli(*words).out.splitlines()]
    assert ["seed", "arm", "rounds", "last", "3", "unseen"] in shown
    assert {"learning", "frozen"} <= {line[1] for line in shown if len(line) > 1 and line[0] == "3"}
