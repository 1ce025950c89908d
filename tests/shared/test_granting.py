"""Agents share chosen channels: by grant, with a role, revocable at once, witnessed; what others know is vicarious."""

import pytest

from recollect.errors import InvalidInput, NotFound, Refused

QUESTION = "how do deploys go through staging?"


def seen(person, channel="apollo", question=QUESTION, **options):
    return [(hit.whence, hit.text) for hit in person.recall(question, channel=channel, **options)]


def test_a_granted_channel_is_read_as_vicarious_with_its_origin(people):
    ada, ben = people("ada"), people("ben")
    ada.remember("Deploys go through staging first", channel="apollo")
    assert seen(ben) == []
    made = ada.grant("ben", "apollo")
    assert (made.owner, made.user, made.role) == ("ada", "ben", "reader")
    (hit,) = ben.recall(QUESTION, channel="apollo")
    assert (hit.whence, hit.memory.metadata["author"]) == ("shared", "ada")
    assert hit.memory.origin.data_source == "federation"
    (own,) = ada.recall(QUESTION, channel="apollo", learn=False)
    assert hit.score == pytest.approx(0.9 * own.score)
    assert "shared by ada" in ben.context(QUESTION, channel="apollo")
    assert [(one.owner, one.channel) for one in ben.granted()] == [("ada", "apollo")]


def test_only_that_channel_is_shared_and_only_where_it_is_asked_of(people):
    ada, ben = people("ada"), people("ben")
    ada.remember("Deploys go through staging first", channel="apollo")
    ada.remember("Deploys of gemini go through staging too", channel="gemini")
    ada.remember("Deploys make Ada nervous")
    ada.grant("ben", "apollo")
    assert seen(ben) == [("shared", "Deploys go through staging first")]
    assert seen(ben, "_global") == seen(ben, "gemini") == seen(ben, "other") == []
    assert seen(people("eve")) == []
    assert seen(ben, shared=False) == []
    assert seen(people("ben", **{"shared.channels": False})) == []


def test_a_session_keeps_its_own_even_in_a_shared_channel(people):
    ada, ben = people("ada"), people("ben")
    ada.remember("Deploys wait for the moon", channel="apollo", scope="session", session="s1")
    ada.grant("ben", "apollo")
    assert seen(ben) == seen(ben, session="s1") == []


def test_after_revoking_the_next_recall_is_without_it(people):
    ada, ben = people("ada"), people("ben")
    ada.remember("Deploys go through staging first", channel="apollo")
    ada.grant("ben", "apollo")
    assert seen(ben) != []
    ada.revoke("ben", "apollo")
    assert seen(ben) == []
    assert (ada.grants(), ben.granted()) == ([], [])
    with pytest.raises(NotFound):
        ada.revoke("ben", "apollo")


def test_a_pointer_that_is_left_leads_nowhere(people):
    """As after a crash between the two writes of a revocation."""
    from recollect.ports import Changes, RecordChange

    ada, ben = people("ada"), people("ben")
    ada.remember("Deploys go through staging first", channel="apollo")
    pointer = RecordChange("granted", "ada/apollo", True)
    ben.store.write("ben", Changes("granted", people.clock.now(), records=(pointer,)))
    assert (seen(ben), ben.granted()) == ([], [])
    with pytest.raises(NotFound):
        ben.contribute("mine", owner="ada", channel="apollo")


def test_roles_say_who_reads_who_writes_and_who_shares_on(people):
    ada, ben, eve, kim = (people(name) for name in ("ada", "ben", "eve", "kim"))
    ada.grant("ben", "apollo", "reader")
    ada.grant("eve", "apollo", "writer")
    ada.grant("kim", "apollo", "owner")
    with pytest.raises(Refused, match="reader of apollo"):
        ben.contribute("Deploys are slow", owner="ada", channel="apollo")
    kept = eve.contribute("Deploys are slow", owner="ada", channel="apollo", tags=["ops"])
    memory = ada.get(kept.id)
    assert (memory.origin.actor, memory.channel, memory.tags) == ("eve", "apollo", ("ops",))
    (hit,) = ben.recall("are deploys slow?", channel="apollo")
    assert hit.memory.metadata["author"] == "eve"
    with pytest.raises(Refused, match="only its owners"):
        eve.grant("zoe", "apollo", owner="ada")
    kim.grant("zoe", "apollo", owner="ada")
    assert seen(people("zoe"), question="are deploys slow?") == [("shared", "Deploys are slow")]
    kim.revoke("ben", "apollo", owner="ada")
    assert seen(ben, question="are deploys slow?") == []
    eve.revoke("eve", "apollo", owner="ada")
    with pytest.raises(NotFound):
        eve.contribute("again", owner="ada", channel="apollo")


def test_a_channel_that_is_not_there_and_one_that_is_not_shared_are_told_alike(people):
    people("ada").remember("Deploys go through staging first", channel="apollo")
    told = set()
    for owner, channel in (("ada", "apollo"), ("ada", "nothing"), ("nobody", "apollo")):
        with pytest.raises(NotFound) as error:
            people("ben").contribute("x", owner=owner, channel=channel)
        told.add(str(error.value).replace(owner, "O").replace(channel, "C"))
        with pytest.raises(NotFound) as error:
            people("ben").grant("eve", channel, owner=owner)
        told.add(str(error.value).replace(owner, "O").replace(channel, "C"))
    assert told == {"no channel C of O is shared with you"}


