"""mem0's interface on Recollect: what its callers rely on, on both stores."""

import asyncio
import inspect
import logging
from datetime import timedelta

import pytest

from recollect import Recollect
from recollect.errors import InvalidInput, Refused
from recollect.integrations.mem0_api import AsyncMemory, Memory
from recollect.integrations.tenants import OPEN
from recollect.testing import HashEmbedder

ADA = {"user_id": "ada"}


@pytest.fixture(params=["reference", "sqlite"])
def mem0(request, tmp_path, clock):
    path = ":memory:" if request.param == "reference" else tmp_path / "agent.db"
    with Memory(store=path, embedder=HashEmbedder(), clock=clock) as memory:
        yield memory


def told(found):
    return [one["memory"] for one in found["results"]]


def raw(mem0, *texts, **ids):
    return [mem0.add(text, infer=False, **(ids or ADA))["results"][0]["id"] for text in texts]


def test_what_a_conversation_states_becomes_memories_and_is_found(mem0):
    added = mem0.add(
        [
            {"role": "user", "content": "I'm vegetarian and I live in Lisbon."},
            {"role": "assistant", "content": "Noted!"},
        ],
        **ADA,
    )
    assert {one["event"] for one in added["results"]} == {"ADD"}
    assert "The user lives in Lisbon" in told(added)
    assert told(mem0.search("who lives in Lisbon?", filters=ADA))[0] == "The user lives in Lisbon"
    assert set(told(mem0.get_all(filters=ADA))) == set(told(added))


def test_what_states_nothing_is_still_found_word_for_word_unless_only_memories_are_wanted(mem0, tmp_path):
    mem0.add("Remind me of the blue heron at the pond?", **ADA)
    assert told(mem0.get_all(filters=ADA)) == []
    [turn] = mem0.search("blue heron pond", filters=ADA)["results"]
    assert (turn["memory"], turn["role"]) == ("Remind me of the blue heron at the pond?", "user")
    with Memory(store=tmp_path / "other.db", embedder=HashEmbedder(), verbatim=False) as strict:
        strict.add("Remind me of the blue heron at the pond?", **ADA)
        assert told(strict.search("blue heron pond", filters=ADA)) == []


def test_a_turn_is_not_told_beside_the_memory_that_was_formed_from_it(mem0):
    mem0.add("I live in Lisbon.", **ADA)
    assert told(mem0.search("who lives in Lisbon", filters=ADA)) == ["The user lives in Lisbon"]


def test_a_contradiction_replaces_and_the_history_says_by_what(mem0, clock):
    [old] = mem0.add("I live in Lisbon.", **ADA)["results"]
    clock.advance(days=1)
    [new] = mem0.add("I live in Porto.", **ADA)["results"]
    assert told(mem0.get_all(filters=ADA)) == ["The user lives in Porto"]
    assert told(mem0.search("where does the user live?", filters=ADA))[:1] == ["The user lives in Porto"]
    last = mem0.history(old["id"])[-1]
    assert (last["event"], last["old_memory"], last["new_memory"]) == (
        "UPDATE",
        "The user lives in Lisbon",
        new["memory"],
    )


def test_what_was_replaced_is_not_told_by_its_turn_either(mem0, clock):
    mem0.add("I live in Lisbon.", **ADA)
    then = clock.now()
    clock.advance(days=1)
    mem0.add("I live in Porto.", **ADA)
    asked = {"query": "where does the user live?", "filters": ADA, "threshold": 0.0}
    assert told(mem0.search(**asked)) == ["The user lives in Porto"]
    assert told(mem0.search(**asked, reference_date=then.isoformat())) == ["The user lives in Lisbon"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The user prefers aisle seats", []),
        ("The user lives in Lisbon, near the river", ["I live in Lisbon."]),
    ],
)
def test_what_was_updated_is_not_told_by_its_turn_either(mem0, clock, text, left):
    [one] = mem0.add("I live in Lisbon.", **ADA)["results"]
    mem0.update(one["id"], text, expiration_date=clock.now().date())
    clock.advance(days=2)
    # The memory itself is not found any more, so that it does not stand for its turn.
    assert told(mem0.search("who lives in Lisbon?", filters=ADA)) == left


def test_without_inference_each_message_is_a_memory_as_it_is(mem0):
    added = mem0.add(
        [
            {"role": "system", "content": "You are helpful"},
            {"role": "user", "content": "buy oat milk", "name": "Ada"},
            {"role": "assistant", "content": None},
            {"role": "assistant", "content": "will do"},
        ],
        infer=False,
        **ADA,
    )
    assert [(one["memory"], one["role"], one["actor_id"]) for one in added["results"]] == [
        ("buy oat milk", "user", "Ada"),
        ("will do", "assistant", None),
    ]
    shown = mem0.get(added["results"][0]["id"])
    assert (shown["role"], shown["actor_id"], shown["user_id"]) == ("user", "Ada", "ada")


