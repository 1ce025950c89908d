"""The page of the evaluation tells what was measured, and nothing else."""

from pathlib import Path

import made_sets
import pytest

from recollect.testing import HashEmbedder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import evaluation

    return evaluation


@pytest.fixture
def trial(monkeypatch, page):
    from benchmarks import evaluate

    monkeypatch.setattr(evaluate, "make_embedder", lambda *_: HashEmbedder())
    return evaluate


def test_the_page_tells_the_committed_results(page):
    assert page.PAGE.exists() == page.RESULT.exists()
    if page.RESULT.exists():
        assert page.PAGE.read_text(encoding="utf-8") == page.rendered()


def test_every_set_that_is_there_is_measured_and_told(trial, page, tmp_path):
    made_sets.locomo(tmp_path)
    made_sets.beam(tmp_path)
    made_sets.multihop(tmp_path)
    result = trial.run(tmp_path, [], None, None)
    assert list(result["sets"]) == ["locomo", "beam", "multihop"]
    text = page.rendered({"commit": "c", "machine": {"cores": 2, "processor": "P"}, **result})
    assert "Measured on 2 cores (P) with hash-384, at c." in text
    assert "| locomo | 3 | 1 | 1.000 |" in text
    assert "| beam | knowledge_update | 1 |" in text
    assert "| method | locomo | beam | hotpotqa | musique |" in text
    assert "| musique | 1 | 0 |" in text
    assert "| beam: knowledge_update | |" in text


def test_the_ablation_tells_the_difference_from_the_default(page):
    rows = [
        {"set": "a", "method": "default", "recall@10": 0.8},
        {"set": "a", "method": "without windows", "recall@10": 0.75},
    ]
    assert page._ablation(rows).splitlines()[-2:] == [
        "| default | 0.800 |",
        "| without windows | 0.750 (-0.050) |",
    ]


def test_a_trial_with_a_limit_records_nothing(trial, page, tmp_path, monkeypatch, capsys):
    made_sets.locomo(tmp_path)
    monkeypatch.setattr(trial, "record", lambda *_: pytest.fail("recorded"))
    monkeypatch.setattr(trial, "PAGE", tmp_path / "page.md")
    trial.main(["--data", str(tmp_path), "--limit", "1"])
    assert "| locomo | 1 | 0 |" in capsys.readouterr().out
    assert not (tmp_path / "page.md").exists()


def test_layers_are_named_with_a_plus_where_they_are_off_by_default(trial):
    assert (trial.layer("windows").row, trial.layer("+hop").row) == ("without windows", "with hop")
