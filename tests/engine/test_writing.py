"""The verbs that change what is known, on both stores."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from recollect import Action, Filter, Lane, Recollect, Scope, State
from recollect.errors import Conflict, InvalidInput, NotFound, Refused
from recollect.testing import HashEmbedder


def texts(found):
    return [hit.text for hit in found]


def test_what_is_remembered_is_recalled(memory):
    kept = memory.remember("Deploys go through staging first", tags=["ops"])
    assert kept.action is Action.CREATE
    [hit] = memory.recall("how do we deploy to staging?")
    assert (hit.id, hit.text, hit.memory.tags) == (kept.id, "Deploys go through staging first", ("ops",))


def test_the_same_text_again_reinforces_and_is_not_kept_twice(memory):
    first = memory.remember("Deploys go through staging first")
    again = memory.remember("  deploys go through STAGING first ")
    assert (again.action, again.id) == (Action.REINFORCE, first.id)
    assert len(memory.list()) == 1


def test_the_same_text_in_another_channel_is_another_memory(memory):
    memory.remember("Use tabs")
    assert memory.remember("Use tabs", channel="atlas").action is Action.CREATE


def test_a_superseding_memory_is_current_and_the_old_one_says_so(memory, clock):
    old = memory.remember("The office is in Porto")
    clock.advance(days=1)
    new = memory.remember("The office is in Lisbon", supersedes=old.id)
    assert new.action is Action.SUPERSEDE
    assert texts(memory.recall("where is the office?")) == ["The office is in Lisbon"]
    before = memory.get(old.id)
    assert before.superseded_by == new.id
    assert before.valid_until == memory.get(new.id).valid_from
    assert {e.type for e in memory.edges(new.id)} == {"supersedes"}


def test_what_was_replaced_is_not_replaced_again(memory):
    old = memory.remember("The pro plan costs 5 euro")
    new = memory.remember("The pro plan costs 7 euro", supersedes=old.id)
    with pytest.raises(Conflict, match=f"{old.id} was replaced by {new.id}"):
        memory.remember("The pro plan costs 8 euro", supersedes=old.id)
    assert texts(memory.recall("what does the pro plan cost?")) == ["The pro plan costs 7 euro"]
    assert memory.get(old.id).superseded_by == new.id


def test_what_was_replaced_by_something_that_was_forgotten_can_be_replaced_again(memory):
    old = memory.remember("The pro plan costs 5 euro")
    memory.forget(memory.remember("The pro plan costs 7 euro", supersedes=old.id).id)
    assert memory.remember("The pro plan costs 8 euro", supersedes=old.id).action is Action.SUPERSEDE


def test_of_several_who_replace_the_same_at_once_one_does(memory):
    old = memory.remember("The pro plan costs 5 euro")

    def replace(price):
        try:
            return memory.remember(f"The pro plan costs {price} euro", supersedes=old.id).id
        except Conflict:
            return None

    with ThreadPoolExecutor(5) as pool:
        replaced = [found for found in pool.map(replace, range(6, 11)) if found is not None]
    assert [hit.id for hit in memory.recall("what does the pro plan cost?")] == replaced
    assert len(replaced) == 1


@pytest.mark.parametrize("since", [None, "2026-06-01"])
def test_what_was_to_begin_later_is_gone_once_it_is_replaced(memory, since):
    old = memory.remember("Carla becomes head of sales", valid_from="2027-12-01")
    memory.remember("Dora becomes head of sales", supersedes=old.id, valid_from=since)
    assert texts(memory.recall("who becomes head of sales?")) == ["Dora becomes head of sales"]
    assert memory.get(old.id).valid_until == memory.get(old.id).recorded_at


def test_an_edit_keeps_the_id_and_the_old_text_in_the_history(memory, clock):
    kept = memory.remember("The office is in Proto")
    clock.advance(hours=1)
    memory.edit(kept.id, "The office is in Porto")
    assert memory.get(kept.id).text == "The office is in Porto"
    assert [m.text for m in memory.history(kept.id)] == ["The office is in Proto", "The office is in Porto"]
    assert texts(memory.recall("office Porto")) == ["The office is in Porto"]


def test_an_edit_of_metadata_alone_keeps_the_text_and_the_old_metadata(memory, clock):
    kept = memory.remember("The office is in Porto", metadata={"floor": 1, "wing": "east"})
    clock.advance(hours=1)
    assert memory.edit(kept.id, metadata={"floor": 2}).action is Action.UPDATE
    now = memory.get(kept.id)
    assert (now.text, dict(now.metadata), now.version) == ("The office is in Porto", {"floor": 2}, 2)
    assert [dict(m.metadata) for m in memory.history(kept.id)] == [{"floor": 1, "wing": "east"}, {"floor": 2}]
    assert texts(memory.recall("office Porto")) == ["The office is in Porto"]


def test_an_edit_of_the_end_alone_lets_a_memory_expire_or_last(memory, clock):
    kept = memory.remember("The office is in Porto", metadata={"floor": 1})
    memory.edit(kept.id, valid_until=clock.now() + timedelta(days=1))
    clock.advance(days=2)
    assert not memory.recall("office Porto")
    memory.edit(kept.id, valid_until=None)
    assert dict(memory.recall("office Porto")[0].memory.metadata) == {"floor": 1}
    with pytest.raises(InvalidInput, match="before it begins"):
        memory.edit(kept.id, valid_until="2020-01-01")


def test_an_edit_changes_something(memory):
    kept = memory.remember("The office is in Porto")
    with pytest.raises(InvalidInput, match="something to change"):
        memory.edit(kept.id)
    memory.edit(kept.id, "The office is in Porto")
    assert memory.get(kept.id).version == 1


def test_metadata_is_not_edited_onto_a_text_that_somebody_else_just_changed(on_file, clock):
    kept = on_file.remember("The office is in Porto")

    class Meddling(HashEmbedder):
        def embed(self, given, progress=None):
            on_file.edit(kept.id, "The office is in Lisbon")
            return super().embed(given, progress)

    with (
        Recollect(on_file.store.location, user="ada", embedder=Meddling(), clock=clock) as other,
        pytest.raises(Conflict, match="somebody else"),
    ):
        other.edit(kept.id, metadata={"floor": 2})
    assert on_file.get(kept.id).text == "The office is in Lisbon"


def test_the_same_text_may_be_kept_twice_where_that_is_asked_for(memory):
    first = memory.remember("Use tabs", metadata={"key": "a"})
    second = memory.remember("Use tabs", metadata={"key": "b"}, once=False)
    assert second.action is Action.CREATE
    assert first.id != second.id
    assert len(memory.list()) == 2


def test_many_of_one_text_may_belong_to_keys_of_their_own(memory):
    drafts = [{"text": "Use tabs", "metadata": {"key": key}} for key in ("a", "b")]
    kept = memory.remember_many(drafts, once=False)
    assert [dict(memory.get(one.id).metadata) for one in kept] == [{"key": "a"}, {"key": "b"}]
    first, second = memory.remember_many(drafts)
    assert first.id == second.id


def test_what_a_message_says_about_itself_is_kept_with_its_turn(memory):
    turn = memory.observe({"role": "user", "content": "hello there", "metadata": {"message": "m1"}})[0]
    assert dict(memory.get(turn.id).metadata) == {"message": "m1"}
    with pytest.raises(InvalidInput, match="'metadata' is a mapping"):
        memory.observe({"role": "user", "content": "hello", "metadata": "m1"})


def test_many_are_forgotten_at_once_or_none_is(memory):
    a, b, c = (memory.remember(text).id for text in ("use tabs", "use spaces", "use both"))
    memory.pin(b)
    with pytest.raises(Refused, match="pinned"):
        memory.forget_many([a, b])
    with pytest.raises(NotFound):
        memory.forget_many([a, "nothing"])
    assert len(memory.list()) == 3
    memory.forget_many([a, a, b[:-1] if len(memory.store.resolve("ada", b[:-1])) == 1 else b], unpin=True)
    memory.forget_many([a])
    memory.forget_many([])
    assert [m.id for m in memory.list()] == [c]
    assert memory.get(a).version == 2
    memory.pin(c, immutable=True)
    with pytest.raises(Refused, match="immutable"):
        memory.forget_many([c], unpin=True)
    assert memory.verify() == []
    assert texts(memory.recall("use both tabs and spaces")) == ["use both"]


def test_observed_messages_are_kept_verbatim_and_in_order(memory):
    said = [
        {
            "role": "user",
            "name": "Priya",
            "content": "  Indented,\n and on two lines.  ",
            "timestamp": "2026-03-01T10:00:00Z",
        },
        {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]},
        {"role": "user", "content": ""},
    ]
    kept = memory.observe(said, session="s1")
    assert [k.action for k in kept] == [Action.CREATE, Action.CREATE, Action.SKIP]
    turns = memory.list(Filter(lanes=(Lane.LOG,), session="s1"), newest_first=False)
    assert [t.text for t in turns] == [said[0]["content"], "Noted."]
    assert turns[0].origin.speaker == "Priya"
    assert turns[0].valid_from.isoformat() == "2026-03-01T10:00:00+00:00"


def test_a_bad_message_in_the_middle_keeps_none_of_them(memory):
    with pytest.raises(InvalidInput):
        memory.observe(
            [{"role": "user", "content": "first"}, {"role": "user"}, {"role": "user", "content": "third"}]
        )
    assert memory.list() == []


def test_forgetting_hides_and_restoring_brings_back(memory):
    kept = memory.remember("Deploys go through staging first")
    assert memory.forget(kept.id).state is State.DORMANT
    assert texts(memory.recall("deploys staging")) == []
    assert texts(memory.recall("deploys staging", include_dormant=True)) == [
        "Deploys go through staging first"
    ]
    memory.restore(kept.id)
    assert texts(memory.recall("deploys staging")) == ["Deploys go through staging first"]


def test_a_pinned_memory_is_not_forgotten_until_it_is_unpinned(memory):
    kept = memory.remember("Never deploy on Fridays", pinned=True)
    with pytest.raises(Refused, match="pinned"):
        memory.forget(kept.id)
    memory.edit(kept.id, "Never deploy on a Friday")
    memory.pin(kept.id, pinned=False)
    assert memory.forget(kept.id).state is State.DORMANT


def test_an_immutable_memory_cannot_be_changed_by_any_verb(memory):
    kept = memory.remember("The contract ends in 2030", immutable=True)
    for change in (
        lambda: memory.edit(kept.id, "The contract ends in 2031"),
        lambda: memory.forget(kept.id),
        lambda: memory.tag(kept.id, "x"),
        lambda: memory.remember("The contract ends in 2031", supersedes=kept.id),
    ):
        with pytest.raises(Refused, match="immutable"):
            change()
    assert len(memory.history(kept.id)) == 1
    assert len(memory.list()) == 1


def test_the_log_cannot_be_edited(memory):
    [turn] = memory.observe("hello there, this is said")
    with pytest.raises(Refused, match="verbatim"):
        memory.edit(turn.id, "something else")


def test_tags_are_added_removed_and_filtered_by(memory):
    kept = memory.remember("Deploys go through staging first", tags=["ops", "#deploy"])
    memory.remember("Deploys are announced", tags=["people"])
    assert memory.tag(kept.id, "safe", remove=["ops"]).tags == ("deploy", "safe")
    assert texts(memory.recall("deploys", tags=["safe"])) == ["Deploys go through staging first"]
    assert texts(memory.recall("deploys", tags=["ops"])) == []


def test_links_are_typed_and_only_those_that_people_may_make(memory):
    a, b = (
        memory.remember("The deadlock came from the mutex"),
        memory.remember("Release the lock before the callback"),
    )
    memory.link(b.id, a.id, "elaborates", weight=0.8, reason="it is the fix")
    [edge] = memory.edges(a.id)
    assert (edge.source, edge.target, edge.type, edge.weight) == (b.id, a.id, "elaborates", 0.8)
    for wrong in ("nonsense", "supersedes"):
        with pytest.raises(InvalidInput, match=wrong):
            memory.link(a.id, b.id, wrong)
    with pytest.raises(InvalidInput, match="itself"):
        memory.link(a.id, a.id)


def test_an_edge_is_taken_away_and_can_be_made_again(memory):
    a, b = (memory.remember(text).id for text in ("The build is slow", "The cache is cold"))
    memory.link(b, a, "causes", weight=0.5, reason="measured")
    memory.link(max(a, b), min(a, b))
    gone = memory.unlink(b[:-2], a, "causes")
    assert (gone.source, gone.target, gone.weight, gone.reason) == (b, a, 0.5, "measured")
    assert [edge.type for edge in memory.edges(a)] == ["related_to"]
    assert memory.store.witness("ada")[-1].operation == "unlink"
    memory.unlink(max(a, b), min(a, b))
    assert memory.edges(a) == []
    memory.link(b, a, "causes")
    assert [edge.type for edge in memory.edges(a)] == ["causes"]
    assert memory.verify() == []


def test_only_an_edge_that_is_there_and_that_people_may_make_is_taken_away(memory):
    old = memory.remember("The office is in Porto").id
    new = memory.remember("The office is in Lisbon", supersedes=old).id
    memory.link(old, new, "causes")
    for wrong, told in (((new, old, "causes"), NotFound), ((new, old, "supersedes"), InvalidInput)):
        with pytest.raises(told, match=wrong[2]):
            memory.unlink(*wrong)
    with pytest.raises(NotFound):
        memory.beside("eve").unlink(old, new, "causes")
    assert {edge.type for edge in memory.edges(old)} == {"causes", "supersedes"}


def test_an_id_can_be_shortened_as_long_as_it_is_unique(memory):
    kept = memory.remember("Only one")
    assert memory.get(kept.id[:12]).id == kept.id
    with pytest.raises(NotFound):
        memory.get("ZZZZ")
    with pytest.raises(InvalidInput):
        memory.get("")


@pytest.mark.parametrize("wrong", ["", "   \n", None, 7, b"bytes", ["list"]])
def test_what_is_no_text_is_refused_with_a_reason(memory, wrong):
    with pytest.raises(InvalidInput):
        memory.remember(wrong)
    assert memory.list() == []


@pytest.mark.parametrize("field", ["confidence", "importance"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_number_out_of_range_is_refused(memory, field, value):
    with pytest.raises(InvalidInput, match=field):
        memory.remember("x y z", **{field: value})


def test_odd_texts_come_back_as_they_were(memory):
    for text in (
        "NUL \x00 in the middle",
        "emoji 🧠 and 中文 and İstanbul",
        "a\r\nb\tc",
        "'; DROP TABLE content; --",
    ):
        kept = memory.remember(text)
        assert memory.get(kept.id).text == text


def test_half_a_character_is_replaced_by_a_mark(memory):
    assert memory.get(memory.remember("broken \ud83d here").id).text == "broken � here"


def test_five_megabytes_are_kept_and_found(memory):
    kept = memory.remember("needle " + "hay " * 1_250_000)
    assert memory.recall("needle")[0].id == kept.id
    with pytest.raises(InvalidInput, match="split"):
        memory.remember("x" * 10_000_001)


def test_a_session_scoped_memory_is_seen_by_its_session_alone(memory):
    memory.remember("Working on the auth refactor", scope=Scope.SESSION, session="s1")
    assert texts(memory.recall("auth refactor", session="s1")) == ["Working on the auth refactor"]
    assert texts(memory.recall("auth refactor", session="s2")) == []
    assert texts(memory.recall("auth refactor")) == []


def test_a_project_sees_its_channel_and_the_global_one_and_no_other(memory):
    memory.remember("Prefers tabs over spaces everywhere")
    memory.remember("Atlas prefers tabs in Go", channel="atlas")
    memory.remember("Borealis prefers tabs in C", channel="borealis")
    assert set(texts(memory.recall("prefers tabs", channel="atlas"))) == {
        "Prefers tabs over spaces everywhere",
        "Atlas prefers tabs in Go",
    }
    assert texts(memory.recall("prefers tabs")) == ["Prefers tabs over spaces everywhere"]
    assert len(memory.recall("prefers tabs", every_channel=True)) == 3


def test_one_user_never_sees_another(tmp_path, clock):
    path = tmp_path / "shared.db"
    with (
        Recollect(path, user="ada", embedder=HashEmbedder(), clock=clock) as ada,
        Recollect(path, user="bob", embedder=HashEmbedder(), clock=clock) as bob,
    ):
        kept = ada.remember("Ada's secret plan about gardens", tags=["plan"])
        assert list(bob.recall("secret plan about gardens")) == []
        assert bob.list() == []
        assert list(bob.export())[1:] == []
        for verb in (bob.get, bob.forget, bob.restore, bob.history, bob.purge, bob.edges, bob.pin):
            with pytest.raises(NotFound):
                verb(kept.id)
        with pytest.raises(NotFound):
            bob.edit(kept.id, "mine now")
        assert bob.remember("Ada's secret plan about gardens").action is Action.CREATE
        assert bob.stats()["memory"] == 1


def test_switched_off_it_neither_records_nor_recalls(memory):
    memory.remember("Known before")
    memory.configure({"memory.enabled": False})
    assert memory.remember("Not recorded").action is Action.SKIP
    assert memory.observe("Not recorded either")[0].action is Action.SKIP
    assert list(memory.recall("known before")) == []
    memory.configure({"memory.enabled": None})
    assert texts(memory.recall("known before")) == ["Known before"]


def test_sources_are_linked_and_shown(memory):
    [turn] = memory.observe("I moved to Lisbon in February", session="s1")
    fact = memory.remember("The user lives in Lisbon", kind="fact", sources=[turn.id])
    hit = next(h for h in memory.recall("where does the user live?") if h.id == fact.id)
    assert hit.sources == (turn.id,)
    assert ("derived_from", turn.id) in {(e.type, e.target) for e in memory.edges(fact.id)}


def nested(levels):
    made = []
    for _ in range(levels - 1):
        made = [made]
    return made


ENDLESS: dict[str, Any] = {}
ENDLESS |= {"a": ENDLESS, "b": ENDLESS}


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), [{"x": -float("inf")}], nested(100), nested(600), nested(5_000), ENDLESS],
)
@pytest.mark.parametrize(
    "write",
    [
        lambda memory, known, value: memory.remember("With a number", metadata={"x": value}),
        lambda memory, known, value: memory.remember_many([{"text": "One", "metadata": {"x": value}}]),
        lambda memory, known, value: memory.edit(known, metadata={"x": value}),
        lambda memory, known, value: memory.observe([{"content": "Hello there", "metadata": {"x": value}}]),
        lambda memory, known, value: memory.event(
            {"type": "tool.result", "result": "all went well", "x": value}
        ),
        lambda memory, known, value: memory.event(
            {"type": "tool.result", "data": {"result": "all went well", "x": value}}
        ),
    ],
)
def test_metadata_that_json_has_no_word_for_is_refused_and_nothing_is_kept(memory, write, value):
    known = memory.remember("The office is in Porto", metadata={"floor": 1, "deep": nested(99)}).id
    before = list(memory.export())[1:]
    with pytest.raises(InvalidInput, match=r"metadata|an event"):
        write(memory, known, value)
    assert list(memory.export())[1:] == before


def test_metadata_is_kept_as_json_has_it_and_without_secrets(memory):
    kept = memory.remember("With metadata", metadata={"n": 1, "list": [1, "a"], "password": "hunter2horse"})
    assert memory.get(kept.id).metadata == {"n": 1, "list": [1, "a"], "password": "[redacted:password]"}
    with pytest.raises(InvalidInput, match="metadata"):
        memory.remember("With a set", metadata={"s": {1, 2}})


def test_what_comes_from_a_file_of_secrets_is_not_kept(memory):
    assert memory.remember("DEBUG is on", metadata={"path": "app/.env"}).action is Action.SKIP
    assert memory.remember("DEBUG is on", metadata={"path": "app/settings.py"}).action is Action.CREATE
