"""`remember` and `observe`."""

import json

import pytest

REMEMBERED = {"id", "action", "reason", "text", "redactions", "supersedes"}


def test_remember_says_what_became_of_the_text(cli):
    ran = cli("remember", "Deploys go through staging first", "--json")
    assert ran.code == 0
    assert ran.json.keys() == REMEMBERED
    assert (ran.json["action"], ran.json["redactions"]) == ("create", [])
    again = cli("remember", "Deploys go through staging first", "--json").json
    assert (again["action"], again["id"]) == ("reinforce", ran.json["id"])


def test_remember_takes_every_option(cli, stock):
    options = {
        "--kind": "decision",
        "--scope": "session",
        "--session": "s9",
        "--valid-from": "2026-01-01",
        "--valid-until": "2026-02-01T00:00:00+01:00",
        "--confidence": "0.5",
        "--importance": "0.9",
        "--metadata": '{"ticket": 42}',
        "--supersedes": stock.lisbon,
    }
    flat = [word for pair in options.items() for word in pair]
    tags = ["--tag", "one", "--tag", "two", "--source", stock.turn, "--pinned", "--immutable"]
    made = cli("remember", "We moved", *flat, *tags, "--json").json
    assert (made["action"], made["supersedes"]) == ("supersede", stock.lisbon)
    shown = cli("show", made["id"], "--json").json
    assert (shown["kind"], shown["scope"], shown["session"]) == ("decision", "session", "s9")
    assert (shown["valid_from"], shown["valid_until"]) == (
        "2026-01-01T00:00:00+00:00",
        "2026-01-31T23:00:00+00:00",
    )
    assert (shown["confidence"], shown["importance"], shown["metadata"]) == (0.5, 0.9, {"ticket": 42})
    assert (shown["tags"], shown["sources"]) == (["one", "two"], [stock.turn])
    assert shown["pinned"]
    assert shown["immutable"]


@pytest.mark.parametrize("words", [("remember",), ("remember", "-")])
def test_remember_reads_standard_input(cli, words):
    assert cli(*words, "--json", given="Tea at four\n").json["text"] == "Tea at four"


def test_remember_reads_five_megabytes(cli):
    ran = cli("remember", "--json", given="many words " * 500_000)
    assert ran.code == 0
    assert len(ran.json["text"]) == 5_500_000


def test_remember_keeps_nul_bytes(cli):
    made = cli("remember", "--json", given=b"before\0after").json
    assert cli("show", made["id"], "--json").json["text"] == "before\0after"
    assert "before\\x00after" in cli("show", made["id"]).out


def test_a_secret_is_redacted_and_said_to_be(cli, store):
    made = cli("remember", "the password is hunter2-Tr0ub4dor", "--json").json
    assert "hunter2" not in json.dumps(made)
    assert [found.keys() for found in made["redactions"]] == [{"kind", "reason"}]
    assert b"hunter2" not in store.read_bytes()


@pytest.mark.parametrize(
    ("words", "given", "told"),
    [
        (("remember",), b"\xff\xfe\x00binary", "standard input is not UTF-8 text: byte 0xff at 0"),
        (("remember",), b"", "empty"),
        (("remember", "  "), None, "empty"),
        (("remember", "caf\udce9"), None, "argument 2 is not valid UTF-8"),
        (("remember", "x", "--scope", "planet"), None, "'global', 'project', 'session'"),
        (("remember", "x", "--confidence", "2"), None, "between 0 and 1"),
        (("remember", "x", "--confidence", "much"), None, "--confidence"),
        (("remember", "x", "--metadata", "{"), None, "not JSON"),
        (("remember", "x", "--metadata", "[1]"), None, "JSON object"),
        (("remember", "x", "--metadata", "[" * 100_000), None, "not JSON"),
        (("remember", "x", "--valid-from", "soon"), None, "ISO 8601"),
        (("remember", "x", "y"), None, "unexpected extra argument"),
        (("observe",), b" \n", "nothing to observe"),
        (("observe",), b'{"role": "user", "content": "hi"}\n{"role"', "line 2 is not JSON"),
        (("observe",), b"[1]", "not int"),
        (("observe",), b'{"role": "user"}', "content"),
        (("observe",), b"[" * 100_000, "nested too deeply"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_code_2(cli, words, given, told):
    ran = cli(*words, given=given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert told in ran.err


MESSAGES = [{"role": "user", "name": "Ada", "content": "Tea?"}, {"role": "assistant", "content": "At four."}]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(message) for message in MESSAGES) + "\n\n",
        json.dumps(MESSAGES),
        json.dumps(MESSAGES, indent=2),
        json.dumps({"messages": MESSAGES}),
        "\ufeff" + json.dumps(MESSAGES),
    ],
    ids=["lines", "array", "pretty", "wrapped", "marked"],
)
def test_observe_keeps_messages_in_every_shape(cli, text, tmp_path):
    (tmp_path / "talk.json").write_text(text, encoding="utf-8")
    ran = cli(
        "observe", str(tmp_path / "talk.json"), "--session", "s1", "--run", "r1", "--actor", "bot", "--json"
    )
    assert ran.code == 0
    assert ran.json.keys() == {"kept", "turns"}
    assert ran.json["kept"] == 2
    assert all(turn.keys() == REMEMBERED | {"formed"} for turn in ran.json["turns"])
    kept = cli("list", "--lane", "log", "--oldest-first", "--json").json["memories"]
    assert [(one["text"], one["role"], one["speaker"]) for one in kept] == [
        ("Tea?", "user", "Ada"),
        ("At four.", "assistant", None),
    ]
    assert {(one["session"], one["run"], one["actor"]) for one in kept} == {("s1", "r1", "bot")}


def test_observe_takes_plain_text_whatever_it_begins_with(cli):
    turn = cli("observe", "-", "--role", "system", "--speaker", "cron", "--json", given="{not json\n").json[
        "turns"
    ][0]
    shown = cli("show", turn["id"], "--json").json
    assert (shown["text"], shown["role"], shown["speaker"]) == ("{not json", "system", "cron")
    assert cli("observe", given="just words").out == "kept 1 of 1 messages\nstatements: 1 skip\n"


def test_observe_says_what_it_left_out(cli):
    ran = cli("observe", given='["hello", ""]')
    assert ran.out == "kept 1 of 2 messages\nleft out: the message is empty\nstatements: 1 skip\n"


def test_a_file_that_is_not_there_is_named(cli, tmp_path):
    ran = cli("observe", str(tmp_path / "none.jsonl"))
    assert (ran.code, ran.err) == (1, f"error: no file {tmp_path / 'none.jsonl'}\n")
    assert cli("observe", str(tmp_path)).code == 2


def test_memory_that_is_switched_off_keeps_nothing_and_says_so(cli):
    cli("config", "set", "memory.enabled", "off")
    ran = cli("remember", "x", "--json")
    assert (ran.json["action"], ran.json["id"]) == ("skip", None)
    assert "switched off" in cli("remember", "x").out
