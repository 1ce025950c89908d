"""`observe` where memories are formed: what it would do, what it did, and why."""

import pytest

TALK = '[{"role": "user", "name": "Ada", "content": "I live in Porto. Do you?"}, {"role": "user", "content": "ok"}]'


@pytest.fixture(autouse=True)
def forming(monkeypatch):
    monkeypatch.setenv("RECOLLECT_FORMATION_ENABLED", "on")


def memories(cli):
    return [one["text"] for one in cli("list", "--lane", "memory", "--json").json["memories"]]


def test_what_was_formed_is_told_with_its_stage_and_reason(cli):
    first, second = cli("observe", "--json", given=TALK).json["turns"]
    [formed] = first["formed"]
    assert formed.keys() == {"action", "stage", "reason", "text", "id", "kind", "supersedes"}
    assert (formed["action"], formed["text"]) == ("create", "Ada lives in Porto")
    [left_out] = second["formed"]
    assert (left_out["action"], left_out["stage"]) == ("skip", "observe")
    assert memories(cli) == ["Ada lives in Porto"]


def test_a_dry_run_tells_the_same_and_keeps_nothing(cli):
    dry = cli("observe", "--dry-run", "--json", given=TALK).json
    assert dry["kept"] == 0
    assert [one["text"] for turn in dry["turns"] for one in turn["formed"]] == ["Ada lives in Porto", "ok"]
    assert dry["turns"][0]["id"] is None
    assert dry["turns"][0]["formed"][0]["id"] is None
    assert cli("list", "--json").json["memories"] == []


def test_the_summary_counts_and_explain_shows_each_decision(cli):
    assert cli("observe", "--dry-run", given=TALK).out == (
        "would keep 2 of 2 messages\nstatements: 1 create, 1 skip\n"
    )
    shown = cli("observe", "--explain", given=TALK).out
    assert "create (gate): Ada lives in Porto" in shown
    assert "too few to tell something" in shown
