"""`list`, `show` and `history`."""

import pytest


def listed(ran) -> list[str]:
    return [one["text"] for one in ran.json["memories"]]


def test_list_goes_page_by_page(cli, stock):
    everything = listed(cli("list", "--json"))
    assert everything[0] == "I like tea"
    assert len(everything) == 4
    first = cli("list", "--limit", "3", "--json").json
    assert first["next"] == first["memories"][-1]["id"]
    second = cli("list", "--limit", "3", "--after", first["next"], "--json").json
    assert second["next"] is None
    assert [one["text"] for one in first["memories"] + second["memories"]] == everything
    assert listed(cli("list", "--oldest-first", "--json")) == everything[::-1]
    assert f"more: --after {first['next']}" in cli("list", "--limit", "3").out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--lane", "log"), ["I like tea"]),
        (("--kind", "fact", "--kind", "note"), 3),
        (("--tag", "ops"), ["Deploys go through staging first"]),
        (("--session", "s2"), ["I like tea"]),
        (("--run", "r1"), ["I like tea"]),
        (("--actor", "x"), []),
        (("--role", "user"), ["I like tea"]),
        (("--event-type", "chat"), ["I like tea"]),
        (("--until", "2025-12-31"), ["The office is in Porto"]),
        (("--since", "2025-12-31"), 3),
        (("--valid-at", "2025-06-01"), ["The office is in Porto"]),
        (("--as-of", "2020-01-01"), []),
        (("--scope", "project"), []),
        (("--channel", "elsewhere"), []),
        (("--user", "somebody"), []),
        (("--state", "dormant"), []),
        (("--state", "all"), 4),
        (("--pinned",), []),
        (("--unpinned",), 4),
        (("--min-confidence", "0.5"), 4),
    ],
)
def test_list_shows_only_what_the_filters_let_through(cli, stock, options, expected):
    found = listed(cli("list", *options, "--json"))
    assert (len(found) if isinstance(expected, int) else found) == expected


def test_list_is_plain_in_a_pipe_with_whole_ids_and_dates(cli, stock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    lines = cli("list").out.splitlines()
    assert "\x1b" not in "".join(lines)
    assert lines[0] == "I like tea"
    assert lines[1].endswith(f"Ada said · message · session s2  {stock.turn}")
    assert f"since 2025-03-01, until {lines[3][6:16]}" in lines[5]
    assert cli("--user", "nobody", "list").out == "nothing here yet\n"


def test_list_refuses_an_empty_page(cli):
    ran = cli("list", "--limit", "0")
    assert (ran.code, ran.err) == (2, "error: --limit is a number above 0, not 0\n")


def test_show_has_all_that_is_known(cli, stock):
    shown = cli("show", stock.lisbon, "--json").json
    assert shown["id"] == stock.lisbon
    assert shown["supersedes"] == stock.porto
    assert shown["counters"] == {"access_count": 0, "last_accessed_at": None}
    assert [(edge["source"], edge["type"], edge["target"]) for edge in shown["edges"]] == [
        (stock.lisbon, "supersedes", stock.porto)
    ]
    out = cli("show", stock.porto).out
    for told in (
        "The office is in Porto",
        "since 2025-03-01",
        "replaced by",
        "supersedes",
        "version 2",
        "never recalled",
    ):
        assert told in out
    assert "Ada (user)" in cli("show", stock.turn).out


def test_show_goes_back_in_time(cli, stock):
    first = cli("history", stock.porto, "--json").json["versions"][0]
    then = cli("show", stock.porto, "--as-of", first["recorded_at"], "--json").json
    assert (then["version"], then["superseded_by"]) == (1, None)
    ran = cli("show", stock.porto, "--as-of", "2020-01-01")
    assert (ran.code, ran.err) == (1, f"error: {stock.porto} was not known then\n")


def test_an_id_may_be_cut_as_long_as_it_is_unique(cli):
    made = cli("remember", "only one", "--json").json["id"]
    assert cli("show", made[:4], "--json").json["id"] == made


@pytest.mark.parametrize(
    "words",
    [
        ("show", "ID"),
        ("history", "ID"),
        ("edit", "ID", "text"),
        ("tag", "ID", "x"),
        ("pin", "ID"),
        ("forget", "ID"),
        ("restore", "ID"),
        ("purge", "ID", "--yes"),
        ("link", "ID", "ID"),
        ("remember", "x", "--supersedes", "ID"),
        ("remember", "x", "--source", "ID"),
    ],
)
def test_an_unknown_or_ambiguous_id_is_told(cli, stock, words):
    unknown = cli(*("nope" if word == "ID" else word for word in words))
    assert (unknown.code, unknown.err) == (1, "error: no memory nope\n")
    told = cli(*("nope" if word == "ID" else word for word in words), "--json")
    assert told.json == {"error": {"type": "NotFound", "message": "no memory nope"}}
    assert told.err == ""
    ambiguous = cli(*(stock.porto[:2] if word == "ID" else word for word in words))
    assert ambiguous.code == 2
    assert f"{stock.porto}" in ambiguous.err
    assert "write more of the id" in ambiguous.err


def test_history_has_every_version_and_what_was_replaced(cli, stock):
    told = cli("history", stock.lisbon[:-1], "--json").json
    assert told["id"] == stock.lisbon
    assert [(one["id"], one["version"]) for one in told["versions"]] == [
        (stock.porto, 1),
        (stock.porto, 2),
        (stock.lisbon, 1),
    ]
    assert cli("history", stock.lisbon).out.count("\nThe office") == 3


def test_no_memory_can_drive_the_terminal(cli):
    made = cli("remember", "safe\x1b[2J\x9b31m\rtext\u202e", "--json").json["id"]
    for words in (
        ("list",),
        ("show", made),
        ("recall", "safe text"),
        ("history", made),
        ("context", "safe text"),
    ):
        out = cli(*words).out
        assert "\\x1b[2J" in out
        assert not set(out) & set("\x1b\x9b\r\u202e")
