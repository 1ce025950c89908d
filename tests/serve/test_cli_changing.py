"""`edit`, `tag`, `link`, `pin`, `forget`, `restore` and `purge`."""

import stat

import pytest


def shown(cli, memory_id):
    return cli("show", memory_id, "--json").json


def test_edit_keeps_the_old_text_in_the_history(cli, stock):
    made = cli("edit", stock.deploys, "Deploys go straight to production", "--json").json
    assert (made["action"], made["id"]) == ("update", stock.deploys)
    assert shown(cli, stock.deploys)["text"] == "Deploys go straight to production"
    assert [one["version"] for one in cli("history", stock.deploys, "--json").json["versions"]] == [1, 2]
    assert cli("edit", stock.deploys, "-", "--json", given="from a pipe\n").json["text"] == "from a pipe"
    assert cli("edit", stock.deploys, given="again").code == 0


def at_a_terminal(monkeypatch):
    for module in ("changing", "forgetting"):
        monkeypatch.setattr(f"recollect.serve.commands.{module}.at_keyboard", lambda: True)


def test_edit_opens_the_editor_at_a_terminal(cli, stock, monkeypatch, tmp_path):
    at_a_terminal(monkeypatch)
    editor = tmp_path / "editor"
    editor.write_text(
        f'#!/bin/sh\nstat -c %a "$(dirname "$1")" > {tmp_path}/mode\nsed -i s/first/last/ "$1"\n'
    )
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    assert cli("edit", stock.deploys, "--json").json["text"] == "Deploys go through staging last"
    assert (tmp_path / "mode").read_text() == "700\n"


@pytest.mark.parametrize(
    ("editor", "code", "told"),
    [
        (None, 2, "set EDITOR"),
        ("/no/such/editor", 1, "cannot be started"),
        ("false", 2, "nothing was changed"),
    ],
)
def test_an_editor_that_fails_changes_nothing(cli, stock, monkeypatch, editor, code, told):
    at_a_terminal(monkeypatch)
    if editor:
        monkeypatch.setenv("EDITOR", editor)
    ran = cli("edit", stock.deploys)
    assert ran.code == code
    assert told in ran.err
    assert shown(cli, stock.deploys)["version"] == 1


def test_the_log_is_not_edited(cli, stock):
    ran = cli("edit", stock.turn, "I like coffee", "--json")
    assert (ran.code, ran.json["error"]["type"]) == (1, "Refused")


def test_tags_are_added_and_removed(cli, stock):
    assert cli("tag", stock.deploys, "two", "#three", "--json").json["tags"] == ["ops", "two", "three"]
    assert cli("tag", stock.deploys, "ops", "two", "--remove", "--json").json["tags"] == ["three"]
    assert "#three" in cli("tag", stock.deploys, "three").out
    assert cli("tag", stock.deploys).code == 2


def test_link_makes_an_edge_that_show_shows(cli, stock):
    made = cli(
        "link",
        stock.deploys,
        stock.lisbon,
        "--type",
        "causes",
        "--weight",
        "0.5",
        "--reason",
        "why",
        "--json",
    )
    assert made.json | {"recorded_at": None} == {
        "source": stock.deploys,
        "target": stock.lisbon,
        "type": "causes",
        "weight": 0.5,
        "reason": "why",
        "recorded_at": None,
    }
    assert made.json in shown(cli, stock.deploys)["edges"]
    assert f"{stock.deploys} causes {stock.lisbon}, weight 0.5 (why)" in cli("show", stock.lisbon).out


def test_unlink_takes_an_edge_away(cli, stock):
    cli("link", stock.deploys, stock.lisbon, "--type", "causes", "--reason", "why")
    gone = cli("unlink", stock.deploys, stock.lisbon, "--type", "causes", "--json").json
    assert (gone["source"], gone["target"], gone["reason"]) == (stock.deploys, stock.lisbon, "why")
    assert shown(cli, stock.deploys)["edges"] == []
    missing = cli("unlink", stock.deploys, stock.lisbon, "--type", "causes")
    assert missing.code == 1
    assert "no causes edge" in missing.err
    cli("link", stock.deploys, stock.lisbon)
    assert (
        f"gone: {min(stock.deploys, stock.lisbon)} related_to"
        in cli("unlink", stock.deploys, stock.lisbon).out
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--type", "loves"), "no edge type"),
        (("--type", "supersedes"), "engine itself"),
        (("--weight", "2"), "weight"),
    ],
)
def test_a_wrong_edge_is_refused(cli, stock, options, told):
    ran = cli("link", stock.deploys, stock.lisbon, *options)
    assert ran.code == 2
    assert told in ran.err