def test_without_inference_equal_messages_and_lists_of_parts_are_kept(mem0):
    parts = [{"type": "text", "text": "two"}, {"type": "image_url", "image_url": {"url": "x"}}]
    said = ["yes", "yes", parts, parts[1:]]
    added = mem0.add([{"role": "user", "content": one} for one in said], infer=False, **ADA)
    assert told(added) == ["yes", "yes", "two"]
    assert len({one["id"] for one in added["results"]}) == 3
    assert sorted(told(mem0.get_all(filters=ADA))) == ["two", "yes", "yes"]


def test_what_was_purged_is_left_out_and_what_changes_nothing_is_said(mem0, caplog):
    gone, other = raw(mem0, "my hint is blue", "hello")
    mem0._tenants.of("ada").purge(gone)
    said = [{"role": "user", "content": text} for text in ("one", "my hint is blue", "two")]
    assert told(mem0.add(said, infer=False, **ADA)) == ["one", "two"]
    assert "a message was left out" in caplog.text
    with pytest.raises(Refused, match="purged"):
        mem0.add(said[1], infer=False, **ADA)
    with pytest.raises(Refused, match="purged"):
        mem0.update(other, "my hint is blue")
    assert mem0.get(other)["memory"] == "hello"


def test_one_user_never_sees_anothers_memory(mem0):
    [ada] = raw(mem0, "the launch code is tulip")
    raw(mem0, "bob likes trains", user_id="bob")
    assert told(mem0.search("launch code tulip", filters={"user_id": "bob"})) == []
    assert told(mem0.get_all(filters={"user_id": "bob"})) == ["bob likes trains"]
    mem0.delete_all(user_id="bob")
    assert mem0.get(ada)["memory"] == "the launch code is tulip"
    assert mem0.search("anything", filters={"user_id": "nobody"}) == {"results": []}


def test_agents_and_runs_narrow_and_do_not_merge(mem0):
    for ids in ({**ADA, "run_id": "r1"}, {**ADA, "run_id": "r2"}, {"agent_id": "cook"}, {"run_id": "r1"}):
        raw(mem0, "the soup needs salt", **ids)
    assert len(mem0.get_all(filters=ADA)["results"]) == 2
    [one] = mem0.search("soup salt", filters={**ADA, "run_id": "r2"})["results"]
    assert (one["user_id"], one["run_id"]) == ("ada", "r2")
    [one] = mem0.get_all(filters={"agent_id": "cook"})["results"]
    assert one["agent_id"] == "cook"
    assert "user_id" not in one
    # Without a user, everybody's memories of that run are meant.
    assert len(mem0.search("soup salt", filters={"run_id": "r1"})["results"]) == 2
    mem0.delete_all(run_id="r1")
    assert len(mem0.get_all(filters=ADA)["results"]) == 1
    assert mem0.get_all(filters={"agent_id": "cook"})["results"]


def test_a_user_cannot_be_called_like_an_agent(mem0):
    raw(mem0, "the soup needs salt", agent_id="cook")
    with pytest.raises(InvalidInput, match="space"):
        mem0.get_all(filters={"user_id": "agent cook"})


