"""The command line as a whole: its verbs, its help, its errors, where it keeps the store."""

import inspect
import os
from pathlib import Path

import pytest
import typer.main

from recollect import __version__, errors
from recollect.serve import verbs
from recollect.serve.cli import Verbs, app
from recollect.serve.exits import OUTCOMES, outcome
from recollect.serve.options import Common

REPOSITORY = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden" / "help.txt"
UPDATE = bool(os.environ.get("RECOLLECT_UPDATE"))
"""The golden file is written anew with RECOLLECT_UPDATE=1."""
PROMISED = """remember observe recall context list show edit tag link pin forget restore purge history timeline stats
verify snapshot branch diff merge export import config setup reembed compact"""


@pytest.fixture(scope="module")
def group() -> Verbs:
    return typer.main.get_command(app)


def every_command(group):
    for name in group.list_commands(None):
        found = group.get_command(None, name)
        yield name, found
        for inner, command in getattr(found, "commands", {}).items():
            yield f"{name} {inner}", command


def test_every_promised_verb_is_there(group):
    assert set(PROMISED.split()) <= set(verbs.VERBS)
    assert {name for name, _ in every_command(group)} >= set(PROMISED.split())


def test_the_list_of_verbs_says_what_the_verbs_say_of_themselves(group):
    for name, verb in verbs.VERBS.items():
        assert group.get_command(None, name).help.split("\n")[0] == verb.about


def test_every_verb_takes_the_common_options(group):
    common = set(Common.__dataclass_fields__)
    for name, command in every_command(group):
        assert common <= {parameter.name for parameter in command.params}, name
        assert all(parameter.help for parameter in command.params if parameter.name != "help"), name


def test_every_verb_is_documented():
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [name for name in verbs.VERBS if f"`{name}`" not in text] == []


def test_the_help_is_as_it_was(cli, group, monkeypatch):
    pages = [("--help",), *((*name.split(), "--help") for name, _ in every_command(group))]
    text = "\n".join(f"$ recollect {' '.join(page)}\n{cli(*page).out}" for page in pages)
    if UPDATE:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "if this is meant, run it with RECOLLECT_UPDATE=1"


def test_without_words_there_is_help(cli):
    assert cli().out == cli("--help").out == cli("-h").out
    assert cli("--version").out == f"recollect {__version__}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("timelin", "x"), "Did you mean 'timeline'?"),
        (("frobnicate",), "No such command 'frobnicate'"),
        (("recall", "x", "--frobnicate"), "No such option: --frobnicate"),
        (("--frobnicate",), "No such option"),
        (("--store",), "--store"),
        (("--user", " ", "list"), "not empty"),
        (("--user", "", "list"), "--user names something"),
        (("keys", "create", "--user", ""), "--user names something"),
        (("keys", "--user", "", "create"), "--user names something"),
        (("list", "--store", ""), "--store names something"),
        (("list", "--channel", ""), "--channel names something"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(cli, stock, words, told):
    ran = cli(*words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1


def test_wrong_usage_is_json_where_json_is_asked_for(cli):
    for words in (("--json",), ("--json", "frobnicate"), ("list", "--limit", "many", "--json")):
        ran = cli(*words)
        assert (ran.code, ran.json["error"]["type"], ran.err) == (2, "InvalidInput", "")


def test_a_word_after_two_dashes_is_no_option(cli):
    ran = cli("remember", "--", "--json")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "--json")
    assert cli("show", "--", "--json").err == "error: no memory --json\n"


def test_every_error_has_an_outcome():
    leaves = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.RecollectError) and not kind.__subclasses__()
    ]
    assert set(leaves) <= OUTCOMES.keys()
    assert {kind for kind, told in OUTCOMES.items() if told.exit_code == 2} == {errors.InvalidInput}
    assert outcome(errors.ModelError("x")).exit_code == outcome(KeyError("x")).exit_code == 1
    assert all(400 <= told.status < 600 for told in OUTCOMES.values())


def test_an_unexpected_error_is_one_line_and_a_hint(cli, stock, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr("recollect.engine.Recollect.list", broken)
    ran = cli("list")
    assert (ran.code, ran.err) == (
        1,
        "error: ZeroDivisionError: one two (unexpected; RECOLLECT_DEBUG=1 shows where)\n",
    )
    assert cli("list", "--json").json["error"]["type"] == "ZeroDivisionError"
    monkeypatch.setenv("RECOLLECT_DEBUG", "1")
    assert "Traceback" in cli("list").err


def test_an_interruption_ends_with_130(cli, stock, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("recollect.engine.Recollect.list", interrupted)
    assert cli("list").code == 130
    assert cli("list", "--json").json["error"]["type"] == "Interrupted"


def test_common_options_stand_before_or_after_the_verb_and_the_later_wins(cli, store, tmp_path):
    other = str(tmp_path / "other.db")
    cli("--store", other, "--user", "ada", "remember", "x", "--json")
    assert not store.exists()
    assert len(cli("list", "--store", other, "--user", "ada", "--json").json["memories"]) == 1
    assert cli("--store", other, "--user", "ada", "list", "--user", "bob", "--json").json["memories"] == []
    assert cli("--json", "--channel", "a", "remember", "y").json["action"] == "create"
    assert cli("list", "--channel", "a", "--json").json["memories"][0]["text"] == "y"


def test_the_environment_names_user_and_channel(cli, stock, monkeypatch):
    monkeypatch.setenv("RECOLLECT_USER", "ada")
    monkeypatch.setenv("RECOLLECT_CHANNEL", "project")
    told = cli("stats", "--json").json
    assert (told["user"], told["channel"]) == ("ada", "project")


@pytest.mark.parametrize(
    "words",
    [
        ("recall", "x"),
        ("context", "x"),
        ("bundle", "x"),
        ("portrait",),
        ("timeline",),
        ("list",),
        ("show", "01"),
        ("history", "01"),
        ("edit", "01", "x"),
        ("forget", "01"),
        ("purge", "01", "--yes"),
        ("link", "01", "02", "--type", "causes"),
        ("review",),
        ("stats",),
        ("episodes",),
        ("skills",),
        ("tools",),
        ("goals",),
        ("grants",),
        ("keys", "list"),
    ],
)
def test_a_store_that_is_not_there_is_not_made_by_who_reads(cli, tmp_path, words):
    mistyped = tmp_path / "folder" / "agnet.db"
    ran = cli(*words, "--store", str(mistyped))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"error: no store at {mistyped}; choose another with --store")
    assert not mistyped.parent.exists()


def test_the_settings_can_be_looked_at_before_there_is_a_store(cli, store):
    assert cli("config", "get", "recall.k").out == "10\n"
    assert "recall.budget_tokens" in cli("config").out
    assert not store.exists()


def test_the_store_is_in_the_users_data_folder_by_default(cli, monkeypatch, tmp_path):
    monkeypatch.delenv("RECOLLECT_STORE")
    cli("remember", "x")
    assert (tmp_path / "data" / "recollect" / "memory.db").is_file()


def test_a_store_that_cannot_be_opened_is_told(cli, store, tmp_path):
    store.write_bytes(b"this is no database" * 100)
    ran = cli("list", "--json")
    assert (ran.code, ran.json["error"]["type"]) == (1, "StoreCorrupt")
    assert cli("--store", str(tmp_path), "list").code == 1
    assert cli("--store", "postgresql://host/db", "list").code == 1
