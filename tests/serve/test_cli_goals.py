"""`goals`."""


def test_goals_are_set_blocked_and_ended(cli):
    large = cli("goals", "add", "Ship it", "--deadline", "2026-12-01", "--json").json["id"]
    small = cli("goals", "add", "Mend the tests", "--parent", large, "--json").json["id"]
    assert "until 2026-12-01" in cli("goals").out
    assert "waits for The lawyers" in cli("goals", "block", small, "--obstacle", "The lawyers").out
    assert cli("goals", "end", large, "completed").code == 1
    assert "active" in cli("goals", "resume", small).out
    assert "Green" in cli("goals", "end", small, "completed", "--result", "Green").out
    listed = cli("goals", "list", "--standing", "active", "--json").json["goals"]
    assert [one["id"] for one in listed] == [large]
    assert cli("goals", "end", large, "lost").code == 2


def test_without_goals_it_says_so(cli):
    cli("remember", "something")
    assert "no goals" in cli("goals").out