def test_metadata_filters_find_the_one_that_ranks_last_of_many(mem0):
    for number in range(150):
        mem0.add(f"note {number} about tea and more tea", infer=False, metadata={"n": number}, **ADA)
    mem0.add("an aside on tea", infer=False, metadata={"n": 999, "topic": "Aside"}, **ADA)
    for condition in ({"n": 999}, {"n": {"gt": 500}}, {"topic": {"icontains": "aside"}}, {"topic": "*"}):
        found = mem0.search("note about tea and more tea", filters={**ADA, **condition}, top_k=5)
        assert told(found) == ["an aside on tea"]
    either = {"OR": [{"n": {"in": [3, 4]}}, {"topic": "Aside"}], "NOT": [{"n": {"eq": 4}}]}
    assert set(told(mem0.get_all(filters={**ADA, **either}))) == {
        "note 3 about tea and more tea",
        "an aside on tea",
    }


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ({"kind": ["a", "b"]}, {"one", "two"}),
        ({"kind": []}, set()),
        ({"marks": ["x", "z"]}, {"one"}),
        ({"kind": {"nin": ["a"]}}, {"two", "three"}),
        ({"created_at": {"gte": "2026-01-01T01:30:00+02:00"}}, {"one", "two", "three"}),
        ({"created_at": {"gte": "2026-01-02T01:00:00+02:00"}}, {"two", "three"}),
        ({"created_at": {"lt": "2026-01-03T01:59:59+02:00"}}, {"one", "two"}),
        ({"created_at": "2026-01-02T01:00:00+01:00"}, {"two"}),
        ({"created_at": {"in": ["2026-01-02T00:00:00Z"]}}, {"two"}),
        ({"created_at": {"contains": "2026-01-02"}}, {"two"}),
    ],
)
def test_filters_take_lists_and_moments_in_any_zone(mem0, clock, condition, wanted):
    kept = {"one": {"kind": "a", "marks": ["x", "y"]}, "two": {"kind": "b"}, "three": {"kind": "c"}}
    for text, about in kept.items():
        mem0.add(text, infer=False, metadata=about, **ADA)
        clock.advance(days=1)
    assert set(told(mem0.get_all(filters={**ADA, **condition}))) == wanted


def test_as_many_are_listed_as_are_wanted(mem0):
    engine = mem0._tenants.of("ada")
    engine.remember_many(f"note {number}" for number in range(1_200))
    assert len(mem0.get_all(filters=ADA, top_k=5_000)["results"]) == 1_200


def test_metadata_cannot_move_a_memory_to_another_user(mem0):
    mem0.add("the soup needs salt", infer=False, metadata={"user_id": "bob", "pot": 1}, **ADA)
    [one] = mem0.get_all(filters=ADA)["results"]
    assert (one["user_id"], one["metadata"]) == ("ada", {"pot": 1})
    assert mem0.get_all(filters={"user_id": "bob"}) == {"results": []}


def test_metadata_holds_for_what_is_formed(mem0):
    mem0.add("I live in Lisbon.", metadata={"source": "onboarding"}, **ADA)
    [one] = mem0.get_all(filters={**ADA, "source": "onboarding"})["results"]
    assert one["metadata"] == {"source": "onboarding"}


def test_what_has_expired_is_hidden_unless_it_is_asked_for(mem0, clock):
    day = (clock.now() + timedelta(days=1)).date()
    mem0.add("the pass is 4711 pages", infer=False, expiration_date=day, **ADA)
    mem0.add("I live in Lisbon.", expiration_date=str(day), **ADA)
    assert len(mem0.get_all(filters=ADA)["results"]) == 2
    clock.advance(days=1, hours=1)
    assert len(mem0.get_all(filters=ADA)["results"]) == 2
    clock.advance(days=1)
    assert mem0.get_all(filters=ADA) == {"results": []}
    assert mem0.search("who lived in Lisbon before?", filters=ADA) == {"results": []}
    shown = mem0.get_all(filters=ADA, show_expired=True)["results"]
    assert {one["expiration_date"] for one in shown} == {str(day)}
    assert told(mem0.search("who lives in Lisbon", filters=ADA, show_expired=True))
    mem0.update(shown[0]["id"], expiration_date=None)
    assert len(mem0.get_all(filters=ADA)["results"]) == 1


TEA, MORE_TEA = "I like tea and coffee.", "I like tea and coffee and cake."


@pytest.mark.parametrize("again", [TEA, MORE_TEA])
def test_what_is_said_again_for_a_time_does_not_end_what_was_known(mem0, clock, again):
    [known] = mem0.add(TEA, metadata={"from": "form"}, **ADA)["results"]
    clock.advance(hours=1)
    mem0.add(again, expiration_date=(clock.now() + timedelta(days=1)).date(), **ADA)
    assert "expiration_date" not in mem0.get(known["id"])
    clock.advance(days=3)
    [left] = mem0.get_all(filters=ADA)["results"]
    assert (left["id"], left["metadata"]) == (known["id"], {"from": "form"})


def test_what_was_known_for_a_time_ends_when_it_did_whatever_is_added(mem0, clock):
    first, second = ((clock.now() + timedelta(days=days)).date() for days in (2, 4))
    [known] = mem0.add(TEA, expiration_date=first, **ADA)["results"]
    [more] = mem0.add(MORE_TEA, expiration_date=second, **ADA)["results"]
    assert (more["id"], more["event"]) == (known["id"], "UPDATE")
    assert mem0.get(known["id"])["expiration_date"] == str(first)
    clock.advance(days=3)
    assert told(mem0.get_all(filters=ADA)) == []


