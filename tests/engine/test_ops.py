"""The ops log of an engine: what was decided, without what was said."""

import json

import pytest

from recollect import Recollect
from recollect.errors import NotFound
from recollect.testing import HashEmbedder


@pytest.fixture
def logged(tmp_path, clock):
    def open_(**settings):
        chosen = {"ops.log": str(tmp_path / "ops.jsonl"), "formation.enabled": True}
        return Recollect(
            ":memory:",
            user="ada",
            channel="_global",
            embedder=HashEmbedder(),
            clock=clock,
            settings=chosen | {name.replace("__", "."): value for name, value in settings.items()},
        )

    return open_


def told(memory):
    assert memory.ops_log.flush(30)
    return [json.loads(line) for line in memory.ops_log.path.read_text("utf-8").splitlines()]


def test_every_decision_is_told_and_nothing_that_was_said(logged):
    memory = logged()
    kept = memory.remember("The wifi password is kedi-1234.", session="s1")
    memory.observe([{"role": "user", "name": "Ada", "content": "I live in Porto."}], session="s1", run="r1")
    memory.recall("where is Porto?")
    memory.forget(kept.id)
    remember, observe, recall, forget = told(memory)
    assert remember["op"] == "remember"
    assert (remember["user"], remember["session"], remember["ids"]) == ("ada", "s1", [kept.id])
    assert (remember["actions"], remember["redacted"]) == ({"create": 1}, {"password": 1})
    assert (observe["run"], observe["stages"]) == ("r1", {"gate.create": 1})
    assert observe["formed"][0]["kind"] == "fact"
    assert recall["hits"] == len(recall["ids"])
    assert (forget["op"], forget["state"]) == ("forget", "dormant")
    assert all(line["ms"] >= 0 and line["at"].startswith("2026-01-01") for line in told(memory))
    written = memory.ops_log.path.read_text("utf-8")
    assert not any(word in written for word in ("Porto", "wifi", "kedi", "Ada lives"))


def test_with_content_texts_and_reasons_are_told_without_secrets(logged):
    memory = logged(ops__content=True)
    memory.remember("The wifi password is kedi-1234.")
    memory.recall("what is the wifi called?")
    remember, recall = told(memory)
    assert remember["texts"] == [
        {"text": "The wifi password is [redacted:password].", "reason": "new; redacted: password"}
    ]
    assert recall["question"] == "what is the wifi called?"


def test_an_error_is_told_by_its_kind_and_raised_all_the_same(logged):
    memory = logged()
    with pytest.raises(NotFound):
        memory.forget("nothing-like-it")
    [line] = told(memory)
    assert (line["op"], line["error"]) == ("forget", "NotFound")
    assert "nothing-like-it" not in str(line)


def test_without_a_path_there_is_no_log(memory):
    assert memory.ops_log is None


def test_users_beside_each_other_share_the_log_and_are_told_apart(logged):
    memory = logged()
    memory.remember("One thing")
    memory.beside("bob").remember("Another thing")
    assert [line["user"] for line in told(memory)] == ["ada", "bob"]


def test_a_log_that_cannot_be_written_changes_nothing_for_the_caller(logged, tmp_path):
    (tmp_path / "file").write_text("")
    memory = logged(ops__log=str(tmp_path / "file" / "ops.jsonl"))
    assert memory.remember("The boat leaves at nine").kept
    assert memory.recall("when does the boat leave?")[0].text == "The boat leaves at nine"
    assert memory.ops_log.flush(30)
    assert memory.ops_log.dropped == 2
