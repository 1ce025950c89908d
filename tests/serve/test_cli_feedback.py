"""`feedback`."""


def test_feedback_changes_what_a_memory_is_worth(cli):
    one = cli("remember", "Deploys go through staging first", "--json").json["id"]
    assert cli("feedback", one, "--json").json["utility"] == {one: 0.55}
    assert cli("feedback", one, "--unhelpful", "--json").json["utility"] == {one: 0.495}
    assert cli("feedback", one).out.startswith(f"{one}  utility 0.55, strength")


def test_feedback_on_nothing_known_fails(cli):
    cli("remember", "Deploys go through staging first")
    ran = cli("feedback", "nobody")
    assert ran.code == 1
    assert "nobody" in ran.err