def test_an_update_changes_the_text_and_adds_metadata(mem0, clock):
    [one] = raw(mem0, "the soup needs salt")
    mem0.update(one, metadata={"pot": 1})
    clock.advance(hours=1)
    assert mem0.update(one, text="the soup needs pepper", metadata={"lid": True}) == {
        "message": "Memory updated successfully!"
    }
    shown = mem0.get(one)
    assert (shown["memory"], shown["metadata"]) == ("the soup needs pepper", {"pot": 1, "lid": True})
    assert shown["created_at"] < shown["updated_at"]
    assert [(e["event"], e["old_memory"], e["new_memory"]) for e in mem0.history(one)] == [
        ("ADD", None, "the soup needs salt"),
        ("UPDATE", "the soup needs salt", "the soup needs salt"),
        ("UPDATE", "the soup needs salt", "the soup needs pepper"),
    ]


def test_what_was_deleted_stays_deleted_and_may_be_said_again(mem0):
    [one] = mem0.add("I live in Lisbon.", **ADA)["results"]
    mem0.delete(one["id"])
    assert mem0.get(one["id"]) is None
    assert mem0.search("who lives in Lisbon", filters=ADA) == {"results": []}
    last = mem0.history(one["id"])[-1]
    assert (last["event"], last["new_memory"], last["is_deleted"]) == ("DELETE", None, True)
    with pytest.raises(ValueError, match="not found"):
        mem0.delete(one["id"])
    assert told(mem0.add("I live in Lisbon.", **ADA)) == ["The user lives in Lisbon"]


def test_a_pinned_memory_can_be_deleted_but_not_an_immutable_one(mem0):
    pinned, immutable = raw(mem0, "the soup needs salt", "the rice needs water")
    engine = mem0._tenants.of("ada")
    engine.pin(pinned)
    engine.pin(immutable, immutable=True)
    mem0.delete(pinned)
    assert mem0.get(pinned) is None
    with pytest.raises(Refused):
        mem0.delete(immutable)


def test_what_is_immutable_survives_the_deletion_of_everything(mem0, caplog):
    kept, gone = raw(mem0, "the soup needs salt", "the rice needs water")
    mem0._tenants.of("ada").pin(kept, immutable=True)
    with caplog.at_level(logging.WARNING, "recollect"):
        mem0.delete_all(user_id="ada")
    assert [one["id"] for one in mem0.get_all(filters=ADA)["results"]] == [kept]
    assert kept in caplog.text
    assert gone not in caplog.text


def test_reset_forgets_everybody_and_can_be_undone(mem0):
    [one] = raw(mem0, "the soup needs salt")
    raw(mem0, "the rice needs water", user_id="bob")
    mem0.reset()
    assert mem0.get_all(filters=ADA) == mem0.get_all(filters={"user_id": "bob"}) == {"results": []}
    mem0._tenants.of("ada").restore(one)
    assert told(mem0.get_all(filters=ADA)) == ["the soup needs salt"]


def test_scores_fall_lie_between_0_and_1_and_are_explained(mem0):
    raw(mem0, "the soup needs salt", "the soup was cold", "salt lakes of the south")
    found = mem0.search("does the soup need salt?", filters=ADA, explain=True, threshold=0.0)["results"]
    scores = [one["score"] for one in found]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    details = found[0]["score_details"]
    assert details["final_score"] == scores[0]
    assert sum(details["signals"].values()) == pytest.approx(details["raw_score"])


def test_the_threshold_is_one_of_similarity(mem0):
    raw(mem0, "the soup needs salt", "unrelated words entirely")
    assert told(mem0.search("the soup needs salt", filters=ADA, threshold=0.9)) == ["the soup needs salt"]
    assert len(told(mem0.search("the soup needs salt", filters=ADA, threshold=0.0))) == 2


def test_the_number_of_results_is_kept_by_either_name(mem0):
    raw(mem0, *(f"soup number {n} needs salt" for n in range(5)))
    assert len(mem0.search("soup salt", filters=ADA, top_k=2)["results"]) == 2
    assert len(mem0.search("soup salt", user_id="ada", limit=3)["results"]) == 3
    assert mem0.search("soup salt", filters=ADA, top_k=0) == {"results": []}
    assert told(mem0.get_all(filters=ADA, top_k=2)) == [f"soup number {n} needs salt" for n in (4, 3)]


def test_messages_keep_the_time_at_which_they_were_said(mem0):
    mem0.add("I moved to Lisbon yesterday.", timestamp="2024-05-02T10:00:00Z", **ADA)
    assert told(mem0.get_all(filters=ADA)) == ["The user moved to Lisbon on 2024-05-01"]


