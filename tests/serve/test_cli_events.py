"""`event`: what agents emit, from standard input and from files."""

LINES = (
    '{"type": "run.started", "goal": "Fix the login", "timestamp": "2026-03-02T12:00:00Z"}\n'
    '{"type": "run.completed", "result": "A mutex was missing", "timestamp": "2026-03-02T12:05:00Z"}\n'
    '{"type": "chat.user_msg", "text": "ok"}\n'
)


def test_events_come_one_a_line_and_each_is_answered(cli):
    told = cli("event", "--session", "s1", "--run", "r1", "--json", given=LINES).json
    assert told["kept"] == 2
    assert [one["action"] for one in told["turns"]] == ["create", "create", "skip"]
    [hit] = cli("recall", "mutex", "--run", "r1", "-k", "1", "--json").json["hits"]
    assert hit["text"] == "A mutex was missing"


def test_the_same_lines_again_change_nothing(cli):
    cli("event", "--session", "s1", given=LINES)
    again = cli("event", "--session", "s1", given=LINES)
    assert again.out.startswith(
        "kept 0 of 3 events\nleft out: the same event was kept before: Started: Fix the login"
    )
    assert len(cli("list", "--lane", "log", "--json").json["memories"]) == 2


def test_an_array_or_a_single_event_in_a_file_is_taken_too(cli, tmp_path):
    (tmp_path / "one.json").write_text('{"type": "worker.report", "text": "The disk is full"}')
    assert cli("event", str(tmp_path / "one.json")).out == "kept 1 of 1 events\n"
    assert (
        cli("event", given='[{"type": "worker.report", "text": "The disk is empty"}]').out
        == "kept 1 of 1 events\n"
    )


def test_a_dry_run_keeps_nothing_and_explain_tells_what_would_be_formed(cli, monkeypatch):
    monkeypatch.setenv("RECOLLECT_FORMATION_ENABLED", "on")
    given = '{"type": "chat.user_msg", "speaker": "Ada", "text": "I live in Porto."}'
    shown = cli("event", "--dry-run", "--explain", given=given).out
    assert shown.startswith("would keep 1 of 1 events")
    assert "create (gate): Ada lives in Porto" in shown
    assert cli("list", "--json").json["memories"] == []


def test_what_is_no_event_is_wrong_usage_and_says_where(cli):
    for given, problem in (
        ("", "there is no event"),
        ("{oops", "line 1 is not JSON"),
        ('{"a": 1}', "needs a 'type'"),
    ):
        ran = cli("event", given=given)
        assert ran.code == 2
        assert problem in ran.err
