"""Nothing leaves but by `publish`, and what leaves is shown before, checked, versioned and taken back at once."""

import pytest

from recollect.errors import InvalidInput, NotFound, Refused

GUIDE = "Deploys go through staging first.\nThen the canary gets a tenth of the traffic."


def found(person, question="how do deploys go through staging?"):
    return [hit.memory.id for hit in person.library.search(person.user, question, 10)]


def test_a_published_item_is_found_and_read_by_everybody(people):
    made = people("ada").publish("How we deploy", GUIDE, summary="Staging, then canary", tags=["ops"])
    read = people("ben").item(made.id)
    assert (read.title, read.text, read.summary) == ("How we deploy", GUIDE, "Staging, then canary")
    assert (read.kind, read.tags, read.author, read.version) == ("document", ("ops",), "ada", 1)
    assert found(people("ben")) == [made.id]
    assert (made.is_own, read.is_own) == (True, False)


def test_a_copy_of_ones_own_memories_is_published_and_they_stay_as_they_are(people):
    ada = people("ada")
    first = ada.remember("Restart the relay before the gateway", session="s1").id
    second = ada.remember("The relay needs ten seconds").id
    made = ada.publish("Restarting", of=[first, second], kind="pattern")
    assert made.text == "Restart the relay before the gateway\nThe relay needs ten seconds"
    assert ada.sources_of(made.id) == (first, second)
    assert ada.get(first).version == 1
    shown = people("ben").library.search("ben", "restart the relay", 1)[0].memory
    assert shown.origin.session is None
    assert shown.origin.sources == ()
    assert first not in str(shown)


def test_what_was_forgotten_or_is_not_there_is_not_published(people):
    ada = people("ada")
    gone = ada.remember("An old habit").id
    ada.forget(gone)
    with pytest.raises(Refused, match="was forgotten"):
        ada.publish("Habits", of=gone)
    with pytest.raises(NotFound):
        people("ben").publish("Habits", of=gone)
    with pytest.raises(InvalidInput, match="one of the two"):
        ada.publish("Habits")


def test_the_next_version_replaces_the_one_before_which_can_still_be_read(people):
    ada = people("ada")
    made = ada.publish("How we deploy", GUIDE)
    people.clock.advance(days=1)
    after = ada.publish("How we deploy", "Deploys go straight out.", item=made.id)
    assert (after.id, after.version) == (made.id, 2)
    assert [one.text for one in people("ben").item_versions(made.id)] == [GUIDE, "Deploys go straight out."]
    assert people("ben").item(made.id, version=1).text == GUIDE
    assert people("ben").item(made.id).text == "Deploys go straight out."
    with pytest.raises(NotFound, match="no version 3"):
        people("ben").item(made.id, version=3)
    assert found(people("ben"), "does the canary get a tenth of the traffic?") == [made.id]
    texts = [hit.text for hit in people("ben").library.search("ben", "canary traffic", 5)]
    assert not any("canary" in text for text in texts)


def test_only_its_owner_changes_an_item_or_takes_it_away(people):
    made = people("ada").publish("How we deploy", GUIDE)
    with pytest.raises(Refused, match="somebody else"):
        people("ben").publish("How we deploy", "Do not.", item=made.id)
    with pytest.raises(Refused, match="somebody else"):
        people("ben").unpublish(made.id)
    assert people("ben").item(made.id).text == GUIDE


def test_after_unpublishing_nobodys_next_question_finds_it(people):
    made = people("ada").publish("How we deploy", GUIDE)
    assert found(people("ben")) == [made.id]
    gone = people("ada").unpublish(made.id)
    assert not gone.is_published
    assert found(people("ben")) == found(people("eve")) == found(people("ada")) == []
    with pytest.raises(NotFound, match="no published item"):
        people("ben").item(made.id)
    assert [one.is_published for one in people("ada").published()] == [False]
    again = people("ada").publish("How we deploy", GUIDE, item=made.id)
    assert (again.is_published, again.version, found(people("ben"))) == (True, 1, [made.id])


def test_unpublishing_can_erase_every_version(people):
    ada = people("ada")
    made = ada.publish("How we deploy", GUIDE)
    ada.publish("How we deploy", "Deploys go straight out.", item=made.id)
    people("ada", **{"shared.unpublished": "erase"}).unpublish(made.id)
    assert ada.published() == []
    assert ada.sources_of(made.id) == ()
    with pytest.raises(NotFound):
        ada.item(made.id)
    with pytest.raises(Refused, match="was erased"):
        ada.publish("How we deploy", GUIDE)


@pytest.mark.parametrize(
    ("access", "readers"),
    [
        ("public", {"ada", "ben", "eve", "kim"}),
        ("organisation:acme", {"ada", "ben"}),
        ("users:ben,kim", {"ada", "ben", "kim"}),
        ("tier:pro", {"ada", "eve"}),
    ],
)
def test_an_item_is_read_by_those_whom_its_policy_names(people, access, readers):
    people("ada").enrol("ada", organisations=["acme"])
    people("ada").enrol("ben", organisations=["acme", "else"])
    people("ada").enrol("eve", tiers=["pro"])
    made = people("ada").publish("How we deploy", GUIDE, access=access)
    for name in readers:
        assert people(name).item(made.id).text == GUIDE
        assert found(people(name)) == [made.id] or name == "ada"
    for name in {"ada", "ben", "eve", "kim"} - readers:
        with pytest.raises(NotFound, match=f"^no published item {made.id}$"):
            people(name).item(made.id)
        assert found(people(name)) == []
    if "ben" in readers:
        assert "kim" not in str(people("ben").item(made.id).access)


