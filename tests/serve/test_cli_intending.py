"""`intend` and `due`."""


def test_an_intention_is_due_until_it_is_done(cli):
    one = cli("intend", "Renew the certificate", "--at", "2020-01-01", "--json").json["id"]
    assert [due["memory"]["id"] for due in cli("due", "--json").json["due"]] == [one]
    assert cli("due").out.startswith("Renew the certificate\n")
    assert cli("due", "--done", one, "--json").json["memories"][0]["state"] == "dormant"
    assert cli("due").out == "nothing is due\n"


def test_a_context_brings_up_what_waits_for_it(cli):
    cli("intend", "Mention the outage", "--when", "a call with the hosting company", "--every", "1")
    assert cli("due", "--json").json == {"due": []}
    assert len(cli("due", "a call with the hosting company", "--json").json["due"]) == 1


def test_an_intention_without_a_trigger_is_wrong_usage(cli):
    ran = cli("intend", "Renew the certificate")
    assert ran.code != 0
    assert "give one of them" in ran.err
