"""`publish`, `unpublish`, `library`."""


def test_an_item_is_shown_before_it_leaves_then_published_versioned_and_taken_back(cli):
    kept = cli("remember", "Deploys go through staging first", "--json").json["id"]
    shown = cli("publish", "How we deploy", "--of", kept, "--tag", "ops", "--preview", "--json").json
    assert (shown["may_leave"], shown["text"]) == (True, "Deploys go through staging first")
    assert cli("library").out.strip() == "nothing published"
    made = cli("publish", "How we deploy", "--of", kept, "--tag", "ops", "--json").json
    assert (made["version"], made["tags"], made["access"]) == (1, ["ops"], "public")
    assert "How we deploy" in cli("library", "search", "staging", "--user", "ben").out
    told = cli(
        "publish", "How we deploy", "Deploys go out", "--tag", "ops", "--item", made["id"], "--preview"
    ).out
    assert "-Deploys go through staging first" in told
    assert "+Deploys go out" in told
    cli("publish", "How we deploy", "Deploys go out", "--item", made["id"])
    listed = cli("library", "versions", made["id"], "--user", "ben", "--json").json["items"]
    assert [one["version"] for one in listed] == [1, 2]
    assert "staging first" in cli("library", "show", made["id"], "--version", "1", "--user", "ben").out
    assert "unpublished" in cli("unpublish", made["id"]).out
    gone = cli("library", "show", made["id"], "--user", "ben")
    assert (gone.code, gone.err.strip()) == (1, f"error: no published item {made['id']}")


def test_a_secret_stops_it_and_the_preview_says_why_without_saying_it(cli):
    stopped = cli("publish", "Wifi", "The wifi password is kedi-1234.")
    assert stopped.code == 1
    assert "secret (password) in its text" in stopped.err
    assert "kedi" not in stopped.err
    assert "forbidden by" in cli("publish", "Wifi", "The wifi password is kedi-1234.", "--preview").out
    assert (
        "[redacted:password]"
        in cli("publish", "Wifi", "The wifi password is kedi-1234.", "--mask", "--json").out
    )


def test_who_belongs_to_what_is_said_by_whoever_runs_the_library(cli):
    told = cli("library", "enrol", "ben", "--organisation", "acme", "--tier", "pro", "--json").json
    assert told == {"name": "ben", "organisations": ["acme"], "tiers": ["pro"]}
    cli("library", "enrol", "default", "--organisation", "acme")
    made = cli("publish", "Inside", "Only for us", "--access", "organisation:acme", "--json").json["id"]
    assert cli("library", "show", made, "--user", "ben").code == 0
    assert cli("library", "show", made, "--user", "eve").code == 1
    assert cli("publish", "T", "x", "--access", "nobody").code == 2


def test_a_recall_tells_who_published_what(cli):
    cli("publish", "How deploys go", "Deploys go through staging first", "--user", "ada")
    cli("remember", "Tea is in the kitchen", "--user", "ben")
    cli("config", "set", "shared.deadline_ms", "60000", "--user", "ben")
    words = ("recall", "how do deploys go through staging?", "--user", "ben")
    assert "published by ada" not in cli(*words).out
    assert "published by ada" in cli(*words, "--shared", "--explain").out
    assert cli(*words, "--shared", "--json").json["hits"][-1]["whence"] == "library"


def test_what_helped_is_reported_and_coordinated(cli):
    made = cli("publish", "How deploys go", "Deploys go through staging first", "--json").json["id"]
    for number in range(30):
        told = cli("feedback", made, "--helpful", "--user", f"user {number}", "--json")
        assert told.json == {"helpful": True, "utility": {}}
    assert cli("library", "coordinate", "--json").json == {"judged": 1}
    assert "of about" in cli("library", "show", made).out
