"""`eval write`, on a few facts made here."""

import json

import pytest

from recollect.evals.writing import fuzz


@pytest.mark.slow
def test_eval_write_prints_a_flat_object(cli, tmp_path, store, monkeypatch):
    monkeypatch.setattr(fuzz, "MESSAGES", 5)
    told = "0. The capital of Peru is Lima.\n1. The capital of Peru is Cusco."
    path = tmp_path / "fact_consolidation.json"
    path.write_text(json.dumps([{"context": told, "metadata": {"source": "a"}}]), encoding="utf-8")
    found = cli("eval", "write", "--data", str(tmp_path), "--json").json
    assert found["consolidation_replaced_superseded"] == 1.0
    assert not any(isinstance(value, dict | list) for value in found.values())
    assert not store.exists()
    assert "consolidation_facts" in cli("eval", "write", "--data", str(tmp_path)).out


def test_eval_fuzz_needs_no_data(cli):
    found = cli("eval", "fuzz", "--limit", "5", "--seed", "3", "--json").json
    assert (found["fuzz_messages"], found["fuzz_seed"], found["fuzz_raised"], found["fuzz_lost"]) == (
        5,
        3,
        0,
        0,
    )
