"""`recall --edge-boost` follows the types of edges that are given."""


def test_what_is_related_is_boosted_and_bad_boosts_are_refused(cli):
    failed, full = (
        cli("remember", text, "--json").json["id"]
        for text in ("The backup failed on Sunday", "Volume seven was full")
    )
    assert cli("link", full, failed, "--type", "causes").code == 0
    found = cli("recall", "why did the backup fail?", "--edge-boost", "causes=0.3", "--json").json
    assert found["hits"][1]["signals"]["edge_boost"] > 0
    for wrong in ("causes", "causes=much", "nonsense=0.3", "causes=7"):
        assert cli("recall", "why?", "--edge-boost", wrong).code == 2
