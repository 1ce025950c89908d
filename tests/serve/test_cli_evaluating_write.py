"""`eval write`, on a few facts made here."""

import json


def test_eval_write_prints_a_flat_object(cli, tmp_path, store):
    told = "0. The capital of Peru is Lima.\n1. The capital of Peru is Cusco."
    path = tmp_path / "fact_consolidation.json"
    path.write_text(json.dumps([{"context": told, "metadata": {"source": "a"}}]), encoding="utf-8")
    found = cli("eval", "write", "--data", str(tmp_path), "--json").json
    assert found["consolidation_replaced_superseded"] == 1.0
    assert not any(isinstance(value, dict | list) for value in found.values())
    assert not store.exists()
    assert "consolidation_facts" in cli("eval", "write", "--data", str(tmp_path)).out