def test_a_procedure_of_an_agent_is_kept_whole(mem0):
    steps = [{"role": "user", "content": "open the door"}, {"role": "assistant", "content": "opened"}]
    added = mem0.add(steps, agent_id="robot", memory_type="procedural_memory")
    assert told(added) == ["user: open the door\nassistant: opened"]


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("add", {"messages": "x"}),
        ("add", {"messages": 3, "user_id": "ada"}),
        ("add", {"messages": ["x"], "user_id": "ada"}),
        ("add", {"messages": "x", "user_id": "a b"}),
        ("add", {"messages": "x", "user_id": "ada", "memory_type": "odd"}),
        ("add", {"messages": "x", "user_id": "ada", "expiration_date": "soon"}),
        ("add", {"messages": "x", "user_id": "ada", "metadata": "odd"}),
        ("search", {"query": "x"}),
        ("search", {"query": " ", "filters": ADA}),
        ("search", {"query": "x", "filters": ADA, "threshold": 2}),
        ("search", {"query": "x", "filters": ADA, "top_k": -1}),
        ("search", {"query": "x", "filters": ADA | {"n": {"near": 3}}}),
        ("search", {"query": "x", "filters": ADA | {"OR": []}}),
        ("search", {"query": "x", "filters": ADA | {"OR": ["x"]}}),
        ("search", {"query": "x", "filters": ADA | {"n": {"icontains": 5}}}),
        ("search", {"query": "x", "filters": ADA | {"n": {"in": 5}}}),
        ("search", {"query": "x", "filters": ADA | {"created_at": {"gte": "soon"}}}),
        ("search", {"query": "x", "filters": "ada"}),
        ("get_all", {}),
        ("update", {"memory_id": "x"}),
        ("update", {"memory_id": "x", "text": "y"}),
        ("delete", {"memory_id": "x"}),
        ("delete_all", {}),
    ],
)
def test_a_wrong_call_is_a_value_error_as_in_mem0(mem0, verb, given):
    with pytest.raises(ValueError):
        getattr(mem0, verb)(**given)
    assert mem0._tenants.store.users() == []


def test_what_is_not_used_is_said_and_not_swallowed(mem0, caplog, tmp_path):
    with caplog.at_level(logging.WARNING, "recollect"):
        mem0.search("x", filters=ADA, page_size=3)
        Memory.from_config(
            {"recollect": {"store": str(tmp_path / "c.db")}, "llm": {"provider": "openai"}}
        ).close()
    assert "page_size" in caplog.text
    assert "llm" in caplog.text
    with pytest.raises(InvalidInput, match="odd"):
        Memory.from_config({"recollect": {"odd": 1}})


def test_the_same_store_is_read_by_the_engine(tmp_path, clock):
    path = tmp_path / "agent.db"
    with Memory(store=path, embedder=HashEmbedder(), clock=clock) as mem0:
        raw(mem0, "the soup needs salt")
    with Recollect(path, user="ada", embedder=HashEmbedder(), clock=clock) as engine:
        assert engine.recall("soup salt")[0].text == "the soup needs salt"
        engine.remember("the rice needs water")
    with Memory(store=path, embedder=HashEmbedder(), clock=clock) as mem0:
        assert len(mem0.get_all(filters=ADA)["results"]) == 2


def test_more_users_than_engines_are_kept_lose_nothing(mem0):
    for number in range(OPEN + 3):
        raw(mem0, "the soup needs salt", user_id=f"u{number}")
    assert len(mem0._tenants._engines) == OPEN
    assert told(mem0.search("soup salt", filters={"user_id": "u0"})) == ["the soup needs salt"]


def test_the_same_verbs_can_be_awaited(tmp_path):
    async def tour():
        async with AsyncMemory(store=tmp_path / "agent.db", embedder=HashEmbedder()) as mem0:
            added = await mem0.add("I live in Lisbon.", **ADA)
            found = await mem0.search("who lives in Lisbon", filters=ADA)
            await asyncio.gather(*(mem0.add(f"note {n}", infer=False, **ADA) for n in range(8)))
            every = await mem0.get_all(filters=ADA)
            await mem0.delete(added["results"][0]["id"])
            return told(found), len(every["results"]), await mem0.get(added["results"][0]["id"])

    assert asyncio.run(tour()) == (["The user lives in Lisbon"], 9, None)
    for name in ("add", "search", "get_all", "update", "delete_all"):
        assert inspect.signature(getattr(AsyncMemory, name)) == inspect.signature(getattr(Memory, name))