def test_conflicts_between_agents_are_kept_with_both_provenances(people):
    ada, ben = people("ada"), people("ben")
    first = ada.remember("The deploy window is Tuesday", channel="apollo").id
    ada.grant("ben", "apollo", "writer")
    second = ben.contribute("The deploy window is Friday", owner="ada", channel="apollo").id
    (edge,) = [one for one in ada.edges(second) if one.type == "contradicts"]
    assert {edge.source, edge.target} == {first, second}
    assert f"ben told {second}" in edge.reason
    assert f"ada told {first}" in edge.reason
    assert {text for _, text in seen(ada, question="when is the deploy window?")} == {
        "The deploy window is Tuesday",
        "The deploy window is Friday",
    }


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"supersedes": "hr"}, InvalidInput),
        ({"supersedes": "apollo"}, InvalidInput),
        ({"scope": "global"}, InvalidInput),
        ({"scope": "session", "session": "s1"}, InvalidInput),
        ({"metadata": {"author": "ada"}}, InvalidInput),
        ({"origin": None}, InvalidInput),
        ({"pinned": True}, InvalidInput),
        ({"immutable": True}, InvalidInput),
        ({"nonsense": 1}, InvalidInput),
        ({"sources": ["apollo", "hr"]}, NotFound),
        ({"sources": ["hidden"]}, NotFound),
        ({"sources": ["unknown", 5]}, NotFound),
    ],
)
def test_a_contribution_says_nothing_that_reaches_beyond_its_channel(people, said, error):
    ada, ben = people("ada"), people("ben")
    ids = {
        "hr": ada.remember("My salary is 90000 euros", channel="hr").id,
        "apollo": ada.remember("Deploys go through staging first", channel="apollo").id,
        "hidden": ada.remember("Deploys wait", channel="apollo", scope="session", session="s1").id,
    }
    ada.grant("ben", "apollo", "writer")
    before = ada.list(limit=None)
    for name in said.keys() & {"supersedes", "sources"}:
        named = said[name]
        said = said | {name: ids[named] if isinstance(named, str) else [ids.get(one, one) for one in named]}
    with pytest.raises(error):
        ben.contribute("My salary is 10 euros", owner="ada", channel="apollo", **said)
    assert ada.list(limit=None) == before


def test_a_contribution_names_its_sources_in_the_channel(people):
    ada, ben = people("ada"), people("ben")
    first = ada.remember("Deploys go through staging first", channel="apollo").id
    ada.grant("ben", "apollo", "writer")
    said = {"kind": "fact", "confidence": 0.5, "importance": 0.9, "sources": [first]}
    kept = ben.contribute("Staging is slow", owner="ada", channel="apollo", **said)
    memory = ada.get(kept.id)
    assert (memory.kind, memory.confidence, memory.importance) == ("fact", 0.5, 0.9)
    assert (memory.origin.sources, memory.origin.actor) == ((first,), "ben")


def test_grants_and_what_is_done_with_them_are_in_the_chain(people):
    ada, ben = people("ada", **{"audit.level": "verbose"}), people("ben")
    kept = ada.remember("Deploys go through staging first", channel="apollo").id
    ada.grant("ben", "apollo", "writer")
    seen(ben)
    ben.contribute("Deploys are slow", owner="ada", channel="apollo")
    ada.revoke("ben", "apollo")
    told = {one.operation: one.detail for one in ada.store.witness("ada")}
    assert told["grant"] == {"channel": "apollo", "role": "writer", "user": "ben", "by": "ada"}
    ben.flush()
    (look,) = ada.audit(operation="shared recall")
    assert (look.actor, look.channel, look.ids, dict(look.detail)) == ("ben", "apollo", (kept,), {})
    assert told["contributed"]["by"] == "ben"
    assert told["revoke"]["user"] == "ben"
    assert ada.verify() == []


@pytest.mark.parametrize(
    "wrong",
    [
        ("ben", "_global", "reader"),
        ("ada", "apollo", "reader"),
        ("", "apollo", "reader"),
        ("ben", "apollo", "king"),
        ("_library", "apollo", "reader"),
    ],
)
def test_what_cannot_be_granted_is_told(people, wrong):
    with pytest.raises(InvalidInput):
        people("ada").grant(*wrong)


def test_names_with_odd_letters_are_kept_apart(people):
    ada = people("ada/x")
    ada.remember("Deploys go through staging first", channel="a/b")
    ada.grant("ben/ç", "a/b")
    assert seen(people("ben/ç"), "a/b") == [("shared", "Deploys go through staging first")]
    assert seen(people("ç"), "a/b") == seen(people("ben"), "a/b") == []


def test_an_owner_whose_memory_is_switched_off_shares_nothing_meanwhile(people):
    people("ada").remember("Deploys go through staging first", channel="apollo")
    people("ada").grant("ben", "apollo")
    people("ada", **{"memory.recalling": False})
    assert seen(people("ben")) == []
