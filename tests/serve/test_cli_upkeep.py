"""`stats`, `verify`, `audit`, `compact`, `reembed`, `config` and `setup`."""

import apsw
import pytest

from recollect.assembly import make_embedder
from recollect.config import SETTINGS
from recollect.testing import HashEmbedder


def test_stats_count_what_is_there(cli, stock, store):
    told = cli("stats", "--json").json
    assert (told["store"], told["user"], told["log"], told["memory"]) == (str(store), "default", 1, 3)
    assert told["model"] == {"name": "hash-384", "dimension": 384}
    assert "model.name           hash-384\n" in cli("stats").out


def test_verify_is_content_with_a_whole_store(cli, stock, store):
    assert cli("verify").out == f"{store} is whole\n"
    assert cli("verify", "--json").json == {"ok": True, "store": str(store), "faults": []}


def test_verify_names_every_fault_and_ends_with_1(cli, stock, store):
    behind = apsw.Connection(str(store))
    behind.execute("UPDATE content SET text = 'The office is in Madrid' WHERE text LIKE '%Lisbon'")
    behind.close()
    ran = cli("verify", "--json")
    assert ran.code == 1
    assert ran.json["ok"] is False
    assert stock.lisbon in {fault["subject"] for fault in ran.json["faults"]}
    assert f"{stock.lisbon}: " in cli("verify").out
    assert cli("verify").code == 1


def test_the_audit_shows_what_was_written_and_read_newest_first(cli, stock):
    cli("config", "set", "audit.level", "verbose")
    cli("recall", "where is the office?", "-k", "1")
    told = cli("audit", "--json", "--limit", "2").json
    read, wrote = told["entries"]
    assert (read["operation"], read["sequence"], read["ids"]) == ("recall", None, [stock.lisbon])
    assert read["detail"]["question"] == "where is the office?"
    assert wrote["operation"] == "use", "what a recall has taught is written, too"
    (older,) = cli("audit", "--json", "--limit", "1", "--after", told["next"]).json["entries"]
    assert older["sequence"] < wrote["sequence"]
    assert [one["operation"] for one in cli("audit", "--only", "reads", "--json").json["entries"]] == [
        "recall"
    ]
    assert stock.lisbon in cli("audit", "--memory", stock.lisbon).out
    assert cli("audit", "--operation", "nothing").out == "nothing here\n"
    assert cli("audit", "--only", "x").code == 2


@pytest.mark.parametrize(
    "words", [("verify",), ("audit",), ("compact",), ("reembed",), ("export",), ("snapshot", "x.db")]
)
def test_a_store_that_is_not_there_is_not_made_by_looking_after_it(cli, store, words):
    ran = cli(*words)
    assert ran.code == 1
    assert ran.err.startswith(f"error: no store at {store}")
    assert not store.exists()


def test_compact_tells_sizes(cli, stock):
    assert cli("compact", "--json").json.keys() == {"bytes_before", "bytes_after"}
    assert "bytes before" in cli("compact").out
    assert cli("recall", "office", "--json").json["hits"]


def test_another_model_is_told_and_reembed_changes_it(cli, stock, monkeypatch):
    monkeypatch.setattr("recollect.engine.core.make_embedder", lambda *_: HashEmbedder(64))
    ran = cli("recall", "office", "--json")
    assert (ran.code, ran.json["error"]["type"], ran.err) == (1, "ModelMismatch", "")
    assert cli("list").code == 0
    assert cli("list").err == ""
    assert cli("stats").err.startswith("warning: ")
    changed = cli("reembed", "--json").json
    assert changed == {"reembedded": 4, "model": {"name": "hash-64", "dimension": 64}}
    assert cli("recall", "office", "--json").json["hits"]
    assert cli("reembed").out == "0 texts embedded anew; the store's model is hash-64\n"


def test_config_lists_every_setting_with_where_it_comes_from(cli, monkeypatch):
    monkeypatch.setenv("RECOLLECT_RECALL_K", "7")
    assert cli("config", "set", "recall.budget_tokens", "500", "--json").json["value"] == 500
    told = {one["name"]: one for one in cli("config", "--json").json["settings"]}
    assert told.keys() == SETTINGS.keys()
    names = {"name", "value", "default", "source", "variable", "about", "choices", "low", "high"}
    assert all(one.keys() == names for one in told.values())
    assert (told["recall.k"]["value"], told["recall.k"]["source"]) == (7, "environment")
    assert (told["recall.budget_tokens"]["value"], told["recall.budget_tokens"]["source"]) == (500, "store")
    assert told["recall.profile"]["source"] == "default"
    out = cli("config").out
    assert all(name in out for name in SETTINGS)


def test_a_service_that_is_named_by_half_keeps_nobody_out(cli):
    cli("remember", "Deploys go through staging first")
    assert cli("config", "set", "llm.url", "http://localhost:1/v1").code == 0
    ran = cli("recall", "deploys")
    assert ran.code == 0
    assert "staging" in ran.out
    assert "warning: a language model needs both llm.url and llm.model" in ran.err
    completed = cli("config", "set", "llm.model", "small")
    assert (completed.code, completed.err) == (0, "")
    assert cli("recall", "deploys").err == ""
    assert cli("config", "unset", "llm.url").code == 0


def test_config_gets_sets_and_unsets(cli):
    assert cli("config", "get", "recall.k").out == "10\n"
    assert cli("config", "set", "recall.k", "3").out == "recall.k = 3 (store)\n"
    assert cli("--json", "config", "get", "recall.k").json["source"] == "store"
    assert cli("config", "--json", "get", "recall.k").json["value"] == 3
    assert cli("config", "unset", "recall.k").out == "recall.k = 10 (default)\n"
    assert cli("--user", "bob", "config", "set", "recall.k", "4").code == 0
    assert cli("config", "get", "recall.k").out == "10\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("config", "get", "nope"), "no setting 'nope'; there are: memory.enabled"),
        (("config", "set", "recall.k", "many"), "recall.k"),
        (("config", "set", "recall.k", "0"), "between"),
        (("config", "set", "recall.k"), "Missing argument 'VALUE'"),
        (("config", "frobnicate"), "No such command 'frobnicate'"),
    ],
)
def test_a_wrong_setting_is_told(cli, words, told):
    ran = cli(*words)
    assert ran.code == 2
    assert told in ran.err


def test_settings_can_be_mended_when_the_embedder_cannot_be_made(cli, monkeypatch):
    monkeypatch.setattr("recollect.engine.core.make_embedder", make_embedder)
    cli("config", "set", "embedder.kind", "openai")
    assert cli("recall", "x").code == 2
    assert cli("list").code == 0
    assert cli("config", "unset", "embedder.kind").code == 0


def test_setup_prepares_the_embedder_without_making_a_store(cli, store):
    told = cli("setup", "--json").json
    assert told == {"model": "hash-384", "dimension": 384, "path": None, "fetched": False}
    assert cli("setup").out == "hash-384 is ready (384 dimensions)\n"
    assert not store.exists()


def test_setup_says_where_the_model_is(cli, tmp_path, monkeypatch):
    class Fetched(HashEmbedder):
        ready, folder = False, tmp_path / "model"

    monkeypatch.setattr("recollect.assembly.make_embedder", lambda *_: Fetched())
    told = cli("setup", "--json").json
    assert (told["path"], told["fetched"]) == (str(tmp_path / "model"), True)
    assert str(tmp_path / "model") in cli("setup").out