def test_a_pinned_memory_is_not_forgotten_and_an_immutable_one_not_changed(cli, stock):
    assert cli("pin", stock.deploys, "--json").json["pinned"]
    refused = cli("forget", stock.deploys)
    assert refused.code == 1
    assert "pinned" in refused.err
    assert cli("pin", stock.deploys, "--immutable", "--json").json["immutable"]
    assert cli("edit", stock.deploys, "no").code == 1
    lifted = cli("pin", stock.deploys, "--off", "--mutable", "--json").json
    assert (lifted["pinned"], lifted["immutable"]) == (False, False)
    assert cli("forget", stock.deploys).code == 0
    assert cli("pin", stock.deploys, "--off", "--immutable").code == 2


def test_forgetting_is_undone_by_restoring(cli, stock):
    gone = cli("forget", stock.deploys, stock.lisbon, stock.deploys, "--json").json["memories"]
    assert [(one["id"], one["state"]) for one in gone] == [
        (stock.deploys, "dormant"),
        (stock.lisbon, "dormant"),
    ]
    assert "dormant" in cli("list", "--state", "dormant").out
    assert [one["state"] for one in cli("restore", stock.deploys, "--json").json["memories"]] == ["active"]


def test_nothing_is_forgotten_when_one_of_the_ids_is_unknown(cli, stock):
    assert cli("forget", stock.deploys, "nope").code == 1
    assert shown(cli, stock.deploys)["state"] == "active"


def test_purge_asks_nothing_with_yes_and_leaves_nothing(cli, stock, store):
    cli("remember", "Ada drinks tea", "--source", stock.turn)
    ran = cli("purge", stock.turn, stock.deploys, "--yes", "--json")
    assert ran.json["purged"] == [stock.turn, stock.deploys]
    assert len(ran.json["derived"]) == 1
    assert b"I like tea" not in store.read_bytes()
    assert cli("show", stock.turn).err == f"error: {stock.turn} was purged\n"
    again = cli("remember", "Deploys go through staging first", "--json").json
    assert (again["action"], again["id"]) == ("skip", None)
    assert cli("purge", stock.lisbon, "-y").out == f"purged {stock.lisbon}\n"
    assert cli("verify").code == 0


def test_purge_takes_what_was_formed_from_it_if_told_so(cli, stock, store):
    formed = cli("remember", "Ada drinks tea", "--source", stock.turn, "--json").json["id"]
    ran = cli("purge", stock.turn, "--derived", "--yes", "--json")
    assert ran.json == {"purged": [stock.turn, formed], "derived": [], "sources": []}
    assert b"Ada drinks tea" not in store.read_bytes()


def test_purge_says_where_it_was_said_and_still_stands(cli, stock):
    formed = cli("remember", "Ada drinks tea", "--source", stock.turn, "--json").json["id"]
    told = cli("purge", formed, "--yes").out
    assert told == f"purged {formed}\nsaid in, and still there: {stock.turn}\n"


def test_purge_without_a_terminal_wants_yes(cli, stock):
    ran = cli("purge", stock.turn)
    assert (ran.code, ran.out) == (2, "")
    assert "--yes" in ran.err
    assert cli("purge", stock.turn, "--json").json["error"]["type"] == "InvalidInput"


def test_purge_at_a_terminal_shows_what_goes_and_asks(cli, stock, monkeypatch):
    at_a_terminal(monkeypatch)
    no = cli("purge", stock.turn, "--json", given="n\n")
    assert (no.code, no.json["error"]["message"]) == (1, "stopped; nothing was done")
    assert "I like tea" in no.err
    assert "Erase this memory for good?" in no.err
    yes = cli("purge", stock.turn, "--json", given="y\n")
    assert yes.json["purged"] == [stock.turn]


def test_the_store_is_for_its_owner_alone(cli, store):
    cli("remember", "x")
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