def test_who_may_read_can_be_changed_and_counts_from_the_next_question(people):
    ada = people("ada")
    made = ada.publish("How we deploy", GUIDE)
    assert found(people("ben")) == [made.id]
    after = ada.publish("How we deploy", GUIDE, item=made.id, access="users:eve")
    assert after.version == 1
    assert (found(people("ben")), found(people("eve"))) == ([], [made.id])
    people("ada").enrol("kim", organisations=["acme"])
    with pytest.raises(Refused, match="not in acme"):
        ada.publish("How we deploy", GUIDE, access="organisation:acme")


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"text": "The wifi password is kedi-1234."}, "secret (password) in its text"),
        ({"text": "Ask ada@example.org"}, "personal data (email) in its text"),
        ({"title": "Call +90 532 123 45 67", "text": "x y"}, "personal data (phone) in its title"),
        ({"summary": "IBAN TR330006100519786457841326", "text": "x y"}, "(iban) in its summary"),
        ({"tags": ["ada@example.org"], "text": "x y"}, "(email) in its tags"),
        ({"author": "ada@example.org", "text": "x y"}, "(email) in its author"),
    ],
)
def test_a_secret_or_personal_data_is_a_hard_stop(people, parts, told):
    ada, given = people("ada"), {"title": "Notes", **parts}
    with pytest.raises(Refused) as stopped:
        ada.publish(**given)
    assert told in str(stopped.value)
    assert "kedi" not in str(stopped.value)
    assert ada.published() == []
    assert not ada.preview(**given).may_leave
    masked = ada.publish(**given, mask=True)
    assert "[" in masked.title + masked.text + masked.summary + masked.author + str(masked.tags)
    assert "@" not in str(masked)


def test_a_preview_shows_exactly_what_would_leave_and_leaves_nothing(people):
    ada = people("ada")
    kept = ada.remember("Ada moved our k8s cluster to AWS", session="secret-session", tags=["private"]).id
    shown = ada.preview("Clusters", of=kept, tags=["ops"], access="users:ben")
    assert shown.offer.text == "Ada moved our k8s cluster to AWS"
    assert "entity://tech/aws" in shown.entities
    assert shown.metadata == {
        "kind": "document",
        "title": "Clusters",
        "summary": "",
        "tags": ["ops"],
        "author": "ada",
        "access": "users:ben",
    }
    assert ada.published() == []
    made = ada.publish("Clusters", of=kept, tags=["ops"], access="users:ben")
    hit = people("ben").library.search("ben", "k8s cluster", 1)[0].memory
    leaving = {*shown.offer.leaving.values(), "document", "ops"}
    assert {hit.kind, *hit.tags, made.text} <= leaving
    assert set(hit.metadata) == {"title", "summary", "author", "item_version"}


def test_a_preview_tells_what_differs_from_the_published_version(people):
    ada = people("ada")
    made = ada.publish("How we deploy", GUIDE, tags=["ops"])
    shown = ada.preview("How we deploy", GUIDE.replace("tenth", "third"), tags=["ops"], item=made.id)
    assert shown.replaces == 1
    changed = [line for line in shown.changes[2:] if line[0] in "+-"]
    assert changed == [
        "-Then the canary gets a tenth of the traffic.",
        "+Then the canary gets a third of the traffic.",
    ]
    same = ada.preview("How we deploy", GUIDE, tags=["ops"], item=made.id)
    assert same.changes == ()


def test_publishing_is_witnessed_in_ones_own_chain_and_in_the_librarys_without_a_name(people):
    ada = people("ada")
    made = ada.publish("How we deploy", GUIDE)
    ada.unpublish(made.id)
    assert [one.operation for one in ada.store.witness("ada")] == ["publish", "unpublish"]
    library = ada.library._tools.store
    assert [one.operation for one in library.witness("_library")] == ["publish", "unpublish"]
    assert not any("ada" in str(one.detail) for one in library.witness("_library"))
    assert library.verify("_library") == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "poem"},
        {"access": "everyone"},
        {"access": "users:"},
        {"access": "organisation:a,b"},
        {"title": " "},
        {"title": "two\nlines"},
        {"text": "  "},
    ],
)
def test_what_cannot_be_published_is_told(people, wrong):
    with pytest.raises(InvalidInput):
        people("ada").publish(**{"title": "T", "text": "some text", **wrong})


def test_nobody_has_a_key_as_the_library(people):
    from recollect.serve.keys import Keys

    with pytest.raises(InvalidInput):
        Keys(people("ada").store, people.clock).create("_library")


def test_what_is_erased_is_gone_from_the_copies_too(on_file, tmp_path):
    made = on_file.publish("How we deploy", GUIDE)
    copy = on_file.snapshot(tmp_path / "copy.db")
    assert b"canary" in copy.read_bytes()
    on_file.unpublish(made.id, erase=True)
    assert b"canary" not in copy.read_bytes()
